"""A folder of one's own, with the hub's file names, or a file of word vectors."""

from pathlib import Path

from explorer.checkpoints.word_vectors import is_vectors
from explorer.errors import NotFoundError
from explorer.trace import Checkpoint


def locate(checkpoint: Checkpoint) -> Path:
    """The folder, or the file of word vectors, that the name points to.

    Raises NotFoundError where there is none.
    """
    try:
        folder = Path(checkpoint.name).expanduser()
    except RuntimeError as error:  # of a user who is none
        raise NotFoundError(
            f"{checkpoint.name} begins with a home folder that is not there.", "Write the full path."
        ) from error
    if folder.is_file() and is_vectors(folder):
        return folder
    if not folder.is_dir():
        raise NotFoundError(
            f"There is no folder {folder}.",
            "Write folder: and the full path of a folder with config.json and model.safetensors, "
            "or of a file of word vectors (.txt, .vec or .bin, perhaps with .gz).",
        )
    return folder
