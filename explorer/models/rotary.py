"""Rotary positions: queries and keys are rotated by an angle that grows with their position.

    numbers i and i + d/2 of a head, as a point in the plane, are rotated by  position * base^(-2i/d)

The product of a rotated query and a rotated key depends only on the distance of their positions.
Paper: Su, Lu, Pan, Murtadha, Wen, Liu, "RoFormer: Enhanced Transformer with Rotary Position Embedding"
(2021), section 3.4. How they are scaled for longer texts is in `rope_scaling`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import FormatError
from explorer.models.rope_scaling import PLAIN_BASE, LongRope, Scaling, Yarn


class Rotation(NamedTuple):
    """Cosines and sines of the angles of some positions."""

    cos: Float[Tensor, "pos d_half"]
    sin: Float[Tensor, "pos d_half"]


@dataclass(frozen=True)
class Rotary:
    """Rotary positions for the first `dims` dimensions of a head, with the base of their frequencies.

    >>> cos, sin = Rotary(dims=4).rotation(torch.tensor([0, 1]))
    >>> cos[0].tolist(), round(float(cos[1, 0]), 4)  # position 0 is not rotated; position 1 by 1 radian
    ([1.0, 1.0], 0.5403)
    """

    dims: int
    base: float = PLAIN_BASE
    scaling: Scaling | None = None

    def __post_init__(self) -> None:
        """Raise FormatError for dimensions that are no pairs, or a base or factor that is not positive."""
        if self.dims % 2 or not self.dims:
            raise FormatError(
                f"Rotary positions rotate the numbers of a head in pairs, and config.json leaves {self.dims} "
                "to rotate: head_dim (else hidden_size divided by the heads) times partial_rotary_factor.",
                "Correct these in config.json, or fetch or copy the checkpoint again.",
            )
        factors = self.scaling.factors if isinstance(self.scaling, LongRope) else None
        if factors is not None and len(factors) != self.dims // 2:
            raise FormatError(
                f"Its rotary positions have {len(factors)} factors for {self.dims // 2} pairs of numbers.",
                "config.json may be damaged: fetch or copy the checkpoint again.",
            )
        least = 1.0 if isinstance(self.scaling, Yarn) else 0.0  # YaRN divides by the base's logarithm
        factor = 1.0 if self.scaling is None else self.scaling.factor
        if not (self.base > least and factor > 0):
            raise FormatError(
                f"Its rotary positions have base {self.base:g} and are scaled by {factor:g}; both must be "
                f"above {least:g}.",
                "The file may be damaged: fetch or copy the checkpoint again.",
            )

    @property
    def stretch(self) -> float:
        """What multiplies the numbers that are rotated: the attention factor of a scaling, mostly 1."""
        return 1.0 if self.scaling is None else self.scaling.attention_factor

    def frequencies(self, device: torch.device | None = None) -> Float[Tensor, "d_half"]:
        """Radians per position, for each pair of dimensions."""
        exponents = torch.arange(0, self.dims, 2, device=device).float() / self.dims
        frequencies = 1.0 / self.base**exponents
        return frequencies if self.scaling is None else self.scaling.scaled(frequencies, self.base)

    def rotation(self, positions: Int[Tensor, "pos"]) -> Rotation:
        """The cosines and sines of the angles at some positions of a text, counted from 0."""
        angles = positions[:, None].float() * self.frequencies(positions.device)
        cos, sin = angles.cos(), angles.sin()
        return Rotation(cos, sin) if self.stretch == 1.0 else Rotation(cos * self.stretch, sin * self.stretch)


def rotate(x: Float[Tensor, "*pos d_head"], rotation: Rotation) -> Float[Tensor, "*pos d_head"]:
    """Vectors rotated by the angles of their positions; the dimensions after the first `dims` stay.

    >>> rotate(torch.tensor([[1.0, 0.0]]), Rotary(dims=2).rotation(torch.tensor([1]))).tolist()
    [[0.5403..., 0.8414...]]
    """
    cos, sin = rotation
    half = cos.shape[-1]
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], dim=-1)
