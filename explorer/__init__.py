"""Riverbank's backend: look inside language models from Python.

    explorer.load("bert")           a model: tokenizer, network, abilities
    explorer.available()            what can be loaded on this machine
    model.trace(text)               one forward pass with everything kept
    explorer.analysis               traces -> small results (senses, predictions, ...)
    explorer.views                  the Streamlit side; nothing else imports Streamlit

Map: errors, trace (central types), tokenizers, models (one file per architecture),
checkpoints (a name -> a folder -> a model), analysis, views, training.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models.base import LanguageModel
    from explorer.trace import Checkpoint

__all__ = ["available", "load"]


def load(name: str) -> "LanguageModel":
    """Load a checkpoint: `bert`, `hub:org/name@revision` or `folder:/path`.

    Raises a CheckpointError that says what is wrong and what to do.
    """
    from explorer import checkpoints  # torch is heavy: not before it is needed

    return checkpoints.load(name)


def available() -> "list[Checkpoint]":
    """The checkpoints that can be loaded here, with their abilities where known."""
    from explorer import checkpoints

    return checkpoints.available()
