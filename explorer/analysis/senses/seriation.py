"""Orders for the rows of a cosine matrix that put similar rows side by side."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor


def order_by_similarity(cosines: Float[Tensor, "occurrence occurrence"]) -> list[int]:
    """Hierarchical clustering (average linkage) of 1 - cosine: its leaves in the optimal order.

    The leaf order of Bar-Joseph, Gifford and Jaakkola (2001): of all orders that the tree allows, one with
    the smallest sum of distances between neighbours. It begins at the end that is nearer to the first
    occurrence, so that the same matrix gives the same order.
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


def order_by_sense(senses: Sequence[str | None]) -> list[int]:
    """Sense by sense in order of appearance, those without a sense last; within a sense the order is kept."""
    names = [*dict.fromkeys(s for s in senses if s), None]
    return sorted(range(len(senses)), key=lambda i: (names.index(senses[i] or None), i))


def within_and_across(
    cosines: Float[Tensor, "occurrence occurrence"], senses: Sequence[str | None]
) -> tuple[float, float]:
    """The mean cosine of two occurrences with the same sense, and with different ones; nan if there are
    none."""
    labelled = [i for i, sense in enumerate(senses) if sense]
    names = list(dict.fromkeys(senses[i] for i in labelled))
    number = torch.tensor([names.index(senses[i]) for i in labelled], dtype=torch.long)
    cosines = cosines[labelled][:, labelled]
    same = number[:, None] == number[None]
    diagonal = torch.eye(len(labelled), dtype=torch.bool)
    return float(cosines[same & ~diagonal].mean()), float(cosines[~same].mean())
