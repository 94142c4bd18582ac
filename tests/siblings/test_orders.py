"""Positions and masks: with nine siblings of a preset's sentence, its point holds for seven of ten."""

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from explorer.analysis.positions import shuffling
from explorer.analysis.visibility import masks
from explorer.views.transformer.order_presets import BITES, MASKS, OPPOSITE, RIGHT, SHUFFLE, WHOM
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("transformer")

ORDERS = siblings("orders")
PREFIX = (DEFAULTS["masks_text"], DEFAULTS["masks_pair"])


def moved(name: str, one: str, other: str, positions: bool):
    order = shuffling.order_of(shuffling.split(one), shuffling.split(other))
    return shuffling.moved(model(name), model(name).encode(one), order, positions)


def blind_without(one: str, other: str) -> bool:
    """Without positions BERT makes the same of both orders; with them every word moves."""
    without, with_ = (moved("bert", one, other, positions) for positions in (False, True))
    return without.most < 1e-5 and float(with_.cosines[-1].min()) > 1e-4


def not_blind(one: str, other: str) -> bool:
    """GPT's words move without positions too, from the first that is another on."""
    found = moved("gpt", one, other, False).cosines[-1]
    first = next(
        i
        for i, (a, b) in enumerate(zip(shuffling.split(one), shuffling.split(other)))
        if a.lower() != b.lower()
    )
    return float(found[first:].min()) > 0.01


@cache
def under(text: str, pair: str | None = None):
    return masks.compare(model("bert"), text, pair)


def falls(text: str) -> bool:
    """What BERT expects first becomes less probable where it may not read what follows."""
    both, left, _ = under(text)
    first = int(both.probabilities.argmax())
    return float(left.probabilities[first]) < float(both.probabilities[first])


def nearer(text: str, pair: str) -> bool:
    _, left, prefix = under(text, pair)
    return prefix.moved < left.moved


POINTS: dict[str, tuple[Callable[..., bool], Sequence]] = {
    SHUFFLE[0].label: (blind_without, [OPPOSITE, *ORDERS["opposite"]]),
    SHUFFLE[1].label: (not_blind, [WHOM, *ORDERS["whom"]]),
    MASKS[0].label: (falls, [RIGHT, *ORDERS["right"]]),
    MASKS[1].label: (nearer, [PREFIX, *ORDERS["prefix"]]),
    "the opening": (blind_without, [BITES, *ORDERS["whom"]]),
}


def test_the_patterns_are_the_presets_own():
    assert tuple(SHUFFLE[0].values[name] for name in ("shuffle_text", "shuffle_other")) == OPPOSITE
    assert tuple(SHUFFLE[1].values[name] for name in ("shuffle_text", "shuffle_other")) == WHOM
    assert MASKS[0].values["masks_text"] == RIGHT


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
