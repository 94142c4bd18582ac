"""A tiny model of any registered family, so that the common suite needs no change for a newcomer."""

from dataclasses import fields
from pathlib import Path

import torch

import explorer
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES, LanguageModel
from explorer.trace import Ability
from tests import tiny

# Different primes (times the heads) under the names that every configuration uses.
SIZES = {"d_model": 35, "layers": 3, "heads": 5, "d_mlp": 53, "positions": 61}


def build(model_type: str, folder: Path) -> LanguageModel:
    """Random weights of a family, written to a folder in the hub's format and loaded from it."""
    family = FAMILIES[model_type]
    names = {field.name for field in fields(family.config)}
    generates = Ability.GENERATE in family.abilities(frozenset())
    sizes = {name: size for name, size in SIZES.items() if name in names}
    sizes["d_vocab"] = tiny.GPT["vocab_size"] if generates else tiny.BERT["vocab_size"]
    network = tiny.shake(family.network(family.config(**sizes)))
    write_model(folder, network, family)
    (tiny.write_merges if generates else tiny.write_vocab)(folder)
    return explorer.load(f"folder:{folder}")


def wavy(tensor: torch.Tensor) -> torch.Tensor:
    """A small change that differs at every place."""
    return tensor + 0.01 * torch.arange(tensor.numel()).reshape(tensor.shape).sin()
