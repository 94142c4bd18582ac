"""The structural probe: distances between states that approximate distances in the dependency tree.

Hewitt and Manning, "A Structural Probe for Finding Syntax in Word Representations" (NAACL 2019): a matrix B
of few rows such that |B(h_i - h_j)|^2 approximates the number of arcs between words i and j. The minimum
spanning tree of these distances is the predicted tree, without labels or directions.
"""

from collections.abc import Sequence
from functools import lru_cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.probing.classifier import Standardiser
from explorer.analysis.probing.fitting import TrainingConfig, fit
from explorer.errors import ExplorerError

Arc = tuple[int, int]  # two words, the smaller index first
CONFIG = TrainingConfig(epochs=8, batch=20, rate=0.002)


def squared_distances(
    states: Float[Tensor, "*batch word d_model"], projection: Float[Tensor, "rank d_read"]
) -> Float[Tensor, "*batch word word"]:
    """|B(h_i - h_j)|^2 for every two words. Raises ExplorerError if the sizes do not fit.

    >>> squared_distances(torch.tensor([[0.0, 0], [3, 4]]), torch.eye(2)).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    if states.shape[-1] != projection.shape[-1]:
        raise ExplorerError(
            f"The probe reads vectors of {projection.shape[-1]} numbers, and these have {states.shape[-1]}.",
            "Use the probe of this model and this layer.",
        )
    projected = states @ projection.T
    return (projected.unsqueeze(-2) - projected.unsqueeze(-3)).square().sum(-1)


def tree_distances(heads: Sequence[int]) -> Int[Tensor, "word word"]:
    """The number of arcs between every two words of a tree; the root's head is -1.

    >>> tree_distances([1, -1, 1]).tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    arcs = torch.tensor([(word, head) for word, head in enumerate(heads) if head >= 0]).view(-1, 2).T.numpy()
    tree = coo_array(([1] * arcs.shape[1], (arcs[0], arcs[1])), shape=(len(heads), len(heads)))
    return torch.from_numpy(shortest_path(tree.tocsr(), directed=False, unweighted=True)).long()


_cached_distances = lru_cache(maxsize=10_000)(tree_distances)  # every layer is trained on the same trees


def spanning_tree(distances: Float[Tensor, "word word"], subset: Sequence[int] | None = None) -> list[Arc]:
    """The minimum spanning tree over the words, or a `subset` of them: n - 1 arcs, in order.

    >>> spanning_tree(torch.tensor([[0.0, 1, 5], [1, 0, 2], [5, 2, 0]]))
    [(0, 1), (1, 2)]
    """
    from scipy.sparse.csgraph import minimum_spanning_tree

    words = list(range(len(distances))) if subset is None else list(subset)
    if len(words) < 2:
        return []
    distances = distances[words][:, words].double()
    # In scipy 0 means no edge; adding a constant does not change the spanning tree.
    shifted = (distances - distances.min() + 1).triu(1).numpy()
    rows, columns = minimum_spanning_tree(shifted).nonzero()
    pairs = ((words[i], words[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    return sorted((min(pair), max(pair)) for pair in pairs)


def gold_arcs(heads: Sequence[int], subset: Sequence[int]) -> list[Arc]:
    """The tree's arcs between the words of a subset, without direction.

    >>> gold_arcs([1, -1, 1], [0, 1, 2])
    [(0, 1), (1, 2)]
    """
    words = set(subset)
    arcs = [(word, heads[word]) for word in subset if heads[word] in words]
    return sorted((min(arc), max(arc)) for arc in arcs)


def uuas(predicted: Sequence[Arc], gold: Sequence[Arc]) -> float:
    """Undirected unlabelled attachment score: the share of the gold arcs that are predicted.

    >>> uuas([(0, 1), (0, 2)], [(0, 1), (1, 2)])
    0.5
    """
    return len(set(predicted) & set(gold)) / len(gold) if gold else 1.0


def fit_structural(
    states: Sequence[Float[Tensor, "_ d_model"]],
    trees: Sequence[Sequence[int]],
    ranks: Sequence[int],
    config: TrainingConfig = CONFIG,
) -> dict[int, Float[Tensor, "_ d_model"]]:
    """A projection of each rank, all trained on the same batches; `trees` are the heads of each sentence's
    words.

    The loss is the paper's: the mean absolute difference of the two distances over the pairs of words.
    """
    every = torch.cat(list(states))
    scale = Standardiser(every).scale
    most = max(map(len, states))
    padded = torch.zeros(len(states), most, every.shape[1])
    targets = torch.zeros(len(states), most, most)
    mask = torch.zeros(len(states), most, dtype=torch.bool)
    for row, (sentence, heads) in enumerate(zip(states, trees, strict=True)):
        size = len(sentence)
        padded[row, :size] = sentence * scale
        targets[row, :size, :size] = _cached_distances(tuple(heads))
        mask[row, :size] = True
    generator = torch.Generator().manual_seed(config.seed)
    matrices = {
        rank: (torch.rand(rank, every.shape[1], generator=generator) * 0.1 - 0.05).requires_grad_()
        for rank in ranks
    }

    def loss(rows: Tensor) -> Tensor:
        longest = int(mask[rows].sum(1).max())
        batch, words = padded[rows, :longest], mask[rows, :longest]
        distances = targets[rows, :longest, :longest]
        return torch.stack([_loss(batch, matrix, distances, words) for matrix in matrices.values()]).sum()

    fit(matrices.values(), loss, len(states), config)
    return {rank: (matrix * scale).detach() for rank, matrix in matrices.items()}


def _loss(
    states: Float[Tensor, "batch word d_model"],
    projection: Float[Tensor, "rank d_model"],
    targets: Float[Tensor, "batch word word"],
    mask: Bool[Tensor, "batch word"],
) -> Float[Tensor, ""]:
    projected = states @ projection.T
    squares = projected.square().sum(-1)
    # |a|^2 + |b|^2 - 2ab: a tensor of the differences would be larger by a factor of the rank.
    distances = squares.unsqueeze(-1) + squares.unsqueeze(-2) - 2 * projected @ projected.transpose(-1, -2)
    pairs = mask.unsqueeze(-1) & mask.unsqueeze(-2)
    errors = ((distances - targets).abs() * pairs).sum((-1, -2)) / mask.sum(-1).square()
    return errors.mean()
