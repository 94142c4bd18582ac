"""Trees of continuations: branches grow, fork, are walked, cut, named, compared and written down."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.generation.tree import (
    Branch,
    Tree,
    drawing_order,
    from_rows,
    prune,
    rename,
    shared_length,
    step,
    to_rows,
)


def grown(*ids: int) -> Tree:
    tree, here = Tree(), 0
    for at, id in enumerate(ids):
        tree, here = step(tree, here, at, id)
    return tree


@pytest.fixture
def tree() -> Tree:
    """1 2 3 4 5 with a fork at 2 (1 2 9 8), one more on it (1 2 9 7), and an earlier one (1 6)."""
    made = grown(1, 2, 3, 4, 5)
    made, nine = step(made, 0, 2, 9)
    made, nine = step(made, nine, 3, 8)
    made, seven = step(made, nine, 3, 7)
    made, six = step(made, seven, 1, 6)
    assert (nine, seven, six) == (1, 2, 3)
    return made


def test_a_road_grows_and_another_token_forks(tree):
    assert [tree.path(n) for n in range(4)] == [(1, 2, 3, 4, 5), (1, 2, 9, 8), (1, 2, 9, 7), (1, 6)]
    assert [(b.parent, b.at, b.ids) for b in tree.branches[1:]] == [
        (0, 2, (9, 8)),
        (1, 3, (7,)),
        (0, 1, (6,)),
    ]


def test_a_step_taken_before_leads_along_the_road_that_is_there(tree):
    assert step(tree, 0, 2, 9) == (tree, 1)
    assert step(tree, 2, 1, 6) == (tree, 3)
    assert step(tree, 3, 1, 2) == (tree, 0)
    assert step(tree, 1, 3, 8) == (tree, 1)


def test_a_fork_at_the_first_own_token_leaves_the_road_before(tree):
    made, new = step(tree, 2, 3, 4)
    assert made[new] == Branch(4, (4,), 1, 3)
    made, new = step(tree, 3, 0, 5)
    assert made[new] == Branch(4, (5,), 0, 0)


def test_pruning_takes_what_left_from_a_road_along(tree):
    assert [b.number for b in prune(tree, 1).branches] == [0, 3]
    assert [b.number for b in prune(tree, 3).branches] == [0, 1, 2]
    assert prune(tree, 0) == tree
    made, new = step(prune(tree, 3), 0, 4, 7)
    assert new == 3 and made.path(3) == (1, 2, 3, 4, 7)


def test_names_and_what_two_roads_share(tree):
    assert rename(tree, 1, "other")[1].name == "other" and rename(tree, 1, "other")[2].name == ""
    assert [shared_length(tree, 1, other) for other in range(4)] == [2, 4, 3, 1]


def test_no_connecting_line_crosses_another(tree):
    order = list(drawing_order(tree))
    assert [b.number for b in order] == [0, 1, 2, 3], "the earlier fork's line passes left of the later one's"
    rows = {b.number: row for row, b in enumerate(order)}
    for child in order[1:]:
        between = [b for b in order[rows[child.parent] + 1 : rows[child.number]]]
        assert all(b.at >= child.at for b in between)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(0, 3)), max_size=30))
def test_any_walk_makes_a_tree_without_doubles_that_survives_a_link(walk):
    tree = grown(0, 1)
    for number, at, id in walk:
        number %= len(tree)
        at = min(at, len(tree.path(number)))
        before = tree.path(number)[:at]
        tree, here = step(tree, number, at, id)
        assert tree.path(here)[: at + 1] == (*before, id)
    paths = [tree.path(b.number) for b in tree.branches]
    assert len(set(paths)) == len(paths)
    assert from_rows(json.loads(json.dumps(to_rows(tree))), 4) == tree
    assert {b.number for b in drawing_order(tree)} == {b.number for b in tree.branches}


@pytest.mark.parametrize(
    "rows",
    [
        None, [], {}, [[]], [[0, None, 0]], [[1, None, 0, ""]], [[0, None, 0, "", -1]],
        [[0, None, 0, "", 9]], [[0, None, 0, "", 1.5]], [[0, None, 0, 7, 1]], [[0, None, 1, "", 1]],
        [[0, None, 0, "", 1], [1, 5, 0, "", 2]], [[0, None, 0, "", 1], [1, 0, 0, ""]],
        [[0, None, 0, "", 1], [1, 0, 0, "", 1]], [[0, None, 0, "", 1], [1, 0, 1, "", 2]],
        [[0, None, 0, "", True]],
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused(rows):
    with pytest.raises(ValueError, match=r"\w"):
        from_rows(rows, 9)
