"""One sentence, a class: bars for the classes of each typed line."""

from typing import TYPE_CHECKING

from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.views.finetuning import presets
from explorer.views.finetuning.class_bars import class_bars, class_rows
from explorer.views.finetuning.head_view import HeadView, head_view
from explorer.views.finetuning.settings import SENTENCE
from explorer.views.finetuning.task_specs import SENTENCES
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input

MOST_LINES = 4


def text_boxes(settings: Settings) -> None:
    """A box of a few lines."""
    label = "Your sentence, or a few of them, one per line"
    text_box(settings, SENTENCE, label, "Type a sentence", lines=2)


def inputs(settings: Settings) -> "list[Input]":
    """A line each. Raises TextError for an empty box."""
    lines = filled_lines(settings[SENTENCE])
    if not lines:
        raise TextError("There is no sentence yet.", "Type one above.")
    return list(lines[:MOST_LINES])


VIEW = head_view(
    HeadView(
        spec=SENTENCES,
        first=Hints(
            "A head on top of BERT says how probable each class is for your sentence.",
            "Choose “My own” examples, label ten sentences, and press Train.",
        ),
        texts=(SENTENCE,),
        presets=presets.CLASSES,
        text_boxes=text_boxes,
        inputs=inputs,
        predictions=class_bars,
        rows=class_rows,
        sentence="A bar is the probability of a class; the bars of a sentence sum to 1.",
    )
)
