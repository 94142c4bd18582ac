"""The sizes of a checkpoint, read from its folder without loading the weights."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from explorer import assets
from explorer.assets import read_once

CONFIG, WEIGHTS = "config.json", "model.safetensors"
SIZES = "sizes.json"  # for a model that comes as a package, whose file can be read with torch only
# A checkpoint may be stored as its difference from another one (see `explorer.checkpoints.difference`).
DIFFERENCE, BASE, EXTENDED = "difference.safetensors", "difference_to", ("tokens.weight", "fill.bias")
# The names of each size in the config.json of the families.
LAYERS = ("num_hidden_layers", "n_layer", "num_layers")
WIDTH = ("hidden_size", "n_embd", "d_model")
HEADS = ("num_attention_heads", "n_head", "encoder_attention_heads")
BOTH = ("encoder_layers", "decoder_layers")  # for a translator: the sum of both
VOCABULARY = ("vocab_size", "n_vocab")
CONSTANT = "final_logits_bias"  # among Marian's weights, but not learnt


@dataclass(frozen=True)
class Sizes:
    """The sizes of a checkpoint; None if its family has no such size.

    `parameters` are those of the whole network, `file_bytes` what its own weights take on disk.
    """

    parameters: int
    layers: int | None
    width: int | None
    heads: int | None
    vocabulary: int | None
    file_bytes: int


@read_once
def sizes(folder: Path) -> Sizes:
    """The sizes of the checkpoint in a folder. Raises ExplorerError if its files are damaged."""
    if (stored := folder / SIZES).exists():
        return _read_sizes(stored)
    config = assets.data(folder / CONFIG)
    weights = folder / (DIFFERENCE if BASE in config else WEIGHTS)
    parameters = _shapes(weights)
    if BASE in config:
        extended = {name: shape for name, shape in parameters.items() if name in EXTENDED}
        parameters = _shapes(folder.parent / config[BASE] / WEIGHTS) | extended
    return Sizes(
        parameters=sum(map(math.prod, parameters.values())),
        layers=_first(config, LAYERS) or _both(config),
        width=_first(config, WIDTH),
        heads=_first(config, HEADS),
        vocabulary=_first(config, VOCABULARY),
        file_bytes=weights.stat().st_size,
    )


def _read_sizes(path: Path) -> Sizes:
    try:
        return Sizes(**assets.data(path))
    except TypeError as error:
        raise assets.damaged(path) from error


def _shapes(weights: Path) -> dict[str, list[int]]:
    """The shape of every learnt parameter in a file."""
    try:
        with safe_open(weights, "np") as file:
            return {name: file.get_slice(name).get_shape() for name in set(file.keys()) - {CONSTANT}}
    except (OSError, SafetensorError) as error:
        raise assets.damaged(weights) from error


def _both(config: dict[str, Any]) -> int | None:
    halves = [config[name] for name in BOTH if isinstance(config.get(name), int)]
    return sum(halves) if len(halves) == len(BOTH) else None


def _first(config: dict[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((config[key] for key in keys if isinstance(config.get(key), int)), None)
