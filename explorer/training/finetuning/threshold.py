"""How far an answer must score above [CLS] to be given: chosen on the dev set, as for SQuAD 2.0.

Devlin et al. 2019, section 4.3: the threshold whose F1 is best. Half of the questions that it is chosen by
have no answer (see `unanswerable`), about as many as in SQuAD 2.0's dev set.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from explorer.finetuning import Question, TrainedHead
from explorer.finetuning.predictions import AnswerPrediction
from explorer.finetuning.scores import answer_scores
from explorer.finetuning.tasks import Answers
from explorer.training.finetuning.unanswerable import left_out

SMALLEST = 1e-30  # probability: below it float32 knows no difference


def with_threshold(head: TrainedHead, dev: Sequence[Question]) -> TrainedHead:
    """The head with the best threshold for these questions, each asked with and without its answer.

    Questions whose passage cannot do without their answer are left aside.
    """
    assert isinstance(head.task, Answers)
    plain = replace(head, task=replace(head.task, threshold=0.0))
    asked = [one for had in dev if (gone := left_out(had)) is not None for one in (had, gone)]
    said = [one for one in plain.predict(asked) if isinstance(one, AnswerPrediction)]
    ahead = [leads(one) for one in said]
    given = [_f1(one.answer, best(p)) for one, p in zip(asked, said, strict=True)]
    withheld = [_f1(one.answer, "") for one in asked]
    return replace(head, task=replace(head.task, threshold=best_threshold(ahead, given, withheld)))


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
    return round(max([0.0, *between], key=lambda threshold: (total(threshold), -abs(threshold))), 2)


def _f1(right: str, said: str) -> float:
    return answer_scores([[right]], [said])["f1"]
