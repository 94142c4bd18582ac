"""Llama 3's scaled positions in a GGUF file: a divisor for each frequency, and no words for it.

Llama 3.1 and 3.2 differ in the factor alone. It is read off the divisors, and all of them are compared with
what the published scaling gives: a file that was scaled in another way is refused.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints.gguf.header import TensorInfo
from explorer.errors import FormatError
from explorer.models.rope_scaling import RopeScaling
from explorer.models.rotary import Rotary

DIVISORS = "rope_freqs.weight"
LOW, HIGH, ORIGINAL = 1.0, 4.0, 8192  # of every Llama 3 (Grattafiori et al. 2024; its config.json)


def scaling_from_divisors(divisors: Tensor, base: float, name: str) -> dict[str, Any]:
    """What config.json calls `rope_scaling`. Raises FormatError for divisors that are not Llama 3's."""
    factor = float(divisors.max())
    scaling = RopeScaling(max(factor, 1.0), LOW, HIGH, ORIGINAL)
    plain, scaled = (Rotary(2 * len(divisors), base, kind).frequencies() for kind in (None, scaling))
    if not torch.allclose(plain / scaled, divisors, rtol=1e-3):
        raise FormatError(
            f"{name} scales its positions in a way of its own, which Riverbank does not compute.",
            "Choose a file of a plain Llama: 2, 3, 3.1 or 3.2.",
        )
    return {
        "rope_type": "llama3",
        "factor": scaling.factor,
        "low_freq_factor": LOW,
        "high_freq_factor": HIGH,
        "original_max_position_embeddings": ORIGINAL,
    }


def read_divisors(path: Path, info: TensorInfo, most: int) -> Tensor:
    """The divisors of a file. Raises FormatError where they are not half as many as a head has numbers."""
    if info.type != "F32" or info.shape != (most,):
        raise FormatError(
            f"{info.name} is {info.type} of {info.shape}, where {most} numbers of F32 should be.",
            "Choose a file of a plain Llama.",
        )
    return torch.from_numpy(np.fromfile(path, "<f4", most, offset=info.start))
