"""How large a checkpoint is, read from its folder without opening the weights."""

import json
import math
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from explorer import assets

CONFIG, WEIGHTS = "config.json", "model.safetensors"
SIZES = "sizes.json"  # of a model whose file comes as a package: read here, that would take torch
# A checkpoint may be stored as what it adds to another one (see `explorer.checkpoints.difference`).
DIFFERENCE, BASE, GROWN = "difference.safetensors", "difference_to", ("tokens.weight", "fill.bias")
MOST_HEADER = 100_000_000  # bytes, as safetensors itself has it
# What each family calls it in its config.json.
LAYERS = ("num_hidden_layers", "n_layer", "num_layers")
WIDTH = ("hidden_size", "n_embd", "d_model")
HEADS = ("num_attention_heads", "n_head", "encoder_attention_heads")
BOTH = ("encoder_layers", "decoder_layers")  # of a translator, whose two halves add up
VOCABULARY = ("vocab_size", "n_vocab")
CONSTANT = "final_logits_bias"  # kept among Marian's weights, and not learnt


@dataclass(frozen=True)
class Sizes:
    """The sizes of a checkpoint; None where its family has no such thing.

    `parameters` are those of the whole network, `file_bytes` what its own weights take on disk.
    """

    parameters: int
    layers: int | None
    width: int | None
    heads: int | None
    vocabulary: int | None
    file_bytes: int


@cache
def sizes(folder: Path) -> Sizes:
    """The sizes of the checkpoint in a folder. Raises ExplorerError where its files are damaged."""
    if (known := folder / SIZES).exists():
        return _known(known)
    config = assets.data(folder / CONFIG)
    weights = folder / (DIFFERENCE if BASE in config else WEIGHTS)
    parameters = _shapes(weights)
    if BASE in config:
        grown = {name: shape for name, shape in parameters.items() if name in GROWN}
        parameters = _shapes(folder.parent / config[BASE] / WEIGHTS) | grown
    return Sizes(
        parameters=sum(map(math.prod, parameters.values())),
        layers=_first(config, LAYERS) or _both(config),
        width=_first(config, WIDTH),
        heads=_first(config, HEADS),
        vocabulary=_first(config, VOCABULARY),
        file_bytes=weights.stat().st_size,
    )


def _known(path: Path) -> Sizes:
    try:
        return Sizes(**assets.data(path))
    except TypeError as error:
        raise assets.damaged(path) from error


def _shapes(weights: Path) -> dict[str, list[int]]:
    """The shape of every learnt parameter in a file."""
    try:
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(min(length, MOST_HEADER)))
        return {
            name: entry["shape"] for name, entry in header.items() if name not in ("__metadata__", CONSTANT)
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise assets.damaged(weights) from error


def _both(config: dict[str, Any]) -> int | None:
    halves = [config[name] for name in BOTH if isinstance(config.get(name), int)]
    return sum(halves) if len(halves) == len(BOTH) else None


def _first(config: dict[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((config[key] for key in keys if isinstance(config.get(key), int)), None)
