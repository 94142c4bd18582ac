"""What a folder of vectors holds: `manifest.json`, and `word=NUMBER/*.parquet` for each word.

The columns are those of `occurrences`, and one for each layer with the bytes of the vector:

    numpy.frombuffer(row["layer_6"], "<f2")

Bytes are read six times as fast as lists of numbers.
"""

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from explorer.errors import FormatError, NotFoundError
from explorer.files.writing import write_text

NAME, VERSION = "manifest.json", 2
DTYPE = np.dtype("<f2")


@dataclass(frozen=True)
class Manifest:
    """Which vectors a folder holds.

    `fingerprint` is that of the model's weights and tokenizer, `texts` the file or folder that was read.
    `totals` are the numbers of occurrences of the words.
    """

    model: str
    fingerprint: str
    d_model: int
    layers: list[int]
    words: list[str]
    forms: bool
    texts: str
    totals: list[int]

    def write(self, folder: Path) -> None:
        """Write the manifest."""
        data = {"riverbank": "corpus", "version": VERSION, **asdict(self)}
        write_text(folder / NAME, json.dumps(data, ensure_ascii=False, indent=1))


def read(folder: Path) -> Manifest:
    """A folder's manifest. Raises NotFoundError if it has none, FormatError for a damaged or other one."""
    path = folder / NAME
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        if data["riverbank"] != "corpus":
            raise ValueError
        if data["version"] != VERSION:
            raise FormatError(
                f"{path} is of version {data['version']!s:.20}, and this Riverbank reads version {VERSION}.",
                "Compute the vectors again, or use the Riverbank that wrote them.",
            )
        manifest = Manifest(**{item.name: data[item.name] for item in fields(Manifest)})
        if not (manifest.layers and manifest.words):
            raise ValueError
        return manifest
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        if os.path.isfile(path):  # False for a name that no folder can have
            raise FormatError(
                f"{path} is damaged, or no manifest of ours.", "Compute the vectors again."
            ) from error
        raise NotFoundError(
            f"{str(folder)[:120]} is no folder of vectors: it has no {NAME}.",
            "python -m explorer.corpus embed makes one.",
        ) from error


def column(layer: int) -> str:
    """The name of the column with a layer's vectors.

    >>> column(6)
    'layer_6'
    """
    return f"layer_{layer}"


def files(folder: Path, word: int) -> list[Path]:
    """The files of a word, by its number, in order."""
    return sorted((folder / f"word={word}").glob("*.parquet"))
