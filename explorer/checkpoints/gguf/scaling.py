"""Scaled positions in a GGUF file whose divisors, one for each frequency, are tensors.

Phi-3 has two lists, for short and for long texts. Llama 3 has one, and no words for it.
Llama 3.1 and 3.2 differ in the factor alone. It is read off the divisors, and all of them are compared with
what the published scaling gives: a file that was scaled in another way is refused.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints.gguf.header import FETCH_AGAIN, Header, TensorInfo
from explorer.errors import FormatError
from explorer.models.rope_scaling import RopeScaling
from explorer.models.rotary import Rotary

DIVISORS = "rope_freqs.weight"
LONG, SHORT = "rope_factors_long.weight", "rope_factors_short.weight"
FACTORS = (DIVISORS, LONG, SHORT)  # no parameters: the configuration has them in another form
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


def scaling_of_two(factors: Mapping[str, Tensor], header: Header, architecture: str) -> dict[str, Any]:
    """What config.json says of positions with two lists of divisors. Raises FormatError for one alone."""
    if not {LONG, SHORT} <= factors.keys():
        raise FormatError(f"{header.name} has one of {LONG} and {SHORT}, and not both.", FETCH_AGAIN)
    begin = f"{architecture}.rope.scaling."
    scaling: dict[str, Any] = {
        "rope_type": "longrope",
        "long_factor": factors[LONG].tolist(),
        "short_factor": factors[SHORT].tolist(),
    }
    if f"{begin}attn_factor" in header.metadata:
        scaling["attention_factor"] = header.get(f"{begin}attn_factor", float)
    original = header.get(f"{begin}original_context_length", int)
    return {"rope_scaling": scaling, "original_max_position_embeddings": original}


def read_divisors(info: TensorInfo, most: int) -> Tensor:
    """The divisors of a file. Raises FormatError where they are not half as many as a head has numbers."""
    if info.type != "F32" or info.shape != (most,):
        raise FormatError(
            f"{info.name} is {info.type} of {info.shape}, where {most} numbers of F32 should be.",
            "Choose a file of a plain Llama.",
        )
    return torch.from_numpy(np.fromfile(info.file, "<f4", most, offset=info.start))
