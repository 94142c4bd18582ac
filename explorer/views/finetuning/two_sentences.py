"""Two sentences, a class: whether one follows from the other, or whatever the examples teach."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.finetuning import presets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.class_bars import class_bars, class_rows
from explorer.views.finetuning.settings import FIRST, PAIRS_OWN, PAIRS_SET, SECOND
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.reading import Input


class TwoSentences(Case):
    """A class for a pair."""

    kind, name = "pairs", "pairs"
    label = "Two sentences"
    first = Hints(
        "Both sentences go in together, with [SEP] between them; one vector decides.",
        "Change one word of the second sentence, and watch the bars.",
    )
    typed, chosen_set, own_lines = (FIRST, SECOND), PAIRS_SET, PAIRS_OWN
    presets = presets.PAIRS
    dots = "pairs"

    def ask(self, settings: Settings) -> None:
        """Two boxes, side by side."""
        left, right = st.columns(2, gap="medium")
        with left:
            text_box(settings, FIRST, "First sentence", "Type a sentence")
        with right:
            text_box(settings, SECOND, "Second sentence", "Type a sentence")

    def inputs(self, settings: Settings) -> "list[Input]":
        """The pair. Raises TextError where one is missing."""
        first, second = settings[FIRST].strip(), settings[SECOND].strip()
        if not first or not second:
            raise TextError(
                f"The {'second' if first else 'first'} sentence is empty.", "Type both sentences above."
            )
        return [(first, second)]

    def say(self, page: Page[Bench], head: "TrainedHead", said: "Sequence[Prediction]") -> None:
        """Bars for the pair."""
        class_bars(page.data.classes, head, said)

    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """Texts, class, probability."""
        return class_rows(said)

    def sentence(self) -> str:
        """How to read the bars."""
        return "A bar is the probability of a class for the second sentence, given the first; they sum to 1."


TWO_SENTENCES = TwoSentences()
VIEW = TWO_SENTENCES.view()
