"""The files of a GGUF model: one, or the parts that llama.cpp's gguf-split wrote.

    model-00001-of-00003.gguf     the metadata of the model, and its first tensors
    model-00002-of-00003.gguf     more tensors

A part is found by its name.
"""

import re
from pathlib import Path

from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.reader import SUFFIX, read_header
from explorer.errors import FormatError, NotFoundError
from explorer.files.kinds import UNFINISHED, Kind, read_kind

PART = re.compile(r"(.+)-[0-9]{5}-of-([0-9]{5})(\.gguf)", re.IGNORECASE)


def is_gguf(path: Path) -> bool:
    """Whether a path is that of a GGUF file, by its name or, as with ollama's files, by its first bytes.

    >>> is_gguf(Path("model.Q4_K.gguf")), is_gguf(Path("model.bin"))
    (True, False)
    """
    suffix = path.suffix.lower()
    if suffix == SUFFIX:
        return not path.is_dir()
    return suffix not in UNFINISHED and path.is_file() and read_kind(path) is Kind.GGUF


def parts_of(path: Path) -> list[Path]:
    """All files of the model that a file is of, in their order. Raises NotFoundError for a missing one.

    >>> [part.name for part in parts_of(Path("model.Q4_K.gguf"))]
    ['model.Q4_K.gguf']
    """
    match = PART.fullmatch(path.name)
    if match is None:
        return [path]
    begin, count, suffix = match.groups()
    parts = [path.with_name(f"{begin}-{number:05}-of-{count}{suffix}") for number in range(1, int(count) + 1)]
    if missing := [part.name for part in parts if not part.exists()]:
        raise NotFoundError(
            f"{path.name} is one of {int(count)} parts of a model, and {missing[0]} is not beside it.",
            f"Put all {int(count)} into one folder.",
        )
    return parts or [path]


def read_parts(path: Path) -> Header:
    """The header of a whole model: the first part's metadata, and the tensors of all.

    Raises FormatError for another kind of file or a damaged one, NotFoundError for a missing part.
    """
    first, *others = [read_header(part) for part in parts_of(path)]
    count = first.get("split.count", int, 0)
    if count > 1 + len(others):
        raise FormatError(
            f"{first.name} is one of {count} parts of a model, which are found by their names.",
            f"Give them their first names again, which end in -00001-of-{count:05}.gguf and so on.",
        )
    tensors = {name: info for part in (first, *others) for name, info in part.tensors.items()}
    return Header(first.name, first.metadata, tensors)
