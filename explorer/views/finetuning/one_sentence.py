"""One sentence, a class: bars for the classes of each typed line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.errors import TextError
from explorer.files.lines import filled_lines
from explorer.views.finetuning import presets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.class_bars import class_bars, class_rows
from explorer.views.finetuning.settings import SENTENCE, SENTENCE_OWN, SENTENCE_SET
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.reading import Input

MOST_LINES = 4


class OneSentence(Case):
    """A class for each line."""

    kind, name = "classes", "sentence"
    label = "One sentence"
    first = Hints(
        "A head on top of BERT says how probable each class is for your sentence.",
        "Choose “My own” examples, label ten sentences, and press Train.",
    )
    typed, chosen_set, own_lines = (SENTENCE,), SENTENCE_SET, SENTENCE_OWN
    presets = presets.CLASSES
    dots = "sentences"

    def ask(self, settings: Settings) -> None:
        """A box of a few lines."""
        text_box(
            settings, SENTENCE, "Your sentence, or a few of them, one per line", "Type a sentence", lines=2
        )

    def inputs(self, settings: Settings) -> "list[Input]":
        """A line each. Raises TextError for an empty box."""
        lines = filled_lines(settings[SENTENCE])
        if not lines:
            raise TextError("There is no sentence yet.", "Type one above.")
        return list(lines[:MOST_LINES])

    def say(self, page: Page[Bench], head: "TrainedHead", said: "Sequence[Prediction]") -> None:
        """Bars for each line."""
        class_bars(page.data.classes, head, said)

    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """Text, class, probability."""
        return class_rows(said)

    def sentence(self) -> str:
        """How to read the bars."""
        return "A bar is the probability of a class; the bars of a sentence sum to 1."


ONE_SENTENCE = OneSentence()
VIEW = ONE_SENTENCE.view()
