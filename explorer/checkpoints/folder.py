"""A folder of one's own, with the hub's file names."""

from pathlib import Path

from explorer.errors import NotFoundError
from explorer.trace import Checkpoint


def locate(checkpoint: Checkpoint) -> Path:
    """The folder that the name points to. Raises NotFoundError where there is none."""
    folder = Path(checkpoint.name).expanduser()
    if not folder.is_dir():
        raise NotFoundError(
            f"There is no folder {folder}.",
            "Write folder: and the full path of a folder with config.json and model.safetensors.",
        )
    return folder
