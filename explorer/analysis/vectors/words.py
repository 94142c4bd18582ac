"""The cosine between word vectors: similarity of two words, and nearest neighbours.

cos(u, v) = u · v / (|u| |v|), in the original space and never on a projection of it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.vectors.table import Vectors
from explorer.errors import at_least_one


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A word of a ranking; `in_query` marks the words of the query itself.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [near.word for near in nearest(vectors, "cold", top=1)]
    ['cool']
    """

    word: str
    id: int
    cosine: float
    rank: int
    in_query: bool = False


class Neighbours(list[Neighbour]):
    """A ranking of words, the nearest first."""


def similarity(vectors: Vectors, first: str, second: str) -> float:
    """The cosine between two words. Raises TextError for an unknown one.

    >>> vectors = Vectors(["cool", "hot"], torch.tensor([[0.8, 0.6], [0, 1]]))
    >>> round(similarity(vectors, "cool", "hot"), 2)
    0.6
    """
    unit = vectors.unit([first, second])
    return float(unit[0] @ unit[1])


def similarities(vectors: Vectors, words: Sequence[str]) -> Float[Tensor, "occurrence occurrence"]:
    """The cosine between every two of some words. Raises TextError for an unknown one.

    >>> vectors = Vectors(["east", "north"], torch.tensor([[2.0, 0], [0, 1]]))
    >>> similarities(vectors, ["east", "north"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    unit = vectors.unit(words)
    return unit @ unit.T


def nearest(
    vectors: Vectors, query: str | Float[Tensor, "d_model"], top: int = 10, leave_out: Sequence[str] = ()
) -> Neighbours:
    """The words with the highest cosine to a word, except itself, or to any direction.

    Of ties the more frequent comes first. Raises TextError for an unknown word.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [(n.word, round(n.cosine, 2)) for n in nearest(vectors, "hot")]
    [('cool', 0.6), ('cold', 0.0)]
    """
    at_least_one(top=top)
    skipped = {vectors.id(word) for word in leave_out}
    if isinstance(query, str):
        skipped.add(vectors.id(query))
        query = vectors.matrix[vectors.id(query)]
    return Neighbours(ranked(vectors, vectors.cosines(query), top, excluded=skipped))


def nearest_to_each(vectors: Vectors, words: Sequence[str], top: int = 3) -> list[list[Neighbour]]:
    """For each of some words, the words with the highest cosine, except itself.

    A single matrix product, faster than `nearest` for many words. Raises TextError for an unknown one.

    >>> vectors = Vectors(["cat", "dog", "sky"], torch.tensor([[1.0, 0.1], [1.0, 0.2], [0.0, 1.0]]))
    >>> [[near.word for near in row] for row in nearest_to_each(vectors, ["cat", "sky"], top=1)]
    [['dog'], ['dog']]
    """
    at_least_one(top=top)
    if not words:
        return []
    cosines = vectors.unit(words) @ vectors.matrix.T / vectors.lengths
    best = cosines.topk(min(top + 1, len(vectors)), dim=1)
    rows = []
    for word, ids, values in zip(words, best.indices.tolist(), best.values.tolist(), strict=True):
        own = vectors.words[vectors.id(word)]
        others = [(i, cosine) for i, cosine in zip(ids, values, strict=True) if vectors.words[i] != own]
        ranked = enumerate(others[:top], 1)
        rows.append([Neighbour(vectors.words[i], i, cosine, rank) for rank, (i, cosine) in ranked])
    return rows


def ranked(
    vectors: Vectors,
    cosines: Float[Tensor, "d_vocab"],
    top: int,
    excluded: Set[int] = frozenset(),
    query_ids: Set[int] = frozenset(),
) -> list[Neighbour]:
    """The words with the highest cosines, in order; of ties the more frequent comes first."""
    best = _highest(cosines, top + len(excluded))
    ids = [i for i in best.tolist() if i not in excluded][:top]
    return [
        Neighbour(vectors.words[i], i, float(cosines[i]), rank, i in query_ids)
        for rank, i in enumerate(ids, 1)
    ]


def _highest(values: Float[Tensor, "d_vocab"], count: int) -> Int[Tensor, "rank"]:
    """The indices of the highest values, in order; of ties the first."""
    count = min(count, len(values))
    if count == 0:
        return torch.zeros(0, dtype=torch.long)
    lowest = values.topk(count).values[-1]
    candidates = (values >= lowest).nonzero().flatten()
    order = values[candidates].sort(descending=True, stable=True).indices
    return candidates[order][:count]
