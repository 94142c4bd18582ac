"""What “Looking back” shows of SmolLM2: with nine siblings, the point holds for seven of ten."""

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from explorer.analysis.attention.while_generating import GenerationAttention, generation_attention
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations.look_back_presets import AUNT, BOAT, COPIES, COPY, REAL
from explorer.views.frame.default_models import WRITER
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

pytestmark = pytest.mark.long  # SmolLM2 takes minutes

BACK, REST = REAL
STEPS = 12  # of the page's forty: enough to tell, and soon written


@cache
def written(text: str) -> GenerationAttention:
    made = generate(model("smollm2"), text, Sampling(temperature=0.0, max_new_tokens=STEPS), candidates=1)
    list(made)
    return generation_attention(made)


def row(text: str, step: int, *head: int) -> list[float]:
    weights: list[float] = written(text).row(step, *head).tolist()
    return weights


def read_what_followed(text: str) -> bool:
    """The last token stood once before; what the head reads most is the token after that one."""
    attention = written(text)
    prompt = attention.tokens[: attention.prompt]
    followed = prompt.index(prompt[-1]) + 1
    weights = row(text, 0, *COPIES)
    assert followed < len(prompt)
    return max(weights) == weights[followed]


def one_back(text: str) -> bool:
    """At nine steps of ten the token before the last one that was read has the most weight."""
    head = BACK.values["look_layer"], BACK.values["look_head"]
    rows = [row(text, step, *head) for step in range(STEPS)]
    return sum(max(one) == one[-2] for one in rows) >= 0.9 * STEPS


def rests(text: str) -> bool:
    """At nine steps of ten no token has more weight than the first."""
    rows = [row(text, step) for step in range(STEPS)]
    return sum(max(one) == one[0] for one in rows) >= 0.9 * STEPS


PLAIN = [BOAT["look_text"], *siblings("heads")["plain"]]
POINTS: dict[str, tuple[Callable[[str], bool], Sequence[str]]] = {
    COPY.label: (read_what_followed, [AUNT, *siblings("looking_back")[COPY.label]]),
    BACK.label: (one_back, PLAIN),
    REST.label: (rests, PLAIN),
}


@pytest.mark.skipif(WRITER != "smollm2", reason="its package is not installed")
@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
