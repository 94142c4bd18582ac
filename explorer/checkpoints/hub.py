"""Checkpoints on the Hugging Face hub: from a name to a folder in the local cache."""

import os
from pathlib import Path

from explorer.checkpoints.fetch import Progress, fetch
from explorer.checkpoints.listed import OLD_NAMES
from explorer.checkpoints.model_folder import CONFIG
from explorer.checkpoints.weights import names_of, read_json, weight_files
from explorer.errors import CheckpointError, NetworkError, NotFoundError
from explorer.tokenizers import TOKENIZER_FILES, complete
from explorer.trace import Checkpoint


def locate(checkpoint: Checkpoint, progress: Progress | None = None) -> Path:
    """The folder with a hub checkpoint's files: from the local cache, else fetched into it.

    A complete copy in the cache is used as it is, without asking the network. Raises a
    CheckpointError that says why the files are not available.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(checkpoint.name)
    except HFValidationError as error:
        raise NotFoundError(
            f"“{checkpoint.name}” cannot be a name on the hub.",
            "Write organisation/name, in letters, digits, “-”, “_” and “.”.",
        ) from error
    folder = cached(checkpoint)
    if folder is None:
        fetch(checkpoint, progress)
        folder = cached(checkpoint)
    if folder is None:
        raise NetworkError(f"{checkpoint} was changed while it was being fetched.", "Load it again.")
    return folder


def cached(checkpoint: Checkpoint) -> Path | None:
    """A checkpoint's folder in the local cache, under its name or an old one; None if it is not complete."""
    old = [old for old, name in OLD_NAMES.items() if name == checkpoint.name]
    for name in (checkpoint.name, *old):
        folder = _snapshot(name, checkpoint.revision)
        if folder is not None and _is_complete(folder):
            return folder
    return None


def _snapshot(name: str, revision: str | None) -> Path | None:
    from huggingface_hub.constants import HF_HUB_CACHE
    from huggingface_hub.file_download import repo_folder_name, try_to_load_from_cache

    folder = repo_folder_name(repo_id=name, repo_type="model")
    if not os.path.isdir(os.path.join(HF_HUB_CACHE, folder)):
        return None  # as the hub's own function says, which takes much longer for it
    config = try_to_load_from_cache(name, CONFIG, revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def _is_complete(folder: Path) -> bool:
    if not complete([name for name in TOKENIZER_FILES if (folder / name).exists()]):
        return False
    try:
        raw = read_json(folder / CONFIG)
    except CheckpointError:  # a damaged one, which is named when it is read
        raw = {}
    try:
        if not any((folder / name).exists() for name in names_of(raw, folder.name)):
            return False
        return bool(weight_files(folder, raw))
    except CheckpointError:  # an index with missing shards
        return False
