"""Folders in the hub's format, changed for a test, and what loading them comes to."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

import explorer

TEXT = "we saw light on the water"


def rewrite(folder: Path, change) -> None:
    """Replace the weights by `change(tensors)`."""
    path = folder / "model.safetensors"
    tensors = change(load_file(path))
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()}, path)


def configure(folder: Path, **changes) -> None:
    """Change config.json; a value of ... takes the key away."""
    path = folder / "config.json"
    raw = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in raw.items() if value is not ...}))


def renamed(*pairs: tuple[str, str]):
    def change(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        result = {}
        for name, tensor in tensors.items():
            for old, new in pairs:
                name = name.replace(old, new)
            result[name] = tensor
        return result

    return change


def same_as(folder: Path, model) -> bool:
    ours, expected = explorer.load(f"folder:{folder}").trace(TEXT), model.trace(TEXT)
    return torch.equal(ours.hidden_states, expected.hidden_states) and torch.equal(
        ours.logits, expected.logits
    )
