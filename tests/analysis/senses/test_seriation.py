"""Orders of a matrix worked by hand, and by trying all of them."""

from itertools import pairwise, permutations, product
from math import isnan

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis.senses.seriation import order_by_sense, order_by_similarity, within_and_across


def test_like_stands_beside_like():
    # Three pairs, shuffled: a tree joins each pair first.
    angles = torch.tensor([0.0, 90, 5, 180, 95, 185]) / 57.2958
    unit = torch.stack([angles.cos(), angles.sin()], 1)
    order = order_by_similarity(unit @ unit.T)
    assert sorted(order) == list(range(6))
    pairs = {frozenset(order[i : i + 2]) for i in (0, 2, 4)}
    assert pairs == {frozenset((0, 2)), frozenset((1, 4)), frozenset((3, 5))}
    assert order == order_by_similarity(unit @ unit.T) and order.index(0) < 3


def test_the_order_is_the_best_that_the_tree_allows():
    # Two clusters of two: the tree can only turn its branches, eight orders in all.
    unit = F.normalize(torch.tensor([[1, 0.1, 0], [1, 0.5, 0], [0.1, 1, 0.2], [0, 1, 0.9]]), dim=-1)
    apart = 1 - unit @ unit.T

    def way(order):
        return sum(float(apart[i, j]) for i, j in pairwise(order))

    allowed = [
        [*first, *second]
        for one, other in permutations([(0, 1), (2, 3)])
        for first, second in product([one, one[::-1]], [other, other[::-1]])
    ]
    assert way(order_by_similarity(unit @ unit.T)) == pytest.approx(min(map(way, allowed)))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_rows_have_an_order_too(n):
    assert sorted(order_by_similarity(torch.ones(n, n))) == list(range(n))


def test_senses_stand_as_they_first_appear():
    assert order_by_sense(["river", None, "money", "river", "", "money"]) == [0, 3, 2, 5, 1, 4]
    assert order_by_sense([None, None]) == [0, 1] and order_by_sense([]) == []


def test_means_within_and_across_by_hand():
    cosines = torch.tensor([[1, 0.8, 0.2, 9], [0.8, 1, 0.4, 9], [0.2, 0.4, 1, 9], [9, 9, 9, 1]])
    within, across = within_and_across(cosines, ["a", "a", "b", None])
    assert within == pytest.approx(0.8) and across == pytest.approx(0.3)
    assert all(map(isnan, within_and_across(cosines, [None] * 4)))
    assert isnan(within_and_across(cosines, ["a", "b", "c", "d"])[0])
