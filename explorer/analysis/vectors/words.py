"""Words by the cosine between their vectors: how near two are, and which are nearest to one.

Everything is measured between directions: cos(u, v) = u · v / (|u| |v|), in the original space and
never on a picture of it.
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
    """A word of a ranking. `asked` marks one of the words that the question was made of.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [near.word for near in nearest(vectors, "cold", top=1)]
    ['cool']
    """

    word: str
    id: int
    cosine: float
    rank: int
    asked: bool = False


def similarity(vectors: Vectors, first: str, second: str) -> float:
    """The cosine between two words, 1 for a word and itself. Raises TextError for an unknown one.

    >>> vectors = Vectors(["cool", "hot"], torch.tensor([[0.8, 0.6], [0, 1]]))
    >>> round(similarity(vectors, "cool", "hot"), 2)
    0.6
    """
    one, other = vectors.unit([first, second])
    return float(one @ other)


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
) -> list[Neighbour]:
    """The words with the highest cosine to a word, itself left out, or to any direction.

    Of equals the more frequent comes first. Raises TextError for an unknown word.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [(n.word, round(n.cosine, 2)) for n in nearest(vectors, "hot")]
    [('cool', 0.6), ('cold', 0.0)]
    """
    at_least_one(top=top)
    skipped = {vectors.id(word) for word in leave_out}
    if isinstance(query, str):
        skipped.add(vectors.id(query))
        query = vectors.matrix[vectors.id(query)]
    return ranked(vectors, vectors.cosines(query), top, left_out=skipped)


def nearest_to_each(vectors: Vectors, words: Sequence[str], top: int = 3) -> list[list[Neighbour]]:
    """For each of some words the words with the highest cosine, itself left out.

    One product of matrices: faster than `nearest` for many words. Raises TextError for an unknown one.

    >>> one = Vectors(["cat", "dog", "sky"], torch.tensor([[1.0, 0.1], [1.0, 0.2], [0.0, 1.0]]))
    >>> [[near.word for near in row] for row in nearest_to_each(one, ["cat", "sky"], top=1)]
    [['dog'], ['dog']]
    """
    at_least_one(top=top)
    if not words:
        return []
    cosines = vectors.unit(words) @ vectors.matrix.T / vectors.lengths
    best = cosines.topk(min(top + 1, len(vectors)), dim=1)
    found = []
    for word, ids, values in zip(words, best.indices.tolist(), best.values.tolist(), strict=True):
        own = vectors.words[vectors.id(word)]
        others = [(i, cosine) for i, cosine in zip(ids, values, strict=True) if vectors.words[i] != own]
        ranked = enumerate(others[:top], 1)
        found.append([Neighbour(vectors.words[i], i, cosine, rank) for rank, (i, cosine) in ranked])
    return found


def ranked(
    vectors: Vectors,
    cosines: Float[Tensor, "d_vocab"],
    top: int,
    left_out: Set[int] = frozenset(),
    asked: Set[int] = frozenset(),
) -> list[Neighbour]:
    """The words of the highest cosines, in order; of equals the more frequent comes first."""
    best = _highest(cosines, top + len(left_out))
    kept = [i for i in best.tolist() if i not in left_out][:top]
    return [
        Neighbour(vectors.words[i], i, float(cosines[i]), rank, i in asked) for rank, i in enumerate(kept, 1)
    ]


def _highest(values: Float[Tensor, "d_vocab"], count: int) -> Int[Tensor, "rank"]:
    """Where the highest values stand, in order; of equals the one that stands first."""
    count = min(count, len(values))
    if count == 0:
        return torch.zeros(0, dtype=torch.long)
    lowest = values.topk(count).values[-1]
    candidates = (values >= lowest).nonzero().flatten()
    order = values[candidates].sort(descending=True, stable=True).indices
    return candidates[order][:count]
