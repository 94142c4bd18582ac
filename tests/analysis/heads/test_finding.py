"""The finder by hand, and on heads that are known by construction."""

import pytest
import torch

from explorer.analysis.heads import find
from explorer.errors import TextError

FIRST = [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [0.2, 0.7, 0.1]]
SECOND = [[0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]]
PATTERN = torch.tensor([[FIRST, SECOND]])


def test_three_by_three():
    found = find(PATTERN, [(0, 1)])
    assert found.attention.tolist()[0] == pytest.approx([0.3, 0.8])
    assert found.margin.tolist()[0] == pytest.approx([0.3 - (0.3 + 0.3) / 2, 0.8 - (0.8 + 0.6) / 2])
    assert found.first.tolist() == [[0, 1]]


def test_several_arcs_are_averaged():
    found = find(PATTERN, [(2, 1), (1, 2)])
    assert found.attention.tolist()[0] == pytest.approx([0.5, 0.7])
    back, ahead = 0.7 - (0.6 + 0.7) / 2, 0.3 - (0.3 + 0.3) / 2
    assert found.margin[0, 0].item() == pytest.approx((back + ahead) / 2)
    assert found.first.tolist() == [[0.5, 1]]


def test_an_only_pair_of_its_distance_has_no_margin():
    assert find(PATTERN, [(0, 2)]).margin.tolist()[0] == pytest.approx([0, 0])


def test_ranking():
    found = find(PATTERN, [(1, 0)])
    best, other = found.ranking()
    assert (best.layer, best.head) == (0, 0) and best.attention == pytest.approx(0.6)
    assert best.margin == pytest.approx(0.6 - 0.65) and best.first == 1
    assert (other.layer, other.head) == (0, 1) and other.first == 0
    assert [c.head for c in found.ranking(by="margin")] == [0, 1]
    assert [c.head for c in find(PATTERN[:, [1, 1]], [(1, 0)]).ranking()] == [0, 1]


@pytest.mark.parametrize("arcs", [[], [(0, 3)], [(-1, 0)], [(0, 1), (3, 0)]])
def test_arcs_that_are_none(arcs):
    with pytest.raises(TextError):
        find(PATTERN, arcs)


TEXT = "the old dog saw a cat and the old dog ran home"  # [CLS] the old dog saw a cat and the old dog ...


def best(model, arcs, by="attention"):
    candidate = find(model.trace(TEXT).attention.pattern, arcs).ranking(by)[0]
    return candidate.layer, candidate.head


def test_the_previous_token_head_is_found(known_gpt):
    assert best(known_gpt, [(4, 3)]) == (0, 0)
    found = find(known_gpt.trace(TEXT).attention.pattern, [(4, 3), (6, 5), (7, 6)])
    assert float(found.attention[0, 0]) > 0.95 and float(found.first[0, 0]) == 1
    assert abs(float(found.margin[0, 0])) < 0.05, "distance alone explains it"


def test_the_induction_head_is_found(known_gpt):
    arcs = [(8, 2), (9, 3)]  # the to old, old to dog: what followed the earlier copies
    assert best(known_gpt, arcs) == best(known_gpt, arcs, "margin") == (1, 1)
    assert best(known_gpt, [(10, 4)], "margin") == (1, 1)


def test_the_duplicate_token_head_is_found(known_gpt):
    assert best(known_gpt, [(8, 1), (9, 2)]) == best(known_gpt, [(10, 3)], "margin") == (1, 0)
