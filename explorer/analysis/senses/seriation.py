"""An order for the rows of a matrix of cosines, in which like stands beside like."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor


def by_likeness(cosines: Float[Tensor, "occurrence occurrence"]) -> list[int]:
    """The leaves of a tree that joins what is most alike, mean linkage, turned so that neighbours are near.

    Agglomerative clustering of 1 - cosine, with the leaf order of Bar-Joseph, Gifford and Jaakkola
    (2001): of all orders that the tree allows, one with the smallest sum of steps. It begins at the end
    where the first occurrence is nearer, so that the same matrix gives the same order.
    """
    n = len(cosines)
    if n < 3:
        return list(range(n))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    apart = (1 - cosines.double()).clamp(min=0)
    apart = (apart + apart.T) / 2
    apart.fill_diagonal_(0)
    pairs = squareform(apart.numpy(), checks=False)
    order = [int(i) for i in leaves_list(linkage(pairs, "average", optimal_ordering=True))]
    return order if order.index(0) <= n // 2 else order[::-1]


def by_sense(senses: Sequence[str | None]) -> list[int]:
    """Sense after sense as they first appear, those without one last; inside a sense as they come."""
    names = [*dict.fromkeys(s for s in senses if s), None]
    return sorted(range(len(senses)), key=lambda i: (names.index(senses[i] or None), i))


def within_and_across(
    cosines: Float[Tensor, "occurrence occurrence"], senses: Sequence[str | None]
) -> tuple[float, float]:
    """The mean cosine of two occurrences of one sense, and of two different ones; nan for none."""
    named = [i for i, sense in enumerate(senses) if sense]
    names = list(dict.fromkeys(senses[i] for i in named))
    number = torch.tensor([names.index(senses[i]) for i in named], dtype=torch.long)
    among = cosines[named][:, named]
    same = number[:, None] == number[None]
    itself = torch.eye(len(named), dtype=torch.bool)
    return float(among[same & ~itself].mean()), float(among[~same].mean())
