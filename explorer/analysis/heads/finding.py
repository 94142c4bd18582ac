"""Find the head: somebody draws arcs from token to token; which heads draw them too?"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import TextError


@dataclass(frozen=True)
class Candidate:
    """One head and how well it does what the arcs show.

    >>> pattern = torch.tensor([[[[1.0, 0], [0.9, 0.1]], [[1.0, 0], [0.2, 0.8]]]])  # a layer with two heads
    >>> best, other = find(pattern, [(1, 0)]).ranking()
    >>> best.layer, best.head, round(best.attention, 2)
    (0, 0, 0.9)
    """

    layer: int
    head: int
    attention: float
    margin: float
    first: float


@dataclass(frozen=True, eq=False)
class Found:
    """Every head's figures on some arcs.

    `attention` is the mean attention along the arcs. `margin` is what is left of it when each
    arc's share is compared with the head's mean over all pairs as far apart in the same direction:
    about 0 for a head that goes by distance alone. `first` is the share of the arcs whose end is
    what the head attends to most.

    >>> found = find(torch.tensor([[[[1.0, 0], [0.9, 0.1]]]]), [(1, 0)])  # a layer with one head
    >>> found.attention.shape, round(float(found.attention), 2)
    (torch.Size([1, 1]), 0.9)
    """

    attention: Float[Tensor, "layer head"]
    margin: Float[Tensor, "layer head"]
    first: Float[Tensor, "layer head"]

    def ranking(self, by: str = "attention") -> list[Candidate]:
        """All heads, the best first, by `attention` or by `margin`; among equals the lower layer."""
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
    """How well each head draws the arcs, each from a row (who looks) to a column (at whom).

        attention = mean over arcs (q, k) of a(q, k)
        margin    = mean over arcs of a(q, k) - mean of a(q', q' + k - q) over all q'

    Any patterns will do: of tokens, of words, with special tokens or without. An arc that is the
    only pair of its distance has a margin of 0: nothing tells it from distance.
    Raises TextError for no arcs, and for one that leaves the text.

    >>> pattern = torch.tensor([[[1.0, 0, 0], [0.9, 0.1, 0], [0.2, 0.3, 0.5]]])  # a layer with one head
    >>> found = find(pattern[None], [(1, 0)])  # the second token looks at the first
    >>> [round(float(figure), 2) for figure in (found.attention, found.margin, found.first)]
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
