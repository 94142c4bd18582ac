"""In parallel: how many steps an LSTM and attention need one after another, and the time that this takes."""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.views import kit
from explorer.views.transformer import waiting_chart
from explorer.views.transformer.settings import WAIT_STEP, WAIT_WORDS
from explorer.views.types import Tensor

LAYERS = {"elmo": 2, "bert": 6}  # of the bundled models
WORDS = (2, 24)


def controls(page: kit.OpenPage[None]) -> None:
    """How many words, and which step."""
    settings = page.settings
    last = max(settings[WAIT_WORDS] + LAYERS["elmo"] - 1, LAYERS["bert"])  # when both have all states
    settings.show_instead(WAIT_STEP.to(min(settings[WAIT_STEP], last)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.slider("Words", *WORDS, key=settings.key(WAIT_WORDS, "Words"), width=240)
        kit.slider(settings, WAIT_STEP, "Step", 1, last, width=320)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The two grids, and beside them the times that were measured once."""
    from explorer.analysis.reach import waiting

    words, now = page.settings[WAIT_WORDS], page.settings[WAIT_STEP]
    grids = {
        "An LSTM (ELMo)": waiting.recurrent(words, LAYERS["elmo"]),
        "Attention (BERT)": waiting.attention(words, LAYERS["bert"]),
    }
    stored = assets.data(assets.WAITING)
    left, right = st.columns([64, 36], gap="medium")
    with left:
        for name, steps in grids.items():
            kit.chart(waiting_chart.grid(steps, name, now, kit.palette()), f"waiting/{name}", least=480)
    with right:
        kit.chart(waiting_chart.times(stored, kit.palette()), "waiting/times")
        kit.note(f"Measured once, on {stored['machine']}. Both networks have ten million weights.")
    return [
        kit.Picture("picture", "one-after-another"),
        kit.Export("The times", "milliseconds.csv", lambda: _times_table(stored)),
        kit.Export("The steps", "steps.csv", lambda: _steps_table(grids)),
    ]


def sequential_steps(words: int) -> dict[str, int]:
    """The number of sequential steps for a text of this many words."""
    from explorer.analysis.reach import waiting

    return {
        "LSTM, steps": int(waiting.recurrent(words, layers=2).max()),
        "attention, steps": int(waiting.attention(words, layers=6).max()),
    }


def _times_table(stored: dict[str, Any]) -> str:
    milliseconds = stored["milliseconds"]
    return kit.table(["words", *milliseconds], zip(stored["words"], *milliseconds.values()))


def _steps_table(grids: "dict[str, Tensor]") -> str:
    rows = [
        [name, layer, word, step]
        for name, steps in grids.items()
        for layer, row in enumerate(steps.tolist(), 1)
        for word, step in enumerate(row, 1)
    ]
    return kit.table(["network", "layer", "word", "step"], rows)


VIEW = kit.View(
    text=kit.view_text("transformer", "waiting"),
    settings=(WAIT_WORDS, WAIT_STEP),
    controls=controls,
    draw=draw,
    example=lambda page: kit.Example(sequential_steps, words=page.settings[WAIT_WORDS]),
)
