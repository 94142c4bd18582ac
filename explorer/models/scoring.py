"""What is done to scores before the softmax: a soft cap, and a penalty that grows with the distance (ALiBi).

    capped = cap * tanh(score / cap)        biased = score - slope * (query position - key position)

Cap: Bello, Pham, Le, Norouzi, Bengio, "Neural Combinatorial Optimization with Reinforcement Learning" (2016),
section 5.4; of attention scores: Gemma Team, "Gemma 2" (2024), section 2. ALiBi: Press, Smith, Lewis, "Train
Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation" (ICLR 2022), section 3.
"""

import math
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class Scoring(NamedTuple):
    """How a design changes its scores: the cap (None: none), and the slope of each head (None: no ALiBi)."""

    cap: float | None = None
    slopes: tuple[float, ...] | None = None

    def bias(self, queries: int, keys: int, like: Tensor) -> Float[Tensor, "head query_pos key_pos"] | None:
        """What ALiBi adds to the scores of the last `queries` of the `keys` positions; None without it."""
        if self.slopes is None:
            return None
        position = torch.arange(keys, device=like.device, dtype=like.dtype)
        slopes = torch.tensor(self.slopes, device=like.device, dtype=like.dtype)
        return slopes[:, None, None] * (position - position[keys - queries :, None])


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
