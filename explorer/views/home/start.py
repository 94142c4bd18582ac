"""Start here: an example that is drawn at once, and links to the other pages."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame import navigation
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching, memory
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.home import before, lectures, sentence, writing
from explorer.views.home.settings import HIDDEN, TEXT
from explorer.views.look import blocklist
from explorer.views.settings.settings import Settings
from explorer.views.widgets.bars import FULL_BAR, bars
from explorer.views.widgets.notes import instruction, note_html
from explorer.views.widgets.numbers import in_words
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import MASK, text_box
from explorer.views.widgets.visually_hidden import hidden_heading

if TYPE_CHECKING:
    from explorer.models import Model


MODEL = "bert"
ROWS = 6
ACROSS = 4  # links to other pages in a row


def draw(page: OpenPage[None]) -> Saves:
    """The sentence, and below it the guesses for its gap, or how it goes on."""
    settings = page.settings
    text_box(
        settings,
        TEXT,
        "A sentence",
        "Write any sentence",
        resets=[HIDDEN.to("")],
        blanks=True,
        gaps=True,
    )
    text = text_of(settings)
    if not text.strip():
        instruction("Write a sentence, and click a word to hide it.")
        return []
    rows = guess_rows(text) if MASK in text else []
    sentence.strip(settings, text, next((row["token"] for row in rows if not row["covered"]), ""))
    if not rows:
        return writing.draw(text)
    return _draw_guesses(settings, text, rows)


def text_of(settings: Settings) -> str:
    """The sentence with its gap as [MASK], also if a link has another spelling."""
    if settings[TEXT] == TEXT.default:
        return TEXT.default
    from explorer.analysis.prediction import masking

    return masking.standard(settings[TEXT])


def _draw_guesses(settings: Settings, text: str, rows: list[dict[str, Any]]) -> Saves:
    """The bars, and the word that was hidden; a click on a bar fills the gap."""

    def clicked(index: int) -> None:
        filled, _ = sentence.click(text, rows[index]["token"], start, start + len(MASK))
        settings.set(TEXT.to(filled), HIDDEN.to(""))

    start = text.index(MASK)
    heading = "<b>BERT’s guesses for the gap</b>"
    if hidden := settings[HIDDEN]:
        probability = probability_of(memory.get(MODEL), text, hidden)
        judgement = "unknown to BERT" if probability is None else in_words(probability)
        heading += f' <span class="rb-quiet">hidden: {quoted(hidden)}, {judgement}</span>'
    st.html(f'<p class="rb-how">{heading}</p>')
    bars(rows, key="home/bars", label="BERT’s guesses for the gap; click one to fill it", on_click=clicked)
    note_html(FULL_BAR)
    return [
        Picture("picture", "start"),
        Export("Guesses", "guesses.csv", lambda: as_table(rows)),
    ]


def below(page: OpenPage[None]) -> None:
    """What else there is for this sentence, the lectures, and the other pages with their captions."""
    text = text_of(page.settings)
    if MASK in text:
        navigation.link("masked", "What other models put there", text=text)
    else:
        navigation.link("continuations", "How each token was chosen", text=text)
    if lecturing.is_at(page.settings.page):
        return
    lectures.offer()
    before.prepare()
    others = [p for p in navigation.pages() if p.name != "home"]
    with st.container(key="ways"):
        hidden_heading("All pages")
        for start in range(0, len(others), ACROSS):
            for column, other in zip(st.columns(ACROSS), others[start:]):
                with column:
                    if st.session_state.get("/framed"):
                        st.page_link(other.path, label=f"**{other.title}**")
                    st.html(f'<p class="rb-point">{other.caption}</p>')


def reading(page: OpenPage[None]) -> Reading:
    """How to read the bars, or the text that was written."""
    if MASK not in text_of(page.settings):
        return writing.READING
    return Reading(
        "Each bar is a word that BERT could put into the gap. The longer the bar, the more probable BERT "
        "finds the word.",
        "BERT learnt from text, so probable does not mean true.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same guesses, or the same continuation, from Python."""
    text = text_of(page.settings)
    if MASK not in text:
        return Example(writing.continuation, model=Load(WRITER), text=text, **writing.SAMPLING)
    return Example(first_guesses, model=Load(MODEL), text=text, top=ROWS)


def first_guesses(model: "Model", text: str, top: int) -> list[tuple[str, float]]:
    """The most probable words for the first [MASK] of a text."""
    from explorer.analysis import prediction

    return prediction.fill_mask(model, text, top)[0]


def guesses(text: str) -> list[dict[str, Any]]:
    """The first guesses for the blank; those for the opening sentence are stored."""
    stored = assets.data(TEXTS / "home.json")
    return stored["rows"] if text == stored["text"] else live(memory.get(MODEL), text)


def guess_rows(text: str) -> list[dict[str, Any]]:
    """The rows of the bars; blocked words are covered."""
    blocked = blocklist.over(MODEL, text)
    before, _, after = text.partition(MASK)
    return [
        row | {"covered": blocklist.covers(blocked, before, row["token"], after)} for row in guesses(text)
    ]


@caching.data(max_entries=64)
def probability_of(model: "Model", text: str, word: str) -> float | None:
    """The probability of a word in the first blank of a text; None for a word that the model cannot spell."""
    from explorer.analysis import prediction

    return prediction.probe(model, prediction.blanks(model, text), word).probability


@caching.data(max_entries=64)
def live(model: "Model", text: str) -> list[dict[str, Any]]:
    """A model's first guesses for the first blank of a text. Raises TextError without one."""
    best = first_guesses(model, text, ROWS)
    return [
        {"token": token, "probability": round(probability, 4), "rank": rank}
        for rank, (token, probability) in enumerate(best, 1)
    ]


def as_table(rows: list[dict[str, Any]]) -> str:
    """The guesses as a table to save, blocked words as dots."""
    return table(
        ["rank", "word", "probability"],
        [
            [row["rank"], blocklist.DOTS if row["covered"] else row["token"], row["probability"]]
            for row in rows
        ],
    )


VIEW = View(
    label="Start here",
    first=Hints(
        "BERT’s first guess is “money”, far ahead of the rest.",
        "Click any word to hide it, or write a sentence of your own.",
    ),
    settings=(TEXT, HIDDEN),
    model=MODEL,
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
