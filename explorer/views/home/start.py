"""Start here: an example that is drawn at once, and links to the other pages."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame import navigation
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import caching, memory
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.home import before, lectures
from explorer.views.home.settings import TEXT
from explorer.views.look import blocklist
from explorer.views.widgets.bars import FULL_BAR, bars, short
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.visually_hidden import hidden_heading

if TYPE_CHECKING:
    from explorer.models import Model


MODEL, MASK = "bert", "[MASK]"
ROWS = 6
ACROSS = 4  # links to other pages in a row


def draw(page: OpenPage[None]) -> Saves:
    """The sentence and its guesses. Raises TextError for a text without [MASK]."""
    text = text_box(
        page.settings,
        TEXT,
        "A sentence with [MASK] in it",
        "Write a sentence with [MASK] in it",
        blanks=True,
    )
    blocked = blocklist.over(MODEL, text)
    before, _, after = text.partition(MASK)
    rows = [
        row | {"covered": blocklist.covers(blocked, before, row["token"], after)} for row in guesses(text)
    ]
    bars(rows, key="home/bars", label="Guesses for the blank")
    note_html(FULL_BAR)
    return [
        Picture("picture", "start"),
        Export("Guesses", "guesses.csv", lambda: as_table(rows)),
    ]


def below(page: OpenPage[None]) -> None:
    """The lectures, and the other pages with their captions."""
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


READING = Reading(
    "Each bar is a word that BERT could put in place of [MASK]. The longer the bar, the more probable "
    "BERT finds the word.",
    "BERT learnt from text, so probable does not mean true.",
)


def example(page: OpenPage[None]) -> Example:
    """The same guesses from Python."""
    return Example(first_guesses, model=Load(MODEL), text=page.settings[TEXT], top=ROWS)


def first_guesses(model: "Model", text: str, top: int) -> list[tuple[str, float]]:
    """The most probable words for the first [MASK] of a text."""
    from explorer.analysis import prediction

    return prediction.fill_mask(model, text, top)[0]


def guesses(text: str) -> list[dict[str, Any]]:
    """The first guesses for the blank; those for the opening sentence are stored."""
    stored = assets.data(TEXTS / "home.json")
    return stored["rows"] if text == stored["text"] else live(memory.get(MODEL), text)


def now(page: OpenPage[None]) -> str:
    """What has become of the opening's first guess."""
    promised = assets.data(TEXTS / "home.json")["rows"][0]
    text = page.settings[TEXT]
    first = guesses(text)[0]
    was = f"“{promised['token']}” was {short(promised['probability'])}"
    if first["token"] == promised["token"]:
        return f"{was}, now {short(first['probability'])}. It is still the first guess."
    before, _, after = text.partition(MASK)
    covered = blocklist.covers(blocklist.over(MODEL, text), before, first["token"], after)
    token = blocklist.DOTS if covered else quoted(first["token"])
    chance = probability_of(memory.get(MODEL), text, promised["token"])
    return f"{was}, now {short(chance)}. BERT’s first guess is now “{token}” ({short(first['probability'])})."


@caching.data(max_entries=64)
def probability_of(model: "Model", text: str, word: str) -> float:
    """The probability of a word in the first blank of a text."""
    from explorer.analysis import prediction

    probability = prediction.probe(model, prediction.blanks(model, text), word).probability
    assert probability is not None  # the promised word is in BERT's vocabulary
    return probability


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
        "Change “bank” to “baker”. Is BERT still so sure? Or press River.",
    ),
    settings=(TEXT,),
    model=MODEL,
    draw=draw,
    below=below,
    reading=READING,
    example=example,
    now=now,
)
