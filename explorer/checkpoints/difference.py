"""A checkpoint that is stored as what it adds to a bundled one: more tokens, and low-rank differences.

    config.json              the whole network's sizes, `difference_to` and the SHA-256 of that one's weights
    difference.safetensors   `tokens.weight` and `fill.bias`: what the new tokens add at the end;
                             `NAME.up` and `NAME.down`: their product is added to the parameter NAME
    tokenizer.json           the whole vocabulary

Names are this project's own (`models/saved_names.py`), so `transformers` does not read it.
"""

import copy
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from explorer.errors import FormatError
from explorer.models.encoder import Encoder
from explorer.models.saved_names import current_name
from explorer.models.stored import Embedding

NAME = "difference.safetensors"
BASE, DIGEST = "difference_to", "difference_to_sha256"
WEIGHTS = "model.safetensors"
EXTENDED = ("tokens.weight", "fill.bias")  # longer by the new tokens
AGAIN = "The two do not belong together: fetch or copy both checkpoints again."


def base_of(raw: Mapping[str, Any], name: str, checkpoints: Path) -> Path:
    """The folder of the checkpoint that a configuration builds on. Raises FormatError."""
    base = raw.get(BASE)
    if not isinstance(base, str) or Path(base).name != base or not (checkpoints / base / WEIGHTS).exists():
        raise FormatError(
            f"{name} is a difference to “{base}”, which does not ship here.", "Get that checkpoint as well."
        )
    if raw.get(DIGEST) != digest(checkpoints / base):
        raise FormatError(f"{name} is a difference to other weights of {base} than those here.", AGAIN)
    return checkpoints / base


def digest(base: Path) -> str:
    """The SHA-256 of a checkpoint's weights."""
    return hashlib.sha256((base / WEIGHTS).read_bytes()).hexdigest()


def add_difference(base: nn.Module, tensors: Mapping[str, Tensor], name: str) -> Encoder:
    """The base network with a difference added to it. Raises FormatError if the two do not fit."""
    assert isinstance(base, Encoder) and base.mlm_head is not None, "the base fills blanks"
    state, rest = base.state_dict(), {current_name(key): tensor for key, tensor in tensors.items()}
    try:
        for extended in map(current_name, EXTENDED):
            state[extended] = torch.cat([state[extended], rest.pop(extended)])
        for changed in sorted(key.removesuffix(".up") for key in rest if key.endswith(".up")):
            state[changed] = state[changed] + rest.pop(f"{changed}.up") @ rest.pop(f"{changed}.down")
        network = copy.deepcopy(base)
        size, width = state["tokens.weight"].shape
        network.config = replace(base.config, d_vocab=size)
        network.tokens = Embedding(size, width)
        assert network.mlm_head is not None
        network.mlm_head.bias = nn.Parameter(torch.empty(size))
        network.load_state_dict(state)
    except (KeyError, RuntimeError) as error:
        raise FormatError(
            f"The difference of {name} does not fit what it is added to: {error}.", AGAIN
        ) from error
    if rest:
        raise FormatError(f"The difference of {name} holds more than it should: {', '.join(rest)}.", AGAIN)
    network.requires_grad_(False)
    return network.eval()
