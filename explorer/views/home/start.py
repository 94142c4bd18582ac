"""Start here: a sentence whose gap is guessed, at once for the opening one, or which is written on."""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame import navigation
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.example import Example, Load
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.polls.poll import Later, Poll, Question, text_end
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import memory
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.home import before, sentence, writing
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT
from explorer.views.look import blocklist
from explorer.views.settings.settings import Settings
from explorer.views.types import Model
from explorer.views.widgets.bars import FULL_BAR, bars
from explorer.views.widgets.first_guess import SMALL, repeats, repetition_line, say_first
from explorer.views.widgets.notes import instruction, note_html
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import GAP, MASK

MODEL = "bert"
ROWS = 6


def draw(page: OpenPage[None]) -> Saves:
    """The sentence, and below it the guesses for its gap, or how it goes on."""
    settings = page.settings
    text = text_of(settings)
    if not text.strip():
        sentence.draw(settings, text, "")
        instruction("Write a sentence, and press a word to hide it.")
        return []
    settings.clamp(GAP_AT, 0, max(text.count(MASK) - 1, 0))
    rows = guess_rows(text, settings[GAP_AT]) if MASK in text else []
    sentence.draw(settings, text, next((row["token"] for row in rows if not row["covered"]), "").lstrip("#"))
    return _draw_guesses(settings, text, rows) if rows else writing.draw(text)


def text_of(settings: Settings) -> str:
    """The sentence with its gap as [MASK], also if a link has another spelling."""
    if settings[TEXT] == TEXT.default:
        return TEXT.default
    from explorer.analysis.prediction import masking

    return masking.standard(settings[TEXT])


def _draw_guesses(settings: Settings, text: str, rows: list[dict[str, Any]]) -> Saves:
    """The bars, and the word that was hidden; a click on a bar fills the gap."""

    def clicked(index: int) -> None:
        from explorer.analysis.prediction import masking

        settings.set(
            TEXT.to(masking.fill(text, settings[GAP_AT], rows[index]["token"])), HIDDEN.to(""), GAP_AT.to(0)
        )

    which = f"gap {settings[GAP_AT] + 1}" if text.count(MASK) > 1 else "the gap"
    heading = f"<b>BERT’s guesses for {which}</b>"
    if hidden := settings[HIDDEN]:
        heading += f' <span class="rb-quiet">hidden: {quoted(hidden)}</span>'
    st.html(f'<p class="rb-how">{heading}</p>')
    bars(rows, key="home/bars", label=f"BERT’s guesses for {which}; press one to fill it", on_click=clicked)
    repetition_line(rows, SMALL)
    say_first(rows)
    note_html(FULL_BAR)
    return [Picture("picture", "start"), Export("Guesses", "guesses.csv", lambda: as_table(rows))]


def below(page: OpenPage[None]) -> None:
    """What else there is for this sentence, and the lectures."""
    text = text_of(page.settings)
    if MASK in text:
        navigation.link("masked", f"What {memory.short_label(WRITER)} puts there", text=text, beside="true")
    else:
        navigation.link("continuations", "How each token was chosen", text=text)
    if lecturing.at() is None:
        before.prepare()


def example(page: OpenPage[None]) -> Example:
    """The same guesses, or the same continuation, from Python."""
    text = text_of(page.settings)
    if MASK not in text:
        return Example(writing.continuation, model=Load(WRITER), text=text, **writing.SAMPLING)
    return Example(first_guesses, model=Load(MODEL), text=text, top=ROWS, blank=page.settings[GAP_AT])


def first_guesses(model: "Model", text: str, top: int, blank: int) -> list[tuple[str, float]]:
    """The most probable words for one [MASK] of a text; `blank` is its number, 0 the first."""
    from explorer.analysis import prediction

    return prediction.fill_mask(model, text, top)[blank]


def guess_rows(text: str, blank: int) -> list[dict[str, Any]]:
    """The first guesses for a gap as rows of bars, blocked words covered; the opening ones are stored."""
    stored = assets.data(TEXTS / "home.json")
    best = (
        stored["guesses"] if text == stored["text"] else first_guesses(memory.get(MODEL), text, ROWS, blank)
    )
    blocked = blocklist.over(MODEL, text)
    parts = text.split(MASK)
    before, after = MASK.join(parts[: blank + 1]), MASK.join(parts[blank + 1 :])
    return [
        {
            "token": word,
            "probability": p,
            "covered": blocklist.covers(blocked, before, word, after),
            "repeats": repeats(text, word),
        }
        for word, p in best
    ]


def asks(page: OpenPage[None]) -> list[Poll]:
    """Which word fills the gap; or how a sentence without one goes on."""
    text = text_of(page.settings)
    if not text.strip():
        return []
    if MASK not in text:
        first = Later(
            lambda: {token.strip(): p for token, p in writing.written(memory.get(WRITER), text)[:1]}
        )
        question = Question("word", "Which word comes next?", text_end(text))
        return [Poll(question, first, who=memory.short_label(WRITER))]
    at = page.settings[GAP_AT]
    which = f"gap {at + 1}" if text.count(MASK) > 1 else "the gap"
    question = Question("word", f"Which word fills {which}?", text.replace(MASK, GAP))
    model = Later(lambda: {row["token"]: row["probability"] for row in guess_rows(text, at)})
    return [Poll(question, model, page.settings[HIDDEN], "BERT")]


def as_table(rows: list[dict[str, Any]]) -> str:
    """The guesses as a table to save, blocked words as dots."""
    words = [blocklist.DOTS if row["covered"] else row["token"] for row in rows]
    lines = [[rank, word, row["probability"]] for rank, (word, row) in enumerate(zip(words, rows), 1)]
    return table(["rank", "word", "probability"], lines)


VIEW = View(
    text=view_text("home", "start"),
    settings=(TEXT, HIDDEN, GAP_AT),
    model=MODEL,
    draw=draw,
    below=below,
    asks=asks,
    example=example,
    stage=Stage(covered=(".token",)),
)
