"""What a folder of vectors holds: `manifest.json`, written first and completed last."""

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from explorer.corpus.matching import forms
from explorer.corpus.shards.texts import FilePart, TextFile
from explorer.errors import ExplorerError, FormatError, NotFoundError
from explorer.files.writing import write_text

NAME, VERSION = "manifest.json", 1
Precision = Literal["float16", "float32"]
OTHER_FOLDER = "Give the vectors a folder of their own (--out)."


@dataclass(frozen=True)
class Manifest:
    """Which vectors a folder holds.

    `fingerprint` is that of the model's weights and tokenizer, `texts` the file or folder that was read,
    `depth` the number of the model's last layer. Once all parts are complete, `rows[word][part]` is the
    number of occurrences; until then it is empty.
    """

    model: str
    fingerprint: str
    d_model: int
    depth: int
    layers: list[int]
    words: list[str]
    forms: bool
    precision: Precision
    texts: str
    files: list[TextFile]
    parts: list[FilePart]
    rows: list[list[int]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all parts are complete."""
        return bool(self.rows)

    @property
    def totals(self) -> dict[str, int]:
        """The number of occurrences of each word."""
        return {word: sum(rows) for word, rows in zip(self.words, self.rows, strict=True)}

    def path(self, file: TextFile) -> Path:
        """The path of one of the texts."""
        place = Path(self.texts)
        return place / file.name if place.is_dir() else place

    def search_terms(self, word: int) -> list[str]:
        """The forms to search for, of a word by its number."""
        return forms(self.words[word]) if self.forms else [self.words[word]]

    def write(self, folder: Path) -> None:
        """Write the manifest, so that an interruption leaves the old one or the new one."""
        data = {"riverbank": "corpus", "version": VERSION, **asdict(self)}
        data["files"] = [file.to_json() for file in self.files]
        data["parts"] = [[part.file, part.start, part.end] for part in self.parts]
        data["occurrences"] = self.totals if self.complete else None
        write_text(folder / NAME, json.dumps(data, ensure_ascii=False, indent=1))


def read(folder: Path) -> Manifest:
    """A folder's manifest. Raises NotFoundError if it has none, FormatError for a damaged or newer one."""
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
        data["files"] = [TextFile.from_json(file) for file in data["files"]]
        data["parts"] = [FilePart(*part) for part in data["parts"]]
        manifest = Manifest(**{item.name: data[item.name] for item in fields(Manifest)})
        if manifest.precision not in ("float16", "float32") or not (manifest.layers and manifest.words):
            raise ValueError
        return manifest
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        if os.path.isfile(path):  # False for a name that no folder can have
            raise FormatError(f"{path} is damaged, or no manifest of ours.", OTHER_FOLDER) from error
        raise NotFoundError(
            f"{str(folder)[:120]} is no folder of vectors: it has no {NAME}.",
            "python -m explorer.corpus embed makes one.",
        ) from error


def require_same(existing: Manifest, requested: Manifest) -> None:
    """Raises ExplorerError, with the difference, if a folder was begun for something else."""
    if existing.fingerprint != requested.fingerprint or existing.model != requested.model:
        weights = " with other weights" if existing.model == requested.model else ""
        raise ExplorerError(
            f"The folder holds vectors of {existing.model}{weights}, not of {requested.model}.", OTHER_FOLDER
        )
    labels = {"words": "words", "layers": "layers", "forms": "word forms", "precision": "precision"}
    for name, label in labels.items():
        old, new = getattr(existing, name), getattr(requested, name)
        if old != new:
            raise ExplorerError(
                f"The folder was begun with {label} {_text(old)}, not {_text(new)}.", OTHER_FOLDER
            )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
