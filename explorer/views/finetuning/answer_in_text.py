"""An answer in the text: where it starts and where it ends, under every token of the passage."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.finetuning import presets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.settings import ANSWERS_OWN, ANSWERS_SET, PASSAGE, QUESTION
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page
from explorer.views.widgets.bars import short
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.finetuning.predictions import AnswerPrediction, Prediction
    from explorer.finetuning.reading import Input

LISTED = 4  # answers
NOTHING = "no answer"


class AnswerInText(Case):
    """A first and a last token of the passage."""

    kind, name = "answers", "answers"
    label = "An answer in the text"
    first = Hints(
        "Under every word: the probability that the answer starts there, and that it ends there.",
        "Ask something that the passage does not say.",
    )
    typed, chosen_set, own_lines = (QUESTION, PASSAGE), ANSWERS_SET, ANSWERS_OWN
    presets = presets.ANSWERS
    dots = "questions"
    map_px, wide = 84, True

    def ask(self, settings: Settings) -> None:
        """The question and the passage, side by side."""
        left, right = st.columns([30, 70], gap="medium")  # the opening passage in two lines
        with left:
            text_box(settings, QUESTION, "A question", "Ask something")
        with right:
            text_box(settings, PASSAGE, "A passage", "Paste a passage", lines=2)

    def inputs(self, settings: Settings) -> "list[Input]":
        """Passage and question. Raises TextError where one is empty."""
        passage, question = settings[PASSAGE].strip(), settings[QUESTION].strip()
        if not passage or not question:
            raise TextError(f"The {'question' if passage else 'passage'} is empty.", "Type it above.")
        return [(passage, question)]

    def say(self, page: Page[Bench], head: "TrainedHead", said: "Sequence[Prediction]") -> None:
        """The passage with its bars, and the best answers."""
        from explorer.finetuning.predictions import AnswerPrediction

        (one,) = said
        assert isinstance(one, AnswerPrediction)
        component("finetuning/answer")(key="finetuning/answer", data=answered(one))

    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """The listed answers with their probabilities."""
        from explorer.finetuning.predictions import AnswerPrediction

        answers = [one for one in said if isinstance(one, AnswerPrediction)]
        return ["answer", "first character", "character after the last", "probability"], [
            (c.text or NOTHING, c.start, c.end, c.probability) for one in answers for c in one.candidates
        ]

    def sentence(self) -> str:
        """How to read bars and list."""
        return (
            "The start and the end that are most probable together are framed: the end is never before the "
            "start, nor more than 30 tokens on. Point at another answer to see where it stands."
        )


def answered(said: "AnswerPrediction") -> dict[str, Any]:
    """What the component draws; bars are shares of the largest one."""
    inside = [i for i, (start, end) in enumerate(said.spans) if end > start]
    number = {position: i for i, position in enumerate(inside)}
    most = max(*said.starts.tolist(), *said.ends.tolist(), 1e-9)
    tokens: list[dict[str, Any]] = []
    before = 0
    for i in inside:
        start, end = said.spans[i]
        tokens.append(
            {
                "text": said.passage[start:end],
                "space": bool(tokens) and start > before,
                "start": float(said.starts[i]) / most,
                "end": float(said.ends[i]) / most,
                "tip": f"start {short(float(said.starts[i]))}, end {short(float(said.ends[i]))}",
            }
        )
        before = end
    listed = list(said.candidates[:LISTED])
    if not any(c.text == "" for c in listed):
        listed[-1:] = [c for c in said.candidates if c.text == ""][:1] or listed[-1:]
    return {
        "label": f"{said.question} {said.answer or NOTHING}",
        "tokens": tokens,
        "answers": [
            {
                "text": c.text or f"{NOTHING}: [CLS] wins" if c is said.candidates[0] else c.text or NOTHING,
                "number": short(c.probability),
                "share": c.probability,
                "from": number.get(c.first, -1),
                "to": number.get(c.last, -1),
                "nothing": not c.text,
            }
            for c in listed
        ],
    }


ANSWER_IN_TEXT = AnswerInText()
VIEW = ANSWER_IN_TEXT.view()
