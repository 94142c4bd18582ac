"""A name to a folder to a model: three sources, one loader."""

from explorer.checkpoints import bundled, folder, hub
from explorer.checkpoints.format import read_model
from explorer.models import LanguageModel
from explorer.trace import Checkpoint

SOURCES = {"bundled": bundled.locate, "hub": hub.locate, "folder": folder.locate}


def load(name: str, progress=None) -> LanguageModel:
    """Load a checkpoint by its string (see `Checkpoint.parse`).

    Raises a CheckpointError that says what is wrong and what to do.
    """
    checkpoint = hub.modernise(Checkpoint.parse(name))
    return read_model(SOURCES[checkpoint.source](checkpoint), checkpoint)


def available() -> list[Checkpoint]:
    """What can be loaded: the bundled checkpoints, then the listed hub names."""
    return [*bundled.available(), *hub.listed()]
