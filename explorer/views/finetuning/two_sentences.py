"""Two sentences, a class: whether one follows from the other, or whatever the examples teach."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import TextError
from explorer.views.finetuning import presets
from explorer.views.finetuning.class_bars import class_bars, class_rows
from explorer.views.finetuning.head_view import HeadView, head_view
from explorer.views.finetuning.settings import FIRST, SECOND
from explorer.views.finetuning.task_specs import PAIRS
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input


def text_boxes(settings: Settings) -> None:
    """Two boxes, side by side."""
    left, right = st.columns(2, gap="medium")
    with left:
        text_box(settings, FIRST, "First sentence", "Type a sentence")
    with right:
        text_box(settings, SECOND, "Second sentence", "Type a sentence")


def inputs(settings: Settings) -> "list[Input]":
    """The pair. Raises TextError if a sentence is missing."""
    first, second = settings[FIRST].strip(), settings[SECOND].strip()
    if not first or not second:
        raise TextError(
            f"The {'second' if first else 'first'} sentence is empty.", "Type both sentences above."
        )
    return [(first, second)]


VIEW = head_view(
    HeadView(
        spec=PAIRS,
        first=Hints(
            "Both sentences go in together, with [SEP] between them; one vector decides.",
            "Change one word of the second sentence, and watch the bars.",
        ),
        texts=(FIRST, SECOND),
        presets=presets.PAIRS,
        text_boxes=text_boxes,
        inputs=inputs,
        predictions=class_bars,
        rows=class_rows,
        sentence=(
            "A bar is the probability of a class for the second sentence, given the first; they sum to 1."
        ),
    )
)
