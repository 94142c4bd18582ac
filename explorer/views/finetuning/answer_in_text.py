"""An answer in the text: where it starts and where it ends, under every token of the passage."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from explorer.locale import N_, _
from explorer.room.questions import LONGEST_QUESTION, Question
from explorer.views import kit
from explorer.views.finetuning.head_view import HeadView, Rows, TextBox, head_view, predicted
from explorer.views.finetuning.sets import ANSWERS
from explorer.views.finetuning.settings import PASSAGE, QUESTION
from explorer.views.frame.polls.poll import LONGEST_TEXT
from explorer.views.types import AnswerPrediction, TaskHead

MOST_CANDIDATES = 4
NO_ANSWER = N_("no answer")


def answer(classes: Sequence[str], head: "TaskHead", predictions: "Sequence[AnswerPrediction]") -> None:
    """The passage with its bars, and the best answers."""
    kit.component("finetuning/answer")(key="finetuning/answer", data=data(predictions[0]))


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
                "tip": _(
                    "start {start}, end {end}",
                    start=kit.short(start_probability),
                    end=kit.short(end_probability),
                ),
            }
        )
        last_end = end
    candidates = list(prediction.candidates[:MOST_CANDIDATES])
    if not any(candidate.text == "" for candidate in candidates):  # “no answer” is always listed
        unanswered = [candidate for candidate in prediction.candidates if candidate.text == ""]
        candidates[-1:] = unanswered[:1] or candidates[-1:]
    nothing = _(NO_ANSWER)
    wins = _("{answer}: [CLS] wins", answer=nothing)
    return {
        "label": f"{prediction.question} {prediction.answer or nothing}",
        "large": kit.presenting(),
        "tokens": tokens,
        "answers": [
            {
                "text": candidate.text or (wins if candidate is prediction.candidates[0] else nothing),
                "number": kit.short(candidate.probability),
                "share": candidate.probability,
                "from": number.get(candidate.first, -1),
                "to": number.get(candidate.last, -1),
                "nothing": not candidate.text,
            }
            for candidate in candidates
        ],
    }


def in_words(prediction: "AnswerPrediction") -> str:
    """The answer, as HTML."""
    best = prediction.candidates[0]
    text = _("“{text}”", text=f"<b>{escape(best.text)}</b>") if best.text else f"<b>{_(NO_ANSWER)}</b>"
    return f"{text} ({kit.short(best.probability)})"


def rows(predictions: "Sequence[AnswerPrediction]") -> Rows:
    """The candidates with their probabilities."""
    return ["answer", "first character", "character after the last", "probability"], [
        (candidate.text or NO_ANSWER, candidate.start, candidate.end, candidate.probability)
        for prediction in predictions
        for candidate in prediction.candidates
    ]


THIS = HeadView(
    spec=ANSWERS,
    boxes=(  # the opening passage takes two lines
        TextBox(QUESTION, N_("A question"), N_("Ask something"), N_("question"), width=30),
        TextBox(PASSAGE, N_("A passage"), N_("Paste a passage"), N_("passage"), lines=2, width=70),
    ),
    inputs=lambda question, passage: [(passage, question)],
    predictions=answer,
    rows=rows,
    in_words=in_words,
    text=PASSAGE,
)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """The question itself, where a class can read it and the passage."""
    question, passage = (page.settings[box.setting].strip() for box in THIS.boxes)
    if not question or len(question) > LONGEST_QUESTION or len(passage) > LONGEST_TEXT:
        return []

    nothing = _(NO_ANSWER)

    def found() -> dict[str, float]:
        return {
            candidate.text or nothing: candidate.probability
            for prediction in predicted(THIS, page)
            for candidate in prediction.candidates
        }

    return [kit.Poll(Question("free", question, passage), kit.Later(found))]


_VIEW = head_view(THIS)
VIEW = replace(_VIEW, stage=_VIEW.stage._replace(polls=asks))
