"""Checkpoints on the Hugging Face hub: from a name to a folder in the local cache."""

from pathlib import Path

from explorer.checkpoints.cache import cached
from explorer.checkpoints.fetch import Progress, fetch
from explorer.errors import NotFoundError
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
        folder = fetch(checkpoint, progress)
    return folder
