"""Vocabulary: every token that a model has, in the order of their ids."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, localised, translate
from explorer.views import kit
from explorer.views.tokens.settings import BESIDE, COLOUR, SEARCH, VOCABULARY
from explorer.views.tokens.tokenizers import admit, load, names
from explorer.views.types import Vocabulary
from explorer.views.widgets.numbers import per_cent

KEY = "tokens/vocabulary"
COLOURS = {
    "script": N_("Script"),
    "begins": N_("Beginning or inside of a word"),
    "length": N_("Length"),
    "vector": N_("Length of its vector"),
}
LONGEST = 12  # characters, or more
LISTED = 7


def controls(page: kit.OpenPage[None]) -> None:
    """The vocabulary, what colours mean, another vocabulary, and a search."""
    settings = page.settings
    choices = {name: kit.memory.short_label(name) for name in sorted(names())}
    with st.container(key="vocabulary-controls", horizontal=True, vertical_alignment="bottom", gap="small"):
        other = {"": _("All tokens")} | {
            name: _("Not in {model}", model=label) for name, label in choices.items()
        }
        for setting, label, options in ((VOCABULARY, _("Vocabulary"), choices), (BESIDE, _("Tokens"), other)):
            if settings[setting] not in options:
                options[settings[setting]] = settings[setting]
            kit.menu(settings, setting, label, options, width=210, on_change=admit, args=(settings[setting],))
        kit.menu(settings, COLOUR, _("Colour"), translate(COLOURS), width=270)
        with st.container(width="stretch"):
            kit.text_box(settings, SEARCH, _("Search the tokens"), _("Search"))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """A cell for each token, and what stands out."""
    settings = page.settings
    data = picture_data(settings)
    kit.component("tokens/vocabulary")(key=KEY, data=data)
    vocabulary = vocabulary_of(settings[VOCABULARY])
    file = f"vocabulary-{kit.memory.short_label(settings[VOCABULARY])}"
    return [
        kit.Picture("picture", file),
        kit.Export(N_("Tokens"), f"{file}.csv", lambda: vocabulary_table(vocabulary)),
    ]


@kit.kept(6)
def vocabulary_of(name: str) -> "Vocabulary":
    """The vocabulary of a model."""
    from explorer.analysis.pieces import vocabulary

    return vocabulary.read(load(name))


@kit.kept(4)
def vector_lengths(name: str) -> list[float]:
    """The length of each token's vector in a model; none if it has no such table."""
    import torch

    vectors = kit.memory.get(name).table
    lengths = [] if vectors is None else vectors.norm(dim=1, dtype=torch.float32).tolist()
    return [round(length, 3) for length in lengths]


def picture_data(settings: kit.Settings) -> dict[str, Any]:
    """What the component draws: the tokens, the number of a colour for each, and the list beside them."""
    name = settings[VOCABULARY]
    vocabulary = vocabulary_of(name)
    colours, legend = coloured(settings, vocabulary)
    lacking = vocabulary.alone(vocabulary_of(settings[BESIDE])) if settings[BESIDE] else []
    texts = shown_texts(name)
    heading, listed = standing_out(settings, vocabulary)
    return {
        "name": kit.memory.short_label(name),
        "texts": texts,
        "colours": colours,
        "legend": legend,
        "shades": settings[COLOUR] in ("length", "vector"),
        "lacking": [id for id, lacks in enumerate(lacking) if lacks] if settings[BESIDE] else None,
        "beside": kit.memory.short_label(settings[BESIDE]) if settings[BESIDE] else "",
        "search": settings[SEARCH],
        "heading": heading,
        "list": [{"text": texts[id], "id": id} for id in listed],
    }


@kit.kept(6)
def shown_texts(name: str) -> list[str]:
    """The texts of a vocabulary as a class may see them: words of the blocklist are dots."""
    blocked = kit.blocklist.over("")
    texts = vocabulary_of(name).texts
    return [
        kit.blocklist.DOTS if kit.blocklist.covers(blocked, "", text.strip("␣")) else text for text in texts
    ]


def coloured(settings: kit.Settings, vocabulary: "Vocabulary") -> tuple[list[int], list[list[Any]]]:
    """The number of a colour for each token, and the legend.

    That is a name and a share, None if no token has it; or the ends of a scale.
    """
    from explorer.analysis.pieces.vocabulary import KINDS

    begins, lengths = vocabulary.begins, vocabulary.lengths
    if settings[COLOUR] == "begins":
        share = sum(begins) / len(begins)
        return [0 if first else 1 for first in begins], [
            [_("begins a word"), per_cent(share)],
            [_("inside"), per_cent(1 - share)],
        ]
    if settings[COLOUR] == "length":
        shades = [min(length, LONGEST) * 100 // LONGEST for length in lengths]
        return shades, [[_("1 character"), ""], [_("{count} or more", count=LONGEST), ""]]
    if settings[COLOUR] == "vector" and (norms := vector_lengths(settings[VOCABULARY])):
        least, most = min(norms), max(norms)
        shades = [int(100 * (norm - least) / max(most - least, 1e-9)) for norm in norms[: len(begins)]]
        return shades, [[localised(f"{least:.2f}"), ""], [localised(f"{most:.2f}"), ""]]
    shares = vocabulary.shares()
    return vocabulary.kinds, [[_(kind), per_cent(shares[kind]) if kind in shares else None] for kind in KINDS]


def standing_out(settings: kit.Settings, vocabulary: "Vocabulary") -> tuple[str, list[int]]:
    """The tokens that the list shows: those of the shortest vectors, or the longest ones."""
    if settings[COLOUR] == "vector" and (lengths := vector_lengths(settings[VOCABULARY])):
        ids = sorted(range(min(len(lengths), len(vocabulary.tokens))), key=lengths.__getitem__)
        return _("The shortest vectors"), ids[:LISTED]
    return _("The longest tokens"), vocabulary.longest(LISTED)


def vocabulary_table(vocabulary: "Vocabulary") -> str:
    """Every token with its kind."""
    from explorer.analysis.pieces.vocabulary import KINDS

    pairs = zip(vocabulary.tokens, vocabulary.kinds)
    rows = [[id, token, KINDS[kind]] for id, (token, kind) in enumerate(pairs)]
    return kit.table(["id", "token", "kind"], rows)


def kinds_of_tokens(name: str, longest: int) -> dict[str, object]:
    """The share of each script in a model's vocabulary, and its longest tokens; no weights are loaded."""
    import explorer
    from explorer.analysis.pieces import vocabulary

    tokens = vocabulary.read(explorer.load_tokenizer(name))
    return {"shares": tokens.shares(), "longest": [tokens.texts[id] for id in tokens.longest(longest)]}


def now(page: kit.OpenPage[None]) -> str:
    """How large the vocabulary is, and what the other lacks."""
    settings = page.settings
    vocabulary = vocabulary_of(settings[VOCABULARY])
    says = _("{count} tokens.", count=format_number(len(vocabulary.tokens)))
    if settings[BESIDE]:
        count = sum(vocabulary.alone(vocabulary_of(settings[BESIDE])))
        other = kit.memory.short_label(settings[BESIDE])
        says = f"{says} {_('{count} of them are not in {model}.', count=f'{count:,}', model=other)}"
    return says


VIEW_TEXT = kit.view_text("tokens", "vocabulary")

VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.readings.get(page.settings[COLOUR], VIEW_TEXT.reading), change=now
    ),
    settings=(VOCABULARY, BESIDE, COLOUR, SEARCH),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(kinds_of_tokens, name=page.settings[VOCABULARY], longest=LISTED),
)
