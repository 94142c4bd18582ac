"""Playing the generator: a visitor puts words of their own into a sentence. Does the discriminator notice?"""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import caching
from explorer.views.frame.example import Example, Load
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.setting import MOST_WORD
from explorer.views.frame.view import Page, Reading, Saves
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import OWN, PLACE, READ, TYPED
from explorer.views.masked.verdicts import READS, VERDICT, verdict
from explorer.views.widgets.notes import note
from explorer.views.widgets.registry import component, sent

if TYPE_CHECKING:
    from explorer.analysis.prediction.replacing import Detection
    from explorer.analysis.words import Word
    from explorer.models import LanguageModel

RESETS = [OWN.to([]), PLACE.to(-1), TYPED.to("")]  # nothing is replaced, no word is chosen


def controls(page: Page[PageText]) -> None:
    """A box for the word that stands in place of the chosen one, and a button that puts all back."""
    settings = page.settings
    there = words_of(page.model, settings[READ])
    place, own = settings[PLACE], replacements(settings[OWN], len(there))
    chosen = there[place].text if 0 <= place < len(there) else ""

    def put() -> None:
        typed = settings[TYPED].strip()[:MOST_WORD]
        kept = {at: word for at, word in own.items() if at != place}
        if typed and typed != chosen:
            kept[place] = typed
        settings.set(OWN.to([[at, kept[at]] for at in sorted(kept)]))

    st.text_input(
        f"In place of “{chosen}”" if chosen else "In place of a word",
        key=settings.key(TYPED),
        placeholder="Type a word" if chosen else "Click a word first",
        disabled=not chosen,
        max_chars=MOST_WORD,
        on_change=put,
        width=260,
    )
    st.button(
        "Put all back",
        key="masked/put-back",
        disabled=not own,
        on_click=lambda: settings.set(*RESETS),
    )


def draw(page: Page[PageText]) -> Saves:
    """Each word as it stands now, with the discriminator's verdict on the most suspect of its tokens."""
    settings, model, key = page.settings, page.model, "masked/own_words"
    there = words_of(model, settings[READ])
    own = replacements(settings[OWN], len(there))
    judged, spans = examined(model, settings[READ], tuple(sorted(own.items())))
    now = verdicts_by_word(judged, spans)

    def clicked() -> None:
        at = sent(key, "click")
        if isinstance(at, int) and 0 <= at < len(there):
            settings.set(PLACE.to(at), TYPED.to(own.get(at, "")))

    component("masked/real_or_replaced")(
        key=key,
        data={
            "label": "The words of the sentence; click one to put another in its place",
            "active": True,
            "reads": READS,
            "rows": [VERDICT],
            "words": [
                {
                    "at": at,
                    "text": own.get(at, word.text),
                    "replaced": at in own,
                    "suspected": False,
                    "selected": at == settings[PLACE],
                    "was": word.text if at in own else "",
                    "tip": f"probability of “replaced”: {now[at]:.6g}",
                    "bars": [verdict(now[at])],
                }
                for at, word in enumerate(there)
            ],
        },
        on_click_change=clicked,
    )
    note(_said(there, own, now))
    return [
        Picture("picture", "masked-your-words"),
        Export(
            "Verdicts",
            "masked-your-words.csv",
            lambda: table(
                ["word", "original", "probability_replaced"],
                [[own.get(at, word.text), word.text, now[at]] for at, word in enumerate(there)],
            ),
        ),
    ]


def reading(page: Page[PageText]) -> Reading:
    """How to read the verdicts."""
    return Reading(
        "You are the generator. The bar under a word is the discriminator’s probability that it was "
        "replaced; of a word in several tokens, that of the most suspect one. Above the line it says "
        "“replaced”.",
        "It was trained on the mistakes of its own generator: a person’s replacements are of another kind.",
    )


def example(page: Page[PageText]) -> Example:
    """The same verdicts from Python."""
    settings, model = page.settings, page.model
    there = words_of(model, settings[READ])
    own = replacements(settings[OWN], len(there))
    return Example(
        noticed,
        model=Load(str(model.checkpoint)),
        text=settings[READ],
        places=[(there[at].start, there[at].end) for at in sorted(own)],
        put=[own[at] for at in sorted(own)],
    )


def noticed(
    model: "LanguageModel", text: str, places: list[tuple[int, int]], put: list[str]
) -> list[tuple[str, float]]:
    """Each token of a text with other words at some of its characters, and how probable “replaced” is."""
    from explorer.analysis.prediction import replacing

    changed, spans = replacing.with_words(text, places, put)
    judged = replacing.judge_words(model, changed, spans)
    return list(zip(judged.encoding.tokens, judged.probabilities.tolist(), strict=True))


def words_of(model: "LanguageModel", text: str) -> "list[Word]":
    """The words of a sentence, of which each can be replaced."""
    from explorer.analysis.words import words

    encoding = model.encode(text, limit=LIVE_TOKENS)
    return [word for word in words(encoding) if not word.special and word.text.strip()]


def replacements(own: list[Any], words: int) -> dict[int, str]:
    """What stands in place of which word, of a setting that may come from another text or an old link.

    >>> replacements([[1, "ran"], [9, "x"], [0, " "], "no"], 3)
    {1: 'ran'}
    """
    pairs = [one for one in own if isinstance(one, list) and len(one) == 2]
    return {
        at: word.strip()[:MOST_WORD]
        for at, word in pairs
        if isinstance(at, int) and 0 <= at < words and isinstance(word, str) and word.strip()
    }


@caching.resource(max_entries=64)
def examined(
    model: "LanguageModel", text: str, own: tuple[tuple[int, str], ...]
) -> "tuple[Detection, list[tuple[int, int]]]":
    """The verdicts on a sentence with these words in it, and where each of its words stands now."""
    from explorer.analysis.prediction import replacing

    there, put = words_of(model, text), dict(own)
    places = [(word.start, word.end) for word in there]
    changed, spans = replacing.with_words(
        text, places, [put.get(at, word.text) for at, word in enumerate(there)]
    )
    return replacing.judge_words(model, changed, [spans[at] for at in sorted(put)]), spans


def verdicts_by_word(judged: "Detection", spans: list[tuple[int, int]]) -> list[float]:
    """For each word the highest probability of “replaced” among its tokens; 0 beyond what is read."""
    tokens = [
        (place, float(probability))
        for place, probability, special in zip(
            judged.encoding.spans, judged.probabilities, judged.encoding.special.tolist(), strict=True
        )
        if not special
    ]
    return [max((p for (s, e), p in tokens if s < end and start < e), default=0.0) for start, end in spans]


def _said(there: "list[Word]", own: dict[int, str], now: list[float]) -> str:
    if not own:
        return "Click a word and type another one for it: does the discriminator notice?"
    seen = [at for at in own if now[at] > 0.5]
    wrong = [there[at].text for at in range(len(there)) if at not in own and now[at] > 0.5]
    accused = f" It wrongly suspects {', '.join(f'“{word}”' for word in wrong)}." if wrong else ""
    return f"The discriminator notices {len(seen)} of {len(own)} replaced words.{accused}"
