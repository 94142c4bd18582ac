"""A folder of one's own, with the hub's file names, or a GGUF file, or a file of word vectors."""

from pathlib import Path

from explorer.checkpoints.gguf import inside, is_gguf, is_gguf_inside
from explorer.checkpoints.word_vectors import is_vectors
from explorer.errors import FormatError, NotFoundError
from explorer.trace import Checkpoint

CONFIG = "config.json"
VECTORS = ".txt, .vec or .bin, perhaps with .gz"


def locate(checkpoint: Checkpoint) -> Path:
    """The folder, the GGUF file or the file of word vectors that the name points to.

    A folder that holds one GGUF file, and no config.json, means that file.

    Raises NotFoundError where there is none, FormatError for a file of another kind.
    """
    try:
        folder = Path(checkpoint.name).expanduser()
    except RuntimeError as error:  # of a user who is none
        raise NotFoundError(
            f"{checkpoint.name} begins with a home folder that is not there.", "Write the full path."
        ) from error
    if folder.is_file():
        if is_gguf(folder):
            return folder
        if is_gguf_inside(folder):
            raise FormatError(
                f"{folder} is a GGUF file by its content, and not by its name.",
                "Rename it, so that it ends in .gguf.",
            )
        if is_vectors(folder):
            return folder
        if (folder.parent / CONFIG).exists():
            hint = f"Name its folder: folder:{folder.parent}."
            raise FormatError(f"{folder} is one file of a model.", hint)
        raise FormatError(
            f"{folder} ends neither as a GGUF file does nor as one of word vectors.",
            f"Those are .gguf, and {VECTORS}.",
        )
    if not folder.is_dir():
        raise NotFoundError(
            f"There is no folder or file {folder}.",
            "Write folder: and the full path of a folder with config.json and model.safetensors, "
            f"or of a .gguf file, or of a file of word vectors ({VECTORS}).",
        )
    return inside(folder) or folder
