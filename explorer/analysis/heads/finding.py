"""Find the head: which heads attend along arcs that somebody draws from token to token."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import TextError


@dataclass(frozen=True)
class Candidate:
    """One head and how well it fits the arcs."""

    layer: int
    head: int
    attention: float
    margin: float
    first: float


@dataclass(frozen=True, eq=False)
class Found:
    """How well every head fits some arcs.

    `attention` is the mean attention along the arcs. `margin` is the mean difference between the attention
    along an arc and the head's mean over all pairs with the same offset: about 0 for a head that attends
    by distance alone. `first` is the share of arcs whose end gets most of the head's attention.
    """

    attention: Float[Tensor, "layer head"]
    margin: Float[Tensor, "layer head"]
    first: Float[Tensor, "layer head"]

    def ranking(self, by: str = "attention") -> list[Candidate]:
        """All heads, the best first, by `attention` or by `margin`; of equal ones the lower layer first."""
        order = getattr(self, by).flatten().argsort(descending=True, stable=True).tolist()
        places = [divmod(i, self.attention.shape[1]) for i in order]
        return [
            Candidate(
                layer,
                head,
                *(float(values[layer, head]) for values in (self.attention, self.margin, self.first)),
            )
            for layer, head in places
        ]


def find(pattern: Float[Tensor, "layer head query_pos key_pos"], arcs: Sequence[tuple[int, int]]) -> Found:
    """How well each head fits the arcs, each from a row (query) to a column (key).

        attention = mean over arcs (q, k) of a(q, k)
        margin    = mean over arcs of a(q, k) - mean of a(q', q' + k - q) over all q'

    The patterns may be between tokens or words, with special tokens or without. An arc that is the only
    pair with its offset has a margin of 0. Raises TextError without arcs, and for one outside the text.

    >>> pattern = torch.tensor([[[1.0, 0, 0], [0.9, 0.1, 0], [0.2, 0.3, 0.5]]])  # a layer with one head
    >>> scores = find(pattern[None], [(1, 0)])  # the second token attends to the first
    >>> [round(float(figure), 2) for figure in (scores.attention, scores.margin, scores.first)]
    [0.9, 0.3, 1.0]
    """
    length = pattern.shape[-1]
    if not arcs:
        raise TextError("There is no arc yet.", "Choose a token, then the token it should look at.")
    if outside := [arc for arc in arcs if not all(0 <= place < length for place in arc)]:
        raise TextError(f"The arc {outside[0]} leaves the text of {length} tokens.")
    queries, keys = (torch.tensor(places) for places in zip(*arcs))
    along = pattern[:, :, queries, keys]
    usual = torch.stack([pattern.diagonal(k - q, -2, -1).mean(-1) for q, k in arcs], -1)
    first = pattern[:, :, queries].argmax(-1) == keys
    return Found(along.mean(-1), (along - usual).mean(-1), first.float().mean(-1))
