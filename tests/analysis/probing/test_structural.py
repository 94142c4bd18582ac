"""The structural probe: distances, trees against networkx, and a tree that was planted."""

import networkx
import pytest
import torch

from explorer.analysis.probing.fitting import TrainingConfig
from explorer.analysis.probing.structural import (
    fit_structural,
    gold_arcs,
    spanning_tree,
    squared_distances,
    tree_distances,
    uuas,
)
from explorer.errors import ExplorerError


def random_heads(n, chance):
    """A random tree: each word hangs on an earlier one of a random order."""
    order = torch.randperm(n, generator=chance).tolist()
    heads = [-1] * n
    for place in range(1, n):
        heads[order[place]] = order[int(torch.randint(0, place, (1,), generator=chance))]
    return heads


def test_distances_are_those_of_the_definition():
    chance = torch.Generator().manual_seed(0)
    states, projection = torch.randn(6, 9, generator=chance), torch.randn(4, 9, generator=chance)
    found = squared_distances(states, projection)
    for i in range(6):
        for j in range(6):
            assert found[i, j].item() == pytest.approx(
                float(((projection @ (states[i] - states[j])) ** 2).sum()), rel=1e-4, abs=1e-4
            )
    with pytest.raises(ExplorerError, match=r"9 numbers.*have 5"):
        squared_distances(torch.zeros(2, 5), projection)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_tree_distances_and_spanning_trees_are_networkx(n):
    chance = torch.Generator().manual_seed(n)
    heads = random_heads(n, chance)
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((word, head) for word, head in enumerate(heads) if head >= 0)
    wanted = dict(networkx.all_pairs_shortest_path_length(graph))
    found = tree_distances(heads)
    assert all(found[i, j] == wanted[i][j] for i in range(n) for j in range(n))
    assert spanning_tree(found.float()) == sorted(tuple(sorted(edge)) for edge in graph.edges)
    weights = torch.rand(n, n, generator=chance)
    weights = weights + weights.T
    full = networkx.Graph()
    full.add_nodes_from(range(n))
    full.add_weighted_edges_from((i, j, weights[i, j].item()) for i in range(n) for j in range(i))
    theirs = networkx.minimum_spanning_tree(full).edges
    assert spanning_tree(weights) == sorted(tuple(sorted(edge)) for edge in theirs)


def test_words_that_are_left_out_have_no_arcs():
    heads = [1, -1, 1, 1]
    assert gold_arcs(heads, [0, 1, 3]) == [(0, 1), (1, 3)]
    found = spanning_tree(tree_distances(heads).float(), [0, 1, 3])
    assert found == [(0, 1), (1, 3)]
    assert uuas(found, [(0, 1), (1, 3)]) == 1 and uuas([], []) == 1


def test_words_at_no_distance_still_have_a_tree():
    assert len(spanning_tree(torch.zeros(4, 4))) == 3


@pytest.mark.slow
def test_a_probe_finds_a_tree_that_was_planted_and_needs_the_rank():
    """States in which each arc is an axis of its own, turned and hidden among noise."""
    chance = torch.Generator().manual_seed(1)
    n, wide = 8, 20
    turn = torch.linalg.qr(torch.randn(wide, wide, generator=chance))[0]
    states, trees = [], []
    for _ in range(120):
        heads = random_heads(n, chance)
        axes = torch.zeros(n, wide)
        for word in range(n):
            at = word
            while heads[at] >= 0:
                axes[word, at] = 1
                at = heads[at]
        axes[:, n:] = torch.randn(n, wide - n, generator=chance)
        states.append(axes @ turn)
        trees.append(heads)
    made = fit_structural(states[:100], trees[:100], [1, 8], TrainingConfig(epochs=60, batch=10, rate=0.02))

    def score(rank):
        kept = list(range(n))
        pairs = zip(states[100:], trees[100:], strict=True)
        found = [
            uuas(spanning_tree(squared_distances(one, made[rank])), gold_arcs(heads, kept))
            for one, heads in pairs
        ]
        return sum(found) / len(found)

    assert made[8].shape == (8, wide)
    assert score(8) > 0.9 and score(1) < 0.6
