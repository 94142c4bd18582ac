"""Names at their thresholds."""

import math

import pytest
import torch

from explorer.analysis.heads import Direction, Offset, kinds
from explorer.analysis.heads.behaviours import BEHAVIOURS
from explorer.analysis.heads.induction import Induction
from explorer.analysis.heads.kinds import BROAD


def scores(**given):
    return {name: torch.tensor([[given.get(name, math.nan), 0.0]]) for name in BEHAVIOURS}


@pytest.mark.parametrize(
    ("name", "key", "limit"),
    [
        ("previous", "previous", 0.5),
        ("next", "next", 0.5),
        ("same", "same", 0.5),
        ("special", "special", 0.6),
        ("broad", "even", 0.7831921),
    ],
)
def test_above_and_not_at(name, key, limit):
    [above] = kinds(scores(**{key: limit + 0.001}))[0, 0]
    assert (above.name, above.score, above.direction) == (name, pytest.approx(limit + 0.001), "")
    assert kinds(scores(**{key: limit - 0.001})) == {(0, 0): [], (0, 1): []}


def test_broad_is_the_share_that_the_paper_asks_of_128_tokens():
    assert pytest.approx(3.8) == BROAD * math.log(128)


def relation(accuracy, baseline, questions=30):
    return {"to_head": Direction(torch.tensor([[accuracy, 0.0]]), questions, Offset(1, baseline))}


def test_a_relation_must_beat_its_offset_by_ten_points():
    found = kinds(scores(special=0.7), {"det": relation(0.9, 0.6), "obj": relation(0.8, 0.3)})[0, 0]
    assert [kind.name for kind in found] == ["obj", "det", "special"]
    assert found[0].direction == "to_head" and found[0].over == pytest.approx(0.5)
    for weak in (relation(0.9, 0.85), relation(0.45, 0.1), relation(0.9, 0.5, questions=19)):
        assert kinds(scores(), {"det": weak})[0, 0] == []
    assert kinds(scores(), {"all": relation(0.9, 0.1)})[0, 0] == []


def test_repetition_comes_first():
    repeated = Induction(torch.tensor([[0.5, 0.4]]), torch.tensor([[0.1, 0.41]]), torch.zeros(1, 2), 1)
    found = kinds(scores(previous=0.9), repeated=repeated)
    assert [kind.name for kind in found[0, 0]] == ["induction", "previous"]
    assert [kind.name for kind in found[0, 1]] == ["duplicate"]
