"""The start page's parts: the stored example, the models in words, the ways onward."""

import json
from typing import Any

import streamlit as st

from explorer.assets import CHECKPOINTS, TEXTS
from explorer.views.about import facts
from explorer.views.frame import blocklist, navigation
from explorer.views.frame.settings import Settings
from explorer.views.masked import blanks
from explorer.views.widgets.bars import bars

MODEL = "bert"
ROWS = 6
ACROSS = 4  # ways onward in a row


def guesses(settings: Settings) -> list[dict[str, Any]]:
    """The first guesses for the blank: stored ones for the opening sentence, else live."""
    stored = json.loads((TEXTS / "home.json").read_text(encoding="utf-8"))
    if settings["text"] == stored["text"]:
        return stored["rows"]
    return live(settings["text"])


@st.cache_data(max_entries=64, show_spinner=False)
def live(text: str) -> list[dict[str, Any]]:
    """The bundled model's first guesses for the first blank of a text. Raises TextError without one."""
    from explorer.analysis import prediction
    from explorer.views.frame import memory

    model = memory.get(MODEL)
    found = prediction.top(model, prediction.blanks(model, text), 0, ROWS)
    return [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in found]


def draw(settings: Settings, rows: list[dict[str, Any]]) -> None:
    """The guesses as bars, on the scale that the first one sets."""
    cover = blocklist.over(MODEL, settings["text"])
    before, after = blanks.around(settings["text"], 0)
    rows = [row | {"covered": blocklist.covers(cover, before, row["token"], after)} for row in rows]
    bars(rows, key="home/bars", label="Guesses for the blank", scale=max(rows[0]["probability"], 0.1))


def models_in_words() -> None:
    """What the bundled models are, with their sizes as their files give them."""
    lines = {
        "bert": "reads the whole sentence at once and guesses the words that are hidden from it.",
        "gpt": "reads from left to right and guesses the word that comes next.",
    }
    aside = st.container(key="home-models", gap="small")
    for name, does in lines.items():
        known = facts.facts(CHECKPOINTS / name)
        sizes = f"{known.layers} layers of {known.heads} heads, {known.parameters / 1e6:.0f} million"
        aside.html(
            f'<p class="rb-how"><b>{name.upper()}</b> {does}<br>'
            f'<span class="rb-quiet">{sizes} parameters.</span></p>'
        )


def ways_onward() -> None:
    """The other pages, each with its caption."""
    others = [p for p in navigation.pages() if p.name != "home"]
    with st.container(key="ways"):
        for start in range(0, len(others), ACROSS):
            for column, page in zip(st.columns(ACROSS), others[start:]):
                with column:
                    if st.session_state.get("/framed"):
                        st.page_link(page.path, label=f"**{page.title}**")
                    st.html(f'<p class="rb-point">{page.caption}</p>')
