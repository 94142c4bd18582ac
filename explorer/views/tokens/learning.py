"""How pieces are learnt: byte-pair encoding and WordPiece on a text, one merge after the other."""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.catalogue.manifest import manifests
from explorer.locale import N_, _, format_number, localised, translate
from explorer.text.byte_letters import readable
from explorer.views import kit
from explorer.views.tokens.settings import MERGES, STEP, TEXT, WAY, WORD
from explorer.views.tokens.tokenizers import load
from explorer.views.types import Learning

VIEW_TEXT = kit.view_text("tokens", "learning")
KEY = "tokens/learning"
WAYS = {
    "byte-pairs": N_("Byte pairs: the most frequent"),
    "word-pieces": N_("WordPiece: more often than by chance"),
    "gpt": N_("As GPT has learnt it"),
    "smollm2": N_("As SmolLM2 has learnt it"),
}
LISTED = 7  # pairs
SHOWN = 700  # characters of the text in the picture
BYTES, LETTERS = "byte-pairs", "word-pieces"
OWN = ("gpt", "smollm2")  # whose merges are made in their own order
BY = {BYTES: N_("count"), LETTERS: N_("count(ab) / count(a) count(b)")}


def controls(page: kit.OpenPage[None]) -> None:
    """The text, the way to rank pairs, the number of merges, and the class's words."""
    settings = page.settings
    resets = [STEP.to(0)]
    kit.text_box(settings, TEXT, _("A text to learn from"), _("Paste a text"), lines=2, resets=resets)
    with st.container(key="learning-controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        here = {
            way: label
            for way, label in translate(WAYS).items()
            if way not in OWN or manifests()[way].is_available()
        }
        kit.menu(settings, WAY, _("Which pair is merged"), here, width=300)
        kit.slider(settings, MERGES, _("Merges"), 10, 1_000, step=10, width=220)
        with st.container(width="stretch"):
            kit.text_box(settings, WORD, _("Words to cut with what has been learnt"), _("Type a word"))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The text in its pieces, the pairs that compete, and how far the text has become shorter."""
    settings = page.settings
    learning = learn(settings[TEXT], settings[WAY], settings[MERGES])
    settings.restrict(STEP, range(len(learning.merges) + 1))

    def step() -> None:
        if (number := kit.component_value(KEY, "step", STEP.takes)) is not None:
            settings.set(STEP.to(number))

    kit.component("tokens/learning")(key=KEY, data=picture_data(settings, learning), on_step_change=step)
    return [
        kit.Picture("picture", "learning"),
        kit.Export(N_("Merges"), "merges.csv", lambda: merges_table(learning)),
    ]


@kit.kept(16)
def learn(text: str, way: str, count: int) -> "Learning":
    """What is learnt from a text. Raises TextError."""
    if way in OWN:
        return analysis.pieces.follow(text, load(way), count)
    return (analysis.pieces.byte_pairs if way == BYTES else analysis.pieces.word_pieces)(text, count)


def picture_data(settings: kit.Settings, learning: "Learning") -> dict[str, Any]:
    """What the component draws; symbols travel as numbers, the single ones first, then one for each merge."""
    in_bytes = settings[WAY] != LETTERS
    names = [*learning.symbols, *(merge.piece for merge in learning.merges)]
    number = {symbol: i for i, symbol in reversed(list(enumerate(names)))}
    words = split(settings[TEXT][:SHOWN], settings[WAY])
    return {
        "run": f"{settings[TEXT]}\0{settings[WAY]}",
        "names": [readable(name) if in_bytes else name for name in names],
        "single": len(learning.symbols),
        "pairs": [[number[symbol] for symbol in merge.pair] for merge in learning.merges],
        "candidates": [
            [
                [number[left], number[right], one.count, one.score]
                for one in merge.candidates[:LISTED]
                for left, right in [one.pair]
            ]
            for merge in learning.merges
        ],
        "text": [[number[symbol] for symbol in word] for word in words],
        "more": len(settings[TEXT]) > SHOWN,
        "word": [
            [number.get(symbol, readable(symbol) if in_bytes else symbol) for symbol in word]
            for word in split(f" {settings[WORD]}", settings[WAY])  # as inside a text
        ],
        "spaced": not in_bytes,
        "curve": learning.characters_per_token(),
        "step": settings[STEP],
        "by": _(BY.get(settings[WAY], N_("in this text"))),
    }


def split(text: str, way: str) -> list[tuple[str, ...]]:
    """A text's words as single symbols, in the order of the text."""
    from explorer.analysis.pieces.learning import split_as, split_bytes, split_letters

    if way in OWN:
        return split_as(load(way), text)
    return (split_letters if way == LETTERS else split_bytes)(text)


def merges_table(learning: "Learning") -> str:
    """Each merge with the two pieces, how often they stood side by side, and what it leaves."""
    rows = [
        [i, merge.piece, *merge.pair, merge.count, merge.candidates[0].score, merge.tokens]
        for i, merge in enumerate(learning.merges, 1)
    ]
    return kit.table(["merge", "piece", "left", "right", "count", "score", "tokens"], rows)


def learnt_pieces(text: str, way: str, merges: int, words: list[str]) -> dict[str, list[str]]:
    """Words, each as the pieces that so many merges, learnt from a text or a model's own, cut it into."""
    import explorer
    from explorer.analysis import pieces
    from explorer.analysis.pieces.learning import split_bytes, split_letters

    if way == "word-pieces":
        learning, split = pieces.word_pieces(text, merges), split_letters
    elif way == "byte-pairs":
        learning, split = pieces.byte_pairs(text, merges), split_bytes
    else:
        learning, split = pieces.follow(text, explorer.load_tokenizer(way), merges), split_bytes
    return {word: learning.cut(split(word)[0]) for word in words}


def now(page: kit.OpenPage[None]) -> str:
    """What has become of the text."""
    settings = page.settings
    curve = learn(settings[TEXT], settings[WAY], settings[MERGES]).characters_per_token()
    return _(
        "A token has {before} characters at first, after {count} merges {after}.",
        before=localised(f"{curve[0]:.1f}"),
        count=format_number(len(curve) - 1),
        after=localised(f"{curve[-1]:.1f}"),
    )


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read the list, which depends on what puts its pairs in order."""
    way = page.settings[WAY]
    return VIEW_TEXT.readings.get("own" if way in OWN else way, VIEW_TEXT.reading)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading, change=now),
    settings=(TEXT, WAY, MERGES, STEP, WORD),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        learnt_pieces,
        text=page.settings[TEXT],
        way=page.settings[WAY],
        merges=page.settings[MERGES],
        words=page.settings[WORD].split(),
    ),
    stage=kit.Stage(covered=(".pair",), controls=(WORD,)),
)
