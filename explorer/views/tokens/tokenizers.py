"""The tokenizers on this computer, without weights."""

import explorer
from explorer.server import memory
from explorer.server.kept import kept
from explorer.views.frame import picker
from explorer.views.types import Tokenizer


def names() -> set[str]:
    """The models in the list whose files are on this computer."""
    from explorer.checkpoints import hub

    return {str(c) for c in explorer.available() if c.source != "hub" or hub.cached(c) is not None}


def admit(name: str) -> None:
    """Note that this visitor has chosen a tokenizer by hand (for a callback)."""
    if name:
        picker.choose(name)


def load(name: str) -> "Tokenizer":
    """A model's tokenizer. Raises CheckpointError, also if only a link asks for a file elsewhere."""
    from explorer.trace import Checkpoint

    if memory.loaded(name):
        return memory.get(name).tokenizer
    if ":" in memory.canonical(name):
        picker.admit(name)
    return _read(name, memory.stamp(Checkpoint.parse(memory.canonical(name))))


@kept(12, of="models")
def _read(name: str, stamp: object) -> "Tokenizer":
    """`stamp` changes with the files of a folder."""
    return explorer.load_tokenizer(name)
