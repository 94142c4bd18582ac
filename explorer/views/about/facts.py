"""A bundled checkpoint in a few facts, read from its folder without opening the weights."""

import json
import math
import re
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from explorer.views.about import record
from explorer.views.frame.memory import LABELS

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "card.md"
# What each family calls it in its config.json.
LAYERS = ("num_hidden_layers", "n_layer", "num_layers")
WIDTH = ("hidden_size", "n_embd", "d_model")
HEADS = ("num_attention_heads", "n_head")
VOCABULARY = ("vocab_size", "n_vocab")


@dataclass(frozen=True)
class Facts:
    """The sizes of a checkpoint; None where its family has no such thing."""

    parameters: int
    layers: int | None
    width: int | None
    heads: int | None
    vocabulary: int | None
    file_bytes: int


def names() -> list[str]:
    """The checkpoints that ship with Riverbank and have their files, in the lecture's order."""
    found = {path.parent.name for path in record.CHECKPOINTS.glob(f"*/{CONFIG}")}
    return [*(name for name in LABELS if name in found), *sorted(found - set(LABELS))]


@cache
def facts(folder: Path) -> Facts:
    """The facts of a checkpoint's folder."""
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    return Facts(
        parameters=_parameters(folder / WEIGHTS),
        layers=_first(config, LAYERS),
        width=_first(config, WIDTH),
        heads=_first(config, HEADS),
        vocabulary=_first(config, VOCABULARY),
        file_bytes=(folder / WEIGHTS).stat().st_size,
    )


def card(name: str) -> str:
    """The card of a checkpoint as Markdown, or nothing."""
    path = record.CHECKPOINTS / name / CARD
    return path.read_text(encoding="utf-8") if path.exists() else ""


def origin(card: str) -> tuple[str, str]:
    """What a card says the training began with, as a heading and a line; empty where it does not say.

    >>> origin("The encoder started from [some-model](https://example.org) (Apache-2.0): ...")
    ('continued', 'from some-model (Apache-2.0)')
    >>> origin("7.0 M parameters, trained from zero to ...")
    ('from zero', 'started from random weights')
    """
    if found := re.search(r"started\s+from\s+\[([^\]]+)\]\([^)]*\)\s*(\([^)]*\))?", card):
        return "continued", " ".join(["from", *(part for part in found.groups() if part)])
    if re.search(r"trained\s+from\s+zero", card):
        return "from zero", "started from random weights"
    return "", ""


def _parameters(weights: Path) -> int:
    with weights.open("rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    return sum(math.prod(entry["shape"]) for name, entry in header.items() if name != "__metadata__")


def _first(config: dict[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((config[key] for key in keys if isinstance(config.get(key), int)), None)
