"""Arcs without labels: is the distance between two words in the tree a distance between their states?

Hewitt and Manning, "A Structural Probe for Finding Syntax in Word Representations" (NAACL 2019): a
matrix B of few rows, such that |B(h_i - h_j)|^2 comes near the number of arcs from word i to word j. The
minimum spanning tree of these distances is the tree that a layer holds; it has no direction.
"""

from collections.abc import Sequence
from functools import lru_cache

import torch
from jaxtyping import Bool, Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path
from torch import Tensor

from explorer.analysis.probing.fitting import Recipe, fit
from explorer.errors import ExplorerError

Arc = tuple[int, int]  # two words, the smaller index first
RECIPE = Recipe(epochs=8, batch=20, rate=0.002)


def squared_distances(
    states: Float[Tensor, "*batch word d_model"], projection: Float[Tensor, "rank d_read"]
) -> Float[Tensor, "*batch word word"]:
    """|B(h_i - h_j)|^2 for every two words. Raises ExplorerError where the sizes do not fit.

    >>> squared_distances(torch.tensor([[0.0, 0], [3, 4]]), torch.eye(2)).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    if states.shape[-1] != projection.shape[-1]:
        raise ExplorerError(
            f"The probe reads vectors of {projection.shape[-1]} numbers, and these have {states.shape[-1]}.",
            "Use the probe of this model and this layer.",
        )
    seen = states @ projection.T
    return (seen.unsqueeze(-2) - seen.unsqueeze(-3)).square().sum(-1)


def tree_distances(heads: Sequence[int]) -> Int[Tensor, "word word"]:
    """How many arcs lie between every two words of a tree; the root's head is -1.

    >>> tree_distances([1, -1, 1]).tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    arcs = torch.tensor([(word, head) for word, head in enumerate(heads) if head >= 0]).view(-1, 2).T.numpy()
    tree = coo_array(([1] * arcs.shape[1], (arcs[0], arcs[1])), shape=(len(heads), len(heads)))
    return torch.from_numpy(shortest_path(tree.tocsr(), directed=False, unweighted=True)).long()


def spanning_tree(distances: Float[Tensor, "word word"], kept: Sequence[int] | None = None) -> list[Arc]:
    """The tree of least total distance over the words, or over those `kept`; n - 1 arcs, in order.

    >>> spanning_tree(torch.tensor([[0.0, 1, 5], [1, 0, 2], [5, 2, 0]]))
    [(0, 1), (1, 2)]
    """
    words = list(range(len(distances))) if kept is None else list(kept)
    if len(words) < 2:
        return []
    among = distances[words][:, words].double()
    # scipy takes 0 for “no edge”; a shift by a constant changes no spanning tree.
    shifted = (among - among.min() + 1).triu(1).numpy()
    rows, columns = minimum_spanning_tree(shifted).nonzero()
    pairs = ((words[i], words[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    return sorted((min(pair), max(pair)) for pair in pairs)


def gold_arcs(heads: Sequence[int], kept: Sequence[int]) -> list[Arc]:
    """The tree's own arcs between the words kept, without direction.

    >>> gold_arcs([1, -1, 1], [0, 1, 2])
    [(0, 1), (1, 2)]
    """
    inside = set(kept)
    found = [(word, heads[word]) for word in kept if heads[word] in inside]
    return sorted((min(arc), max(arc)) for arc in found)


def uuas(found: Sequence[Arc], gold: Sequence[Arc]) -> float:
    """Undirected unlabelled attachment score: the share of the tree's arcs that were found.

    >>> uuas([(0, 1), (0, 2)], [(0, 1), (1, 2)])
    0.5
    """
    return len(set(found) & set(gold)) / len(gold) if gold else 1.0


def fit_structural(
    states: Sequence[Float[Tensor, "_ d_model"]],
    trees: Sequence[Sequence[int]],
    ranks: Sequence[int],
    recipe: Recipe = RECIPE,
) -> dict[int, Float[Tensor, "_ d_model"]]:
    """A projection of each rank, all from the same batches; `trees` are the heads of each sentence's words.

    The loss is the paper's: the mean difference of the two distances over a sentence's pairs of words.
    """
    every = torch.cat(list(states))
    spread = every.std(0)
    scale = torch.where(spread > 1e-6, 1 / spread.clamp_min(1e-6), torch.zeros_like(spread))
    most = max(len(one) for one in states)
    padded = torch.zeros(len(states), most, every.shape[1])
    wanted = torch.zeros(len(states), most, most)
    mask = torch.zeros(len(states), most, dtype=torch.bool)
    for row, (one, heads) in enumerate(zip(states, trees, strict=True)):
        padded[row, : len(one)] = one * scale
        wanted[row, : len(one), : len(one)] = _kept_distances(tuple(heads))
        mask[row, : len(one)] = True
    chance = torch.Generator().manual_seed(recipe.seed)
    matrices = {
        rank: (torch.rand(rank, every.shape[1], generator=chance) * 0.1 - 0.05).requires_grad_()
        for rank in ranks
    }

    def loss(at: Tensor) -> Tensor:
        longest = int(mask[at].sum(1).max())
        batch, inside, distances = padded[at, :longest], mask[at, :longest], wanted[at, :longest, :longest]
        return torch.stack([_loss(batch, matrix, distances, inside) for matrix in matrices.values()]).sum()

    fit(matrices.values(), loss, len(states), recipe)
    return {rank: (matrix * scale).detach() for rank, matrix in matrices.items()}


@lru_cache(maxsize=10_000)  # the same trees are learnt from at every layer
def _kept_distances(heads: tuple[int, ...]) -> Tensor:
    return tree_distances(heads)


def _loss(
    states: Float[Tensor, "batch word d_model"],
    projection: Float[Tensor, "rank d_model"],
    wanted: Float[Tensor, "batch word word"],
    inside: Bool[Tensor, "batch word"],
) -> Float[Tensor, ""]:
    seen = states @ projection.T
    squares = seen.square().sum(-1)
    # |a|^2 + |b|^2 - 2ab: the differences themselves would take a tensor as many times larger as the rank.
    found = squares.unsqueeze(-1) + squares.unsqueeze(-2) - 2 * seen @ seen.transpose(-1, -2)
    pairs = inside.unsqueeze(-1) & inside.unsqueeze(-2)
    errors = ((found - wanted).abs() * pairs).sum((-1, -2)) / inside.sum(-1).square()
    return errors.mean()
