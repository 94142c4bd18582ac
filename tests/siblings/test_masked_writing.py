"""Masked words, Write: with nine siblings of the frame, the point holds for seven of ten."""

from collections.abc import Callable

import pytest

from explorer.analysis.prediction import gibbs, log_likelihood
from explorer.views.masked.presets import BY_VIEW
from explorer.views.masked.three_orders import options
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

FRAMES = siblings("masked_views")["frames"]
ORDERS, NOISE, _ = BY_VIEW["write"]  # the third has the paper's settings and promises no text


def written(frame: str, chosen: dict, order: gibbs.Order) -> gibbs.Writing:
    made = gibbs.write(model("bert"), gibbs.with_blanks(frame, chosen["blanks"]), order, options(chosen))
    list(made)
    return made


def texts(frame: str, *orders: gibbs.Order) -> int:
    """How many different texts come."""
    made = [written(frame, DEFAULTS | ORDERS.values, order) for order in orders]
    return len({tuple(one.ids.tolist()) for one in made})


def blank_by_blank(frame: str) -> bool:
    """The two orders that fill each blank once; Gibbs sampling takes a hundred steps more."""
    return texts(frame, gibbs.Order.LEFT_TO_RIGHT, gibbs.Order.MOST_CONFIDENT) == 2


def three_texts(frame: str) -> bool:
    return texts(frame, *gibbs.Order) == 3


def far_likelier_than_noise(frame: str) -> bool:
    """Half of the surprisal or less is left of the random tokens'."""
    made = written(frame, DEFAULTS | NOISE.values, gibbs.Order.GIBBS)
    before = made.ids.clone()
    before[made.positions] = before.new_tensor(made.start)
    said = [model("bert").tokenizer.decode(ids.tolist()) for ids in (before, made.ids)]
    noise, end = (-log_likelihood(model("bert"), text) for text in said)
    return end < noise / 2


OWN = [(DEFAULTS | ORDERS.values)["frame"], *FRAMES]
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    "Two of the orders": (blank_by_blank, OWN),
    ORDERS.label: (three_texts, OWN),
    NOISE.label: (far_likelier_than_noise, [NOISE.values["frame"], *FRAMES]),
}
LONG = {ORDERS.label, NOISE.label}  # a thousand passes each


@pytest.mark.parametrize(
    "label", [pytest.param(one, marks=[pytest.mark.long] * (one in LONG)) for one in POINTS]
)
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
