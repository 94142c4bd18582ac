"""What is done to scores before the softmax: a soft cap, and a number that depends on the distance.

    capped = cap * tanh(score / cap)        biased = score - slope * (query position - key position)   (ALiBi)
                                            biased = score + table[bucket of the distance]            (learnt)

Cap: Bello, Pham, Le, Norouzi, Bengio, "Neural Combinatorial Optimization with Reinforcement Learning" (2016),
section 5.4; of attention scores: Gemma Team, "Gemma 2" (2024), section 2. ALiBi: Press, Smith, Lewis, "Train
Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation" (ICLR 2022), section 3.
Learnt: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer"
(JMLR 2020), section 2.1.
"""

import math
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Scoring(NamedTuple):
    """How a design changes its scores: the cap (None: none), and the slope of each head (None: no ALiBi).

    `table` has a row for each bucket of distances and a column for each head; all layers share it.
    """

    cap: float | None = None
    slopes: tuple[float, ...] | None = None
    table: nn.Embedding | None = None

    def bias(self, queries: int, keys: int, like: Tensor) -> Float[Tensor, "head query_pos key_pos"] | None:
        """What the distance adds to the scores of the last `queries` of the `keys` positions, if anything."""
        if self.slopes is None and self.table is None:
            return None
        position = torch.arange(keys, device=like.device, dtype=like.dtype)
        if self.table is not None:
            distance = (position - position[keys - queries :, None]).long()
            rows: Tensor = self.table(buckets_of(distance, self.table.num_embeddings))
            return rows.permute(2, 0, 1)
        slopes = torch.tensor(self.slopes, device=like.device, dtype=like.dtype)
        return slopes[:, None, None] * (position - position[keys - queries :, None])


def buckets_of(
    distance: Int[Tensor, "*row number"], buckets: int, farthest: int = 128
) -> Int[Tensor, "*row number"]:
    """The bucket of each distance from a query on to a key: one for each small distance, then wider ones.

    Half of them are for keys behind the query. The last of each half is for all from `farthest` on.

    >>> buckets_of(torch.tensor([0, -1, -7, -8, -500, 1, 500]), buckets=32).tolist()
    [0, 1, 7, 8, 15, 17, 31]
    """
    half, far = buckets // 2, distance.abs()
    exact = half // 2
    growth = torch.log(far.clamp(min=1) / exact) / math.log(farthest / exact)
    wide = (exact + (growth * (half - exact)).long()).clamp(max=half - 1)
    return half * (distance > 0) + torch.where(far < exact, far, wide)


PLAIN = Scoring()  # scores as they are


def capped(x: Float[Tensor, "*row number"], cap: float | None) -> Float[Tensor, "*row number"]:
    """Numbers bent so that they stay between -cap and cap; unchanged without a cap.

    >>> capped(torch.tensor([0.1, 100.0]), cap=2.0).tolist()
    [0.0999..., 2.0]
    """
    return x if cap is None else cap * torch.tanh(x / cap)


@cache
def alibi_slopes(heads: int) -> tuple[float, ...]:
    """The slope of each head: a geometric series; between those of a power of two, every second of the next.

    >>> alibi_slopes(4), len(alibi_slopes(6))
    ((0.25, 0.0625, 0.015625, 0.00390625), 6)
    """
    whole = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (head + 1) / whole) for head in range(whole)]
    return (*slopes, *(2 ** (-4 * (2 * head + 1) / whole) for head in range(heads - whole)))
