"""The presets of “Examples in the prompt”: with nine other questions, the point holds for seven of ten."""

from functools import cache

import pytest

from explorer.analysis.prediction.few_shot import FewShot, Pair, few_shot
from explorer.views.continuations.few_shot import tasks
from explorer.views.continuations.presets import FEW_SHOT
from explorer.views.frame.default_models import WRITER
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

pytestmark = [
    pytest.mark.long,  # SmolLM2 takes minutes
    pytest.mark.skipif(WRITER != "smollm2", reason="the presets are for SmolLM2"),
]
OPPOSITES, PLURAL, FRENCH, SUMS = FEW_SHOT


@cache
def asked(question: str, answer: str, task: str) -> FewShot:
    """The question after 0 to 8 of the task's first other pairs; it is the last pair."""
    others = [Pair(*pair) for pair in tasks()[task]["pairs"] if pair[0] != question][:8]
    return few_shot(model("smollm2"), [*others, Pair(question, answer)], tasks()[task]["between"])


def right_only_with_examples(question: str, answer: str, task: str) -> bool:
    written = asked(question, answer, task).written[-1].tolist()
    return written[8] and not written[0]


def wrong_with_eight(question: str, answer: str, task: str) -> bool:
    return not asked(question, answer, task).written[-1, 8]


@pytest.mark.parametrize(
    ("preset", "holds"),
    [
        (OPPOSITES, right_only_with_examples),
        (PLURAL, right_only_with_examples),
        (FRENCH, wrong_with_eight),
        (SUMS, wrong_with_eight),
    ],
)
def test_the_point_holds_for_seven_of_ten(preset, holds):
    task = preset.values.get("task", "opposites")
    own = tasks()[task]["pairs"][preset.values.get("asked", 2)]
    seven_of_ten(holds, [[*pair, task] for pair in [own, *siblings("few_shot")[task]]])


@pytest.mark.parametrize(
    ("task", "least", "most"),
    [("opposites", 11, 20), ("plural", 18, 20), ("french", 0, 9), ("arithmetic", 0, 9)],
)
def test_what_the_presets_say_of_all_twenty(task, least, most):
    pairs = [Pair(*pair) for pair in tasks()[task]["pairs"]]
    written = few_shot(model("smollm2"), pairs, tasks()[task]["between"]).written.sum(0).tolist()
    assert least <= written[8] <= most and (task == "arithmetic" or written[0] == 0)
