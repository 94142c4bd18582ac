"""How often a head for answers says "no answer", by how far an answer must score above [CLS] to be given.

0 is what ships: an answer is given wherever it is likelier than none. Devlin et al. 2019, section 4.3, choose
the threshold for SQuAD 2.0 that has the best F1 on the dev set, where about half of the questions have no
answer; here such questions are made (see `unanswerable`).
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from explorer.finetuning import Question, TaskHead
from explorer.finetuning.predictions import AnswerPrediction
from explorer.finetuning.scores import answer_scores
from explorer.finetuning.tasks import Answers
from explorer.training.finetuning.unanswerable import left_out, twins

SMALLEST = 1e-30  # probability: below it float32 knows no difference
DIGITS = 4


def no_answers(head: TaskHead, dev: Sequence[Question], test: Sequence[Question]) -> dict[str, Any]:
    """What the test questions get at 0 and at the dev set's threshold, one row each in `at`.

    `said` counts how often "no answer" is said to them, though it is there, and `said_left_out` how often
    where it has been left out, of `left_out` questions.
    """
    gone = twins(test)
    here, there = _asked(head, test), _asked(head, gone)
    rows = []
    for threshold in (0.0, chosen(head, dev)):
        given = [answer if lead > threshold else "" for lead, answer in here]
        found = answer_scores([[one.answer] for one in test], given)
        rows.append(
            {
                "threshold": threshold,
                **{measure: round(value, DIGITS) for measure, value in found.items()},
                "said": given.count(""),
                "said_left_out": sum(lead <= threshold for lead, _ in there),
            }
        )
    return {"asked": len(test), "left_out": len(gone), "at": rows}


def chosen(head: TaskHead, dev: Sequence[Question]) -> float:
    """The best threshold for these questions, each asked with and without its answer.

    Questions whose passage cannot do without their answer are left aside.
    """
    asked = [one for had in dev if (gone := left_out(had)) is not None for one in (had, gone)]
    said = _asked(head, asked)
    given = [_f1(one.answer, answer) for one, (_, answer) in zip(asked, said, strict=True)]
    withheld = [_f1(one.answer, "") for one in asked]
    return best_threshold([lead for lead, _ in said], given, withheld)


def _asked(head: TaskHead, questions: Sequence[Question]) -> list[tuple[float, str]]:
    """Of each question how far its best answer scores above [CLS], and that answer."""
    assert isinstance(head.task, Answers)
    plain = replace(head, task=replace(head.task, threshold=0.0))
    said = [one for one in plain.predict(questions) if isinstance(one, AnswerPrediction)]
    return [(leads(one), best(one)) for one in said]


def best(said: AnswerPrediction) -> str:
    """The best answer, whether or not [CLS] is ahead of it."""
    return next((one.text for one in said.candidates if one.text), "")


def leads(said: AnswerPrediction) -> float:
    """How far the best answer scores above [CLS]."""
    answer = next((one.probability for one in said.candidates if one.text), 0.0)
    return math.log(max(answer, SMALLEST)) - math.log(max(said.no_answer, SMALLEST))


def best_threshold(ahead: Sequence[float], given: Sequence[float], withheld: Sequence[float]) -> float:
    """The threshold with the highest sum of scores: `given` where `ahead` lies above it, else `withheld`.

    It lies half way between two questions, or at 0 where that is as good.

    >>> best_threshold([5.0, 3.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    2.0
    """

    def total(threshold: float) -> float:
        return sum(g if a > threshold else w for a, g, w in zip(ahead, given, withheld, strict=True))

    if not ahead:
        return 0.0
    places = sorted([min(ahead) - 2, *ahead, max(ahead) + 2])  # below and above all of them as well
    between = [(one + other) / 2 for one, other in pairwise(places)]
    found: float = max([0.0, *between], key=lambda threshold: (total(threshold), -abs(threshold)))
    return round(found, 2)


def _f1(right: str, said: str) -> float:
    return answer_scores([[right]], [said])["f1"]
