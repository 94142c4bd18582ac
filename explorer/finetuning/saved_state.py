"""A training's state in a file, so that one that was interrupted goes on."""

import hashlib
from pathlib import Path
from typing import Any

import torch

from explorer.errors import ExplorerError


def fingerprint(*parts: object) -> str:
    """Tells one training from another: its model, task, recipe and examples."""
    return hashlib.sha256("\n".join(map(repr, parts)).encode()).hexdigest()[:16]


def save(path: Path, of: str, state: dict[str, Any]) -> None:
    """Write a state so that an interruption leaves the old one whole."""
    half = path.with_suffix(".half")
    torch.save({"of": of, **state}, half)
    half.replace(path)


def load(path: Path, of: str) -> dict[str, Any] | None:
    """A training's state; None where there is none yet. Raises ExplorerError for another's."""
    if not path.exists():
        return None
    state: dict[str, Any] = torch.load(path, weights_only=True)
    if state["of"] != of:
        raise ExplorerError(
            f"{path.name} is of another training: other examples, settings or model.",
            "Take its own file, or delete this one to begin anew.",
        )
    return state
