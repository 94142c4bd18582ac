"""One sentence, a class: bars for the classes of each typed line."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.views.finetuning import presets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.class_bars import class_bars, class_rows
from explorer.views.frame.first import First
from explorer.views.frame.settings import Settings
from explorer.views.frame.values import Text
from explorer.views.frame.view import Page
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.task_head import TaskHead

MOST_LINES = 4


class OneSentence(Case):
    """A class for each line."""

    kind, name = "classes", "sentence"
    LABEL = "One sentence"
    FIRST = First(
        "A head on top of BERT says how probable each class is for your sentence.",
        "Choose “My own” examples, label ten sentences, and press Train.",
    )
    SETTINGS: ClassVar[Mapping[str, Any]] = {
        "sentence": Text(presets.SENTENCE, 2_000),
        "sentence_set": "films",
        "sentence_own": Text(presets.TEN, 100_000),
    }
    PRESETS = presets.CLASSES
    dots = "sentences"

    def ask(self, settings: Settings) -> None:
        """A box of a few lines."""
        text_box(
            settings, "sentence", "Your sentence, or a few of them, one per line", "Type a sentence", lines=2
        )

    def inputs(self, settings: Settings) -> "list[Input]":
        """A line each. Raises TextError for an empty box."""
        lines = filled_lines(settings["sentence"])
        if not lines:
            raise TextError("There is no sentence yet.", "Type one above.")
        return list(lines[:MOST_LINES])

    def say(self, page: Page[Bench], head: "TaskHead", said: "Sequence[Prediction]") -> None:
        """Bars for each line."""
        class_bars(page.data.classes, head, said)

    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """Text, class, probability."""
        return class_rows(said)

    def sentence(self) -> str:
        """How to read the bars."""
        return "A bar is the probability of a class; the bars of a sentence sum to 1."


VIEW = OneSentence()
