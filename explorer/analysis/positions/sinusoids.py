"""Positions as sines and cosines: a table that is computed, not learnt.

    PE(pos, 2i) = sin(pos / 10000^(2i / width));    PE(pos, 2i + 1) = cos(pos / 10000^(2i / width))

Vaswani et al., "Attention Is All You Need" (NeurIPS 2017), section 3.5. There a sine is next to its cosine;
Marian has all sines first and then all cosines, which only changes the order of the dimensions.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError, at_least_one

BASE = 10_000.0


@dataclass(frozen=True, eq=False)
class Shift:
    """The map from PE(pos) to PE(pos + steps), computed at one position, and its errors at all others.

    `errors[pos]` is the largest difference in any dimension between the mapped vector and PE(pos + steps).
    """

    steps: int
    matrix: Float[Tensor, "width width"]
    errors: Float[Tensor, "pos"]


def frequencies(width: int) -> Float[Tensor, "pair"]:
    """The angle in radians of each pair of dimensions from one position to the next, largest first.

    Raises ExplorerError for an odd width: sines and cosines come in pairs.

    >>> frequencies(4).tolist()
    [1.0, 0.01]
    """
    at_least_one(width=width)
    if width % 2:
        raise ExplorerError(f"A width of {width} has no pairs.", "Give an even number.")
    return BASE ** -(torch.arange(0, width, 2, dtype=torch.float64) / width)


def table(length: int, width: int) -> Float[Tensor, "pos width"]:
    """The vectors of positions 0 to length - 1, alternating sines and cosines, in double precision.

    >>> table(length=3, width=4)[0].tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    at_least_one(length=length)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * frequencies(width)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


def halves(interleaved: Float[Tensor, "pos width"]) -> Float[Tensor, "pos width"]:
    """The same table as Marian stores it: all sines, then all cosines.

    >>> halves(torch.tensor([[1.0, 2.0, 3.0, 4.0]])).tolist()
    [[1.0, 3.0, 2.0, 4.0]]
    """
    return torch.cat([interleaved[:, 0::2], interleaved[:, 1::2]], -1)


def rotation(here: Float[Tensor, "width"], there: Float[Tensor, "width"]) -> Float[Tensor, "width width"]:
    """The rotation, pair by pair, that maps one position's vector to another's.

    Each pair is a point on a circle, and two points determine the angle. Use it only on rows of `table`:
    other vectors do not consist of such points.

    >>> rows = table(length=8, width=4)
    >>> (rotation(rows[0], rows[3]) @ rows[4]).allclose(rows[7])  # the same rotation from any position
    True
    """
    (s, c), (s_after, c_after) = here.view(-1, 2).T, there.view(-1, 2).T
    cosine, sine = s * s_after + c * c_after, s_after * c - c_after * s
    blocks = torch.stack([torch.stack([cosine, sine], -1), torch.stack([-sine, cosine], -1)], -2)
    matrix: Tensor = torch.block_diag(*blocks)
    return matrix


def shift(vectors: Float[Tensor, "pos width"], steps: int, at: int = 0) -> Shift:
    """The map by `steps`, computed from positions `at` and `at + steps`, and applied to all others.

    Raises ExplorerError if the table ends before `at + steps`.

    >>> bool(shift(table(length=50, width=16), steps=7).errors.max() < 1e-9)  # one map for all positions
    True
    """
    if not 0 <= at <= at + steps < len(vectors):
        raise ExplorerError(
            f"Positions {at} and {at + steps} are not both in a table of {len(vectors)}.",
            "Make the table longer, or the step smaller.",
        )
    matrix = rotation(vectors[at], vectors[at + steps])
    mapped = vectors[: len(vectors) - steps] @ matrix.T
    return Shift(steps, matrix, (mapped - vectors[steps:]).abs().amax(1))
