"""From a name to a model: the sources of checkpoints, and one loader."""

import os
from collections import Counter
from os import PathLike, fspath
from pathlib import Path

import torch

from explorer.catalogue.manifest import manifests
from explorer.checkpoints import bundled, folder, hub, listed, word_vectors
from explorer.checkpoints.fetch import Progress
from explorer.checkpoints.format import read_model, tokenizer_at
from explorer.checkpoints.integrity import unreadable
from explorer.checkpoints.placement import Placement
from explorer.errors import CheckpointError, NotFoundError
from explorer.models import LanguageModel
from explorer.system.free_memory import is_memory_error, size_error
from explorer.tokenizers import Tokenizer
from explorer.trace import Checkpoint

OPEN_VARIABLE = "RIVERBANK_OPEN_SOURCES"


def load(
    name: str | PathLike[str],
    progress: Progress | None = None,
    device: str | torch.device | None = None,
    dtype: str | torch.dtype | None = None,
) -> LanguageModel:
    """Load a checkpoint by its string (see `Checkpoint.parse`), or by the path of a folder or file.

    `progress(done_bytes, total_bytes, file_name)` is called while files are being fetched; `device` and
    `dtype` are as in `explorer.load`. Raises a CheckpointError that says what is wrong and what to do.

    >>> load("word2vec").abilities
    <Ability.VECTORS: 1>
    >>> load("no-such-model")
    Traceback (most recent call last):
    explorer.errors.NotFoundError: ...
    """
    text = name if isinstance(name, str) else f"folder:{fspath(name)}"
    checkpoint = resolve_allowed(text)
    in_full = torch.float32 if checkpoint.source == "bundled" else None  # as their figures were measured
    placement, place = Placement.of(device, dtype or in_full), None
    try:
        place = locate(checkpoint, progress)
        if checkpoint.source == "folder" and (vectors := word_vectors.inside(place)):
            return word_vectors.read_vectors(vectors, checkpoint)
        return read_model(place, checkpoint, placement)
    except (OSError, MemoryError, RuntimeError) as error:
        if is_memory_error(error):
            raise size_error(str(checkpoint), _file_bytes(place)) from error
        if isinstance(error, OSError):  # a file that this user may not read
            raise unreadable(error, str(checkpoint)) from error
        raise


def load_tokenizer(name: str | PathLike[str]) -> Tokenizer:
    """The tokenizer of a checkpoint, without its weights; nothing is fetched.

    Raises a CheckpointError, also for one of the hub whose files are not on this computer.

    >>> load_tokenizer("bert").encode("Two riverbanks").tokens
    ['[CLS]', 'two', 'river', '##bank', '##s', '[SEP]']
    """
    checkpoint = resolve_allowed(name if isinstance(name, str) else f"folder:{fspath(name)}")
    if checkpoint.source == "hub" and hub.cached(checkpoint) is None:
        raise NotFoundError(
            f"The files of {checkpoint} are not on this computer.", "Choose it once on another page."
        )
    place = locate(checkpoint)
    try:
        return tokenizer_at(place, str(checkpoint))
    except OSError as error:  # a file that this user may not read
        raise unreadable(error, str(checkpoint)) from error


def _file_bytes(place: Path | None) -> int:
    """The bytes of a checkpoint's file; of a folder those of the largest kind, which has the weights."""
    if place is None or not place.is_dir():
        return place.stat().st_size if place else 0
    sizes: Counter[str] = Counter()
    for file in place.iterdir():
        sizes[file.suffix] += file.stat().st_size
    return max(sizes.values(), default=0)


def resolve_allowed(name: str) -> Checkpoint:
    """The checkpoint of a name. Raises CheckpointError for one that may not be loaded here.

    >>> resolve_allowed("gpt2")
    Checkpoint(source='hub', name='openai-community/gpt2', revision=None, abilities=...)
    """
    checkpoint = listed.modernise(Checkpoint.parse(name))
    if checkpoint.source in ("bundled", "hub") and _is_path(name) and open_sources():
        hub = f"; a model on the Hugging Face hub is hub:{checkpoint.name}" if "/" in checkpoint.name else ""
        raise NotFoundError(
            f"“{name}” may be a model’s name, but there is a folder or a file of that name.",
            f"Write folder:{name}{hub}.",
        )
    if checkpoint.source != "bundled" and checkpoint not in listed.listed() and not open_sources():
        raise CheckpointError(
            f"{checkpoint} is not in this server’s list, and other names and folders are off here.",
            "Choose a model from the list, or run Riverbank on your own computer.",
        )
    return checkpoint


def _is_path(name: str) -> bool:
    """Whether a name without a source, which no bundled checkpoint has, is an existing path."""
    try:
        return ":" not in name and name.lower() not in manifests() and Path(name).exists()
    except OSError:  # too long for a path
        return False


def locate(checkpoint: Checkpoint, progress: Progress | None = None) -> Path:
    """The location of a checkpoint's files: a folder, a GGUF file, or one of word vectors.

    Raises CheckpointError.

    >>> (locate(Checkpoint("bundled", "bert")) / "config.json").exists()
    True
    """
    if checkpoint.source == "serve":
        raise NotFoundError(
            f"{checkpoint} is on another machine, and has no files here.", "explorer.load connects to it."
        )
    if checkpoint.source == "hub":
        return hub.locate(checkpoint, progress)
    return bundled.locate(checkpoint) if checkpoint.source == "bundled" else folder.locate(checkpoint)


def available() -> list[Checkpoint]:
    """The checkpoints that can be loaded: the bundled ones, then the listed hub names."""
    return [*bundled.available(), *listed.listed()]


def open_sources() -> bool:
    """Whether free hub names and folders may be loaded: yes, unless RIVERBANK_OPEN_SOURCES is 0.

    A shared server sets it to 0, since a visitor's name would make it
    fetch files, or read its own disk. Bundled and listed checkpoints can always be loaded.
    """
    return os.environ.get(OPEN_VARIABLE, "1").strip().lower() not in ("0", "no", "off", "false")
