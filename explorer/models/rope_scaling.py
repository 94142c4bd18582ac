"""Rotary positions scaled for longer texts than a model was first trained on, as config.json says it.

    linear     every frequency is divided by a factor
    llama3     slow frequencies are, fast ones are not, and those in between are interpolated
    yarn       the same with another ramp, and longer queries and keys
    longrope   every frequency is divided by a number of its own, which was searched for
    dynamic    as they are, up to the positions that the model has

Chen et al., "Extending Context Window of Large Language Models via Position Interpolation" (2023);
Grattafiori et al., "The Llama 3 Herd of Models" (2024), section 3; Peng et al., "YaRN: Efficient Context
Window Extension of Large Language Models" (ICLR 2024), section 3; Ding et al., "LongRoPE: Extending LLM
Context Window Beyond 2 Million Tokens" (ICML 2024).
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import FormatError

PLAIN_BASE = 10_000.0
Frequencies = Float[Tensor, "d_half"]


@dataclass(frozen=True)
class RopeScaling:
    """Every frequency is divided by `factor`.

    With `original_positions` (Llama 3), only wavelengths above `original_positions / low` are scaled, those
    below `original_positions / high` are not, and those in between are interpolated.
    """

    factor: float
    low: float | None = None
    high: float | None = None
    original_positions: int | None = None
    attention_factor = 1.0

    def scaled(self, frequencies: Frequencies, base: float) -> Frequencies:
        """Radians per position of a model for longer texts."""
        slow = frequencies / self.factor
        if self.original_positions is None or self.low is None or self.high is None:
            return slow
        waves = self.original_positions * frequencies / (2 * math.pi)  # that fit into the original length
        weight = ((waves - self.low) / (self.high - self.low)).clamp(0, 1)
        return (1 - weight) * slow + weight * frequencies


@dataclass(frozen=True)
class Yarn:
    """Frequencies that turn `fast` times in the original length stay, those of `slow` turns are divided.

    Between them a ramp over the pairs; its ends are whole pairs with `truncate`.
    """

    factor: float
    original_positions: int
    attention_factor: float
    fast: float = 32.0
    slow: float = 1.0
    truncate: bool = True

    def scaled(self, frequencies: Frequencies, base: float) -> Frequencies:
        """Radians per position of a model for longer texts."""
        dims = 2 * len(frequencies)
        turns = (self.original_positions / (2 * math.pi * turns) for turns in (self.fast, self.slow))
        low, high = (dims * math.log(turn) / (2 * math.log(base)) for turn in turns)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, dims - 1)
        pair = torch.arange(len(frequencies), device=frequencies.device).float()
        ramp = ((pair - low) / (high - low or 0.001)).clamp(0, 1)
        return frequencies / self.factor * ramp + frequencies * (1 - ramp)


@dataclass(frozen=True)
class LongRope:
    """Each frequency is divided by its own of the `factors`, which hold up to the original length.

    Beyond it, those of `beyond` would hold for the whole text at once, also for its beginning, which a cache
    cannot follow: a model reads no further here.
    """

    factors: tuple[float, ...]
    beyond: tuple[float, ...]
    original_positions: int
    attention_factor: float

    @property
    def factor(self) -> float:
        """The least of the factors."""
        return min(self.factors)

    def scaled(self, frequencies: Frequencies, base: float) -> Frequencies:
        """Radians per position of a model for longer texts."""
        return frequencies / frequencies.new_tensor(self.factors)


Scaling = RopeScaling | Yarn | LongRope


def read_rope(raw: dict[str, Any]) -> tuple[float, Scaling | None]:
    """Base and scaling from a config.json, in its older spelling or in that of transformers 5.

    A factor without a type does nothing, as in `transformers` (see `unused_factor`). Raises FormatError for a
    kind of scaling that is not computed here.

    >>> read_rope({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 2.0}})
    (500000.0, RopeScaling(factor=2.0, low=None, high=None, original_positions=None))
    """
    parameters = raw.get("rope_parameters") or raw.get("rope_scaling") or {}
    base = parameters.get("rope_theta", raw.get("rope_theta", raw.get("rotary_emb_base", PLAIN_BASE)))
    kind = parameters.get("rope_type") or parameters.get("type") or "default"
    if kind in ("default", "dynamic"):
        return float(base), None
    if kind == "linear":
        return float(base), RopeScaling(float(parameters["factor"]))
    if kind not in ("llama3", "yarn", "longrope", "su"):
        raise FormatError(
            f"Its rotary positions are scaled by “{kind}”, which Riverbank does not compute.",
            "Choose a checkpoint whose rope scaling is default, linear, dynamic, llama3, yarn or longrope.",
        )
    most = raw.get("max_position_embeddings", 0)
    within = parameters.get("original_max_position_embeddings", most)
    original = int(raw.get("original_max_position_embeddings") or within)
    if kind == "llama3":
        low, high = float(parameters["low_freq_factor"]), float(parameters["high_freq_factor"])
        if not low < high:
            raise FormatError(
                f"Its rope scaling has low_freq_factor {low:g}, not below high_freq_factor {high:g}.",
                "config.json may be damaged: fetch or copy the checkpoint again.",
            )
        return float(base), RopeScaling(float(parameters["factor"]), low, high, original)
    factor = float(parameters.get("factor") or most / original)
    attention = parameters.get("attention_factor")
    if kind != "yarn" or "short_factor" in parameters:  # Phi-3 also called it yarn
        if attention is None:
            attention = math.sqrt(1 + math.log(factor) / math.log(original)) if factor > 1 else 1.0
        short, long = (tuple(map(float, parameters[name])) for name in ("short_factor", "long_factor"))
        return float(base), LongRope(short, long, original, float(attention))
    if attention is None:
        whole, part = parameters.get("mscale"), parameters.get("mscale_all_dim")
        attention = _growth(factor, whole) / _growth(factor, part) if whole and part else _growth(factor)
    fast, slow = parameters.get("beta_fast") or 32.0, parameters.get("beta_slow") or 1.0
    truncate = parameters.get("truncate", True)
    return float(base), Yarn(factor, original, float(attention), float(fast), float(slow), truncate)


def unused_factor(raw: dict[str, Any]) -> bool:
    """Whether a config.json gives a factor without a type of scaling that uses it.

    >>> unused_factor({"rope_scaling": {"factor": 4.0}})
    True
    """
    parameters = raw.get("rope_parameters") or raw.get("rope_scaling")
    if not isinstance(parameters, dict):
        return False
    kind = parameters.get("rope_type") or parameters.get("type") or "default"
    return kind == "default" and parameters.get("factor") not in (None, 1)


def _growth(factor: float, weight: float = 1.0) -> float:
    """How much longer queries and keys become: YaRN, equation 22."""
    return 1.0 if factor <= 1 else 0.1 * weight * math.log(factor) + 1.0
