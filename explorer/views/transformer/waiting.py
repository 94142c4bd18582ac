"""In parallel: how many steps an LSTM and attention need one after another, and the time that they take."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.presets import Preset
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.transformer import waiting_chart
from explorer.views.transformer.settings import WAIT_STEP, WAIT_WORDS
from explorer.views.widgets.notes import note_html

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.reach.speed import Times


LAYERS = {"elmo": 2, "bert": 6}  # of the bundled models, and of the networks that are timed
WORDS = (2, 24)
PRESETS = [  # the times are measured, so that no preset speaks of them
    Preset(
        "Eight words",
        "The LSTM is finished after 9 steps, attention after 6.",
        {"view": "waiting", "wait_step": 6},
    ),
    Preset(
        "Twice as many words",
        "Now the LSTM needs 17 steps. Attention still needs 6.",
        {"view": "waiting", "wait_words": 16, "wait_step": 6},
    ),
    Preset(
        "Two words",
        "With a very short text the LSTM finishes first, because it has fewer layers.",
        {"view": "waiting", "wait_words": 2, "wait_step": 3},
    ),
]


def controls(page: OpenPage[None]) -> None:
    """How many words, which step; a new measurement."""
    settings = page.settings
    last = max(settings[WAIT_WORDS] + LAYERS["elmo"] - 1, LAYERS["bert"])  # when both have all states
    settings.adjust(WAIT_STEP.to(min(settings[WAIT_STEP], last)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.slider("Words", *WORDS, key=settings.key(WAIT_WORDS, "Words"), width=240)
        st.slider("Step", 1, last, key=settings.key(WAIT_STEP, "Step"), width=320)
        st.button(
            "Measure again",
            key="waiting/again",
            on_click=measured_times.clear,
            help="The times on the right: about two seconds",
        )


def draw(page: OpenPage[None]) -> Saves:
    """The two grids at once; then, beside them, the times."""
    from explorer.analysis.reach import waiting

    words, now = page.settings[WAIT_WORDS], page.settings[WAIT_STEP]
    grids = {
        "An LSTM (ELMo)": waiting.recurrent(words, LAYERS["elmo"]),
        "Attention (BERT)": waiting.attention(words, LAYERS["bert"]),
    }
    left, right = st.columns([0.58, 0.42], gap="medium")
    with left:
        for name, steps in grids.items():
            chart(waiting_chart.grid(steps, name, now, palette()), f"waiting/{name}", least=480)
    with right:
        with st.spinner("Measuring both networks"):
            times = measured_times()
        chart(waiting_chart.times_figure(times, palette()), "waiting/times", least=480)
        note_html(_summary(times))
    return [
        Picture("picture", "one-after-another"),
        Export("The times", "one-after-another.csv", lambda: _times_table(times)),
        Export("The steps", "steps.csv", lambda: _steps_table(grids)),
    ]


READING = Reading(
    "Each square is a vector, with the earliest step in which it can be computed. In an LSTM it waits "
    "for the word before. With attention it waits only for the layer below, so all words go at once. The "
    "chart on the right shows how long both networks take for one text on this computer.",
    "The networks that are timed have random weights, with 10.6 million in the layers of each. Attention "
    "compares every word with every other, which costs more than it saves in very long texts. And GPT, "
    "while it writes, must also wait for each token.",
)


def example(page: OpenPage[None]) -> Example:
    """The same steps and times from Python."""
    return Example(steps_and_times, words=page.settings[WAIT_WORDS])


def steps_and_times(words: int) -> dict[str, object]:
    """The number of sequential steps for a text of this many words, and the seconds that it takes."""
    from explorer.analysis.reach import speed, waiting

    return {
        "LSTM, steps": int(waiting.recurrent(words, layers=2).max()),
        "attention, steps": int(waiting.attention(words, layers=6).max()),
        "seconds": speed.measure([words]),
    }


@st.cache_resource(max_entries=1, show_spinner=False)
def measured_times() -> "Times":
    """The times of both networks, measured once a process and kept for all visitors."""
    from explorer.analysis.reach import speed

    return speed.measure()


def _summary(times: "Times") -> str:
    """What came out, whichever is faster."""
    longest, shortest = times.lengths[-1], times.lengths[0]
    parts = []
    for words, elmo, bert in (
        (shortest, times.elmo[0], times.bert[0]),
        (longest, times.elmo[-1], times.bert[-1]),
    ):
        faster, ratio = ("BERT’s", elmo / bert) if elmo > bert else ("ELMo’s", bert / elmo)
        parts.append(f"With {words} words {faster} network is {ratio:.1f} times as fast.")
    threads = f"{times.threads} threads" if times.threads > 1 else "one thread"
    return (
        f"{' '.join(parts)} Measured on {threads} of this computer. Other programs running at the same time "
        "affect the timings."
    )


def _times_table(times: "Times") -> str:
    return table(["words", "elmo_seconds", "bert_seconds"], zip(times.lengths, times.elmo, times.bert))


def _steps_table(grids: "dict[str, Tensor]") -> str:
    rows = [
        [name, layer, word, step]
        for name, steps in grids.items()
        for layer, row in enumerate(steps.tolist(), 1)
        for word, step in enumerate(row, 1)
    ]
    return table(["network", "layer", "word", "step"], rows)


VIEW = View(
    label="In parallel",
    first=Hints(
        "In the LSTM each word waits for the word before it. Attention computes a whole layer at once.",
        "Move “Step” and count how many squares are finished in each network.",
    ),
    settings=(WAIT_WORDS, WAIT_STEP),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=READING,
    example=example,
)
