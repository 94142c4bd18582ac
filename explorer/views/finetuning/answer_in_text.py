"""An answer in the text: where it starts and where it ends, under every token of the passage."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.finetuning import presets
from explorer.views.finetuning.head_view import HeadView, Rows, head_view
from explorer.views.finetuning.settings import PASSAGE, QUESTION
from explorer.views.finetuning.task_specs import ANSWERS
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bars import short
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.predictions import AnswerPrediction, Prediction
    from explorer.finetuning.task_head import TaskHead

MOST_CANDIDATES = 4
NO_ANSWER = "no answer"


def text_boxes(settings: Settings) -> None:
    """The question and the passage, side by side."""
    left, right = st.columns([30, 70], gap="medium")  # the opening passage in two lines
    with left:
        text_box(settings, QUESTION, "A question", "Ask something")
    with right:
        text_box(settings, PASSAGE, "A passage", "Paste a passage", lines=2)


def inputs(settings: Settings) -> "list[Input]":
    """Passage and question. Raises TextError if one is empty."""
    passage, question = settings[PASSAGE].strip(), settings[QUESTION].strip()
    if not passage or not question:
        raise TextError(f"The {'question' if passage else 'passage'} is empty.", "Type it above.")
    return [(passage, question)]


def answer(classes: Sequence[str], head: "TaskHead", predictions: "Sequence[Prediction]") -> None:
    """The passage with its bars, and the best answers."""
    (prediction,) = _answer_predictions(predictions)
    component("finetuning/answer")(key="finetuning/answer", data=data(prediction))


def data(prediction: "AnswerPrediction") -> dict[str, Any]:
    """The component's data; bars are shares of the largest one."""
    positions = [i for i, (start, end) in enumerate(prediction.spans) if end > start]
    number = {position: i for i, position in enumerate(positions)}
    most = max(*prediction.starts.tolist(), *prediction.ends.tolist(), 1e-9)
    tokens: list[dict[str, Any]] = []
    last_end = 0
    for i in positions:
        start, end = prediction.spans[i]
        start_probability, end_probability = float(prediction.starts[i]), float(prediction.ends[i])
        tokens.append(
            {
                "text": prediction.passage[start:end],
                "space": bool(tokens) and start > last_end,
                "start": start_probability / most,
                "end": end_probability / most,
                "tip": f"start {short(start_probability)}, end {short(end_probability)}",
            }
        )
        last_end = end
    candidates = list(prediction.candidates[:MOST_CANDIDATES])
    if not any(candidate.text == "" for candidate in candidates):  # “no answer” is always listed
        unanswered = [candidate for candidate in prediction.candidates if candidate.text == ""]
        candidates[-1:] = unanswered[:1] or candidates[-1:]
    wins = f"{NO_ANSWER}: [CLS] wins"
    return {
        "label": f"{prediction.question} {prediction.answer or NO_ANSWER}",
        "tokens": tokens,
        "answers": [
            {
                "text": candidate.text or (wins if candidate is prediction.candidates[0] else NO_ANSWER),
                "number": short(candidate.probability),
                "share": candidate.probability,
                "from": number.get(candidate.first, -1),
                "to": number.get(candidate.last, -1),
                "nothing": not candidate.text,
            }
            for candidate in candidates
        ],
    }


def rows(predictions: "Sequence[Prediction]") -> Rows:
    """The candidates with their probabilities."""
    return ["answer", "first character", "character after the last", "probability"], [
        (candidate.text or NO_ANSWER, candidate.start, candidate.end, candidate.probability)
        for prediction in _answer_predictions(predictions)
        for candidate in prediction.candidates
    ]


def _answer_predictions(predictions: "Sequence[Prediction]") -> "list[AnswerPrediction]":
    from explorer.finetuning.predictions import AnswerPrediction

    return [prediction for prediction in predictions if isinstance(prediction, AnswerPrediction)]


VIEW = head_view(
    HeadView(
        spec=ANSWERS,
        first=Hints(
            "Under every word: the probability that the answer starts there, and that it ends there.",
            "Ask something that the passage does not say.",
        ),
        texts=(QUESTION, PASSAGE),
        presets=presets.ANSWERS,
        text_boxes=text_boxes,
        inputs=inputs,
        predictions=answer,
        rows=rows,
        sentence=(
            "The start and the end that are most probable together are framed: the end is never before the "
            "start, nor more than 30 tokens on. Point at another answer to see where it stands."
        ),
    )
)
