"""Rotary positions: queries and keys are rotated by an angle that grows with their position.

    numbers i and i + d/2 of a head, as a point in the plane, are rotated by  position * base^(-2i/d)

The product of a rotated query and a rotated key depends only on the distance of their positions.
Paper: Su, Lu, Pan, Murtadha, Wen, Liu, "RoFormer: Enhanced Transformer with Rotary Position Embedding"
(2021), section 3.4. Llama 3's scaling: Grattafiori et al., "The Llama 3 Herd of Models" (2024), section 3.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import FormatError

PLAIN_BASE = 10_000.0


class Rotation(NamedTuple):
    """Cosines and sines of the angles of some positions."""

    cos: Float[Tensor, "pos d_half"]
    sin: Float[Tensor, "pos d_half"]


@dataclass(frozen=True)
class RopeScaling:
    """How much slower the angles grow in a model for longer texts than it was first trained on.

    Every frequency is divided by `factor`. With `original_positions` (Llama 3), only wavelengths above
    `original_positions / low` are scaled, those below `original_positions / high` are not, and those in
    between are interpolated.
    """

    factor: float
    low: float | None = None
    high: float | None = None
    original_positions: int | None = None


@dataclass(frozen=True)
class Rotary:
    """Rotary positions for the first `dims` dimensions of a head, with the base of their frequencies.

    >>> cos, sin = Rotary(dims=4).rotation(torch.tensor([0, 1]))
    >>> cos[0].tolist(), round(float(cos[1, 0]), 4)  # position 0 is not rotated; position 1 by 1 radian
    ([1.0, 1.0], 0.5403)
    """

    dims: int
    base: float = PLAIN_BASE
    scaling: RopeScaling | None = None

    def __post_init__(self) -> None:
        """Raise FormatError for an odd number of dimensions, or a base or factor that is not positive."""
        if self.dims % 2:
            raise FormatError(
                f"Rotary positions rotate dimensions in pairs, and config.json says {self.dims} of a head’s.",
                "config.json may be damaged: fetch or copy the checkpoint again.",
            )
        factor = 1.0 if self.scaling is None else self.scaling.factor
        if not (self.base > 0 and factor > 0):
            raise FormatError(
                f"Its rotary positions have base {self.base:g} and are scaled by {factor:g}; both must be "
                "above 0.",
                "The file may be damaged: fetch or copy the checkpoint again.",
            )

    def frequencies(self, device: torch.device | None = None) -> Float[Tensor, "d_half"]:
        """Radians per position, for each pair of dimensions."""
        exponents = torch.arange(0, self.dims, 2, device=device).float() / self.dims
        frequencies, scaling = 1.0 / self.base**exponents, self.scaling
        if scaling is None:
            return frequencies
        slow = frequencies / scaling.factor
        if scaling.original_positions is None or scaling.low is None or scaling.high is None:
            return slow
        waves = scaling.original_positions * frequencies / (2 * math.pi)  # that fit into the original length
        weight = ((waves - scaling.low) / (scaling.high - scaling.low)).clamp(0, 1)
        return (1 - weight) * slow + weight * frequencies

    def rotation(self, positions: Int[Tensor, "pos"]) -> Rotation:
        """The cosines and sines of the angles at some positions of a text, counted from 0."""
        angles = positions[:, None].float() * self.frequencies(positions.device)
        return Rotation(angles.cos(), angles.sin())


def rotate(x: Float[Tensor, "*pos d_head"], rotation: Rotation) -> Float[Tensor, "*pos d_head"]:
    """Vectors rotated by the angles of their positions; the dimensions after the first `dims` stay.

    >>> rotate(torch.tensor([[1.0, 0.0]]), Rotary(dims=2).rotation(torch.tensor([1]))).tolist()
    [[0.5403..., 0.8414...]]
    """
    cos, sin = rotation
    half = cos.shape[-1]
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], dim=-1)


def read_rope(raw: dict[str, Any]) -> tuple[float, RopeScaling | None]:
    """Base and scaling from a config.json, in its older spelling or in that of transformers 5.

    Raises FormatError for a kind of scaling that is not computed here.

    >>> read_rope({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 2.0}})
    (500000.0, RopeScaling(factor=2.0, low=None, high=None, original_positions=None))
    """
    parameters = raw.get("rope_parameters") or raw.get("rope_scaling") or {}
    base = parameters.get("rope_theta", raw.get("rope_theta", raw.get("rotary_emb_base", PLAIN_BASE)))
    kind = parameters.get("rope_type", parameters.get("type", "default"))
    if kind == "default":
        return float(base), None
    if kind == "linear":
        return float(base), RopeScaling(float(parameters["factor"]))
    if kind == "llama3":
        low, high = float(parameters["low_freq_factor"]), float(parameters["high_freq_factor"])
        if not low < high:
            raise FormatError(
                f"Its rope scaling has low_freq_factor {low:g}, not below high_freq_factor {high:g}.",
                "config.json may be damaged: fetch or copy the checkpoint again.",
            )
        original = int(parameters["original_max_position_embeddings"])
        return float(base), RopeScaling(float(parameters["factor"]), low, high, original)
    raise FormatError(
        f"Its rotary positions are scaled by “{kind}”, which Riverbank does not compute.",
        "Choose a checkpoint whose config.json has rope scaling default, linear or llama3.",
    )


def write_rope(base: float, scaling: RopeScaling | None) -> dict[str, Any]:
    """Base and scaling for a config.json, in the spelling that every version of `transformers` reads."""
    if scaling is None:
        return {"rope_theta": base}
    if scaling.original_positions is None:
        kind: dict[str, Any] = {"rope_type": "linear", "factor": scaling.factor}
    else:
        kind = {
            "rope_type": "llama3",
            "factor": scaling.factor,
            "low_freq_factor": scaling.low,
            "high_freq_factor": scaling.high,
            "original_max_position_embeddings": scaling.original_positions,
        }
    return {"rope_theta": base, "rope_scaling": kind}
