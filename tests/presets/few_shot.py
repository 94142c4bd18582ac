"""What the presets of “Examples in the prompt” promise."""

from functools import cache

from explorer.analysis.prediction.few_shot import FewShot, Pair, few_shot
from explorer.views.continuations.few_shot import tasks
from tests.shared_models import model


@cache
def asked(question: str, answer: str, task: str, name: str) -> FewShot:
    """The question after 0 to 8 of the task's first other pairs; it is the last pair."""
    others = [Pair(*pair) for pair in tasks()[task]["pairs"] if pair[0] != question][:8]
    return few_shot(model(name), [*others, Pair(question, answer)], tasks()[task]["between"])


def right_only_with_examples(question: str, answer: str, task: str, name: str) -> bool:
    written = asked(question, answer, task, name).written[-1].tolist()
    return written[8] and not written[0]


def wrong_with_eight(question: str, answer: str, task: str, name: str) -> bool:
    return not asked(question, answer, task, name).written[-1, 8]


def right_of_twenty(task: str, least: int, most: int, name: str) -> bool:
    """How many of the task's twenty questions are right after eight examples; without any, none is."""
    pairs = [Pair(*pair) for pair in tasks()[task]["pairs"]]
    written = few_shot(model(name), pairs, tasks()[task]["between"]).written.sum(0).tolist()
    return least <= written[8] <= most and (task == "arithmetic" or written[0] == 0)
