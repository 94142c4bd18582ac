"""Which values of a browser fit a shape."""

import pytest

from explorer.views.settings.setting import Setting
from explorer.views.widgets.registry import fits

LAYER, WORD, FLOW = Setting("layer", 1, least=0, most=9), Setting("word", "", most=5), Setting("flow", True)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (3, int), ("a", str), (True, bool), (0, range(1)), (None, [int, None]), (4, [int, None]),
        ([1, "a"], (int, str)), ({"at": 1, "more": 2}, {"at": range(2)}),
        ({"at": {"x": [0]}}, {"at": {"x": (range(1),)}}), ("back", ["back", "forward"]), (9, LAYER.takes),
        ("river", WORD.takes), (False, FLOW.takes), (None, Setting("token", None).takes),
    ],
)  # fmt: skip
def test_what_fits(value, shape):
    assert fits(value, shape)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (True, int), (3.0, int), ("3", range(9)), (-1, range(9)), (True, range(9)), (9, range(9)),
        (None, int), ([1], (int, int)), ([1, 2, 3], (int, int)), ({"0": 1, "1": 2}, (int, int)),
        ([], {"at": int}), ({}, {"at": int}), ({"at": None}, {"at": int}), ("up", ["back", "forward"]),
        (1, ["1"]), (True, [1]), (10, LAYER.takes), (True, LAYER.takes), ("rivers", WORD.takes),
        (1, FLOW.takes), ([[[[[[1]]]]]], Setting("token", None).takes),
    ],
)  # fmt: skip
def test_what_does_not(value, shape):
    assert not fits(value, shape)
