"""A local folder with the hub's file names, a GGUF file, or a file of word vectors."""

from pathlib import Path

from explorer.checkpoints.alone import file_alone
from explorer.checkpoints.gguf.file import inside
from explorer.checkpoints.gguf.parts import is_gguf
from explorer.checkpoints.integrity import check_links
from explorer.checkpoints.model_folder import ADAPTER, CONFIG, model_folder
from explorer.checkpoints.word_vectors import is_vectors
from explorer.errors import FormatError, NotFoundError
from explorer.files.kinds import UNFINISHED, read_kind
from explorer.tokenizers import TOKENIZER_FILES
from explorer.trace import Checkpoint

VECTORS = ".txt, .vec or .bin, perhaps with .gz"


def locate(checkpoint: Checkpoint) -> Path:
    """The folder, the GGUF file or the file of word vectors that the name points to.

    A folder with one GGUF file and no config.json stands for that file; one with a model's folder
    stands for that folder (see `model_folder`).

    Raises NotFoundError if there is nothing, FormatError for a file of another kind.
    """
    path = path_of(checkpoint.name)
    if path.is_file():
        return _whole_model(path)
    check_links([path])
    if not path.is_dir():
        raise NotFoundError(
            f"There is no folder or file {path}.",
            f"Check the spelling of folder:{checkpoint.name}: the full path of a folder with config.json and "
            f"model.safetensors, or of a .gguf file, or of a file of word vectors ({VECTORS}).",
        )
    folder = model_folder(path)
    return inside(folder) or folder


def path_of(name: str) -> Path:
    """The path of a name, which may begin with ~, or contain quotation marks or backslashes of a terminal.

    Raises NotFoundError for the home folder of an unknown user.
    """
    spellings = (name, name.rstrip("\"'"), name.replace("\\ ", " "))
    try:
        paths = [Path(spelling).expanduser() for spelling in spellings]
    except RuntimeError as error:  # no such user (~name)
        raise NotFoundError(
            f"{name} begins with a home folder that does not exist.", "Write the full path."
        ) from error
    return next((path for path in paths if path.exists()), paths[0])


def _whole_model(path: Path) -> Path:
    """A file that is a whole model. Raises FormatError for any other file."""
    if is_gguf(path):
        return path
    if path.suffix.lower() in UNFINISHED:
        raise FormatError(f"{path} is an incomplete download.", "Wait for it, or fetch it again.")
    of_a_model = path.name in TOKENIZER_FILES or not is_vectors(path)
    for name in (CONFIG, ADAPTER) if of_a_model else ():
        if (path.parent / name).exists():
            hint = f"Name its folder: folder:{path.parent}."
            raise FormatError(f"{path} is one file of a model.", hint)
    if is_vectors(path) and path.name not in TOKENIZER_FILES:
        return path
    if (error := file_alone(path)) is not None:
        raise error
    if (kind := read_kind(path)) is not None:
        raise FormatError(f"{path} is {kind.phrase}.", kind.hint)
    raise FormatError(
        f"{path} ends neither as a GGUF file does nor as one of word vectors.",
        f"Those are .gguf, and {VECTORS}.",
    )
