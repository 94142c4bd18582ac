"""What a folder of vectors says of itself: `manifest.json`, written first and completed last."""

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from explorer.corpus.matching import forms
from explorer.corpus.shards.texts import Part, TextFile
from explorer.errors import ExplorerError, FormatError, NotFoundError

NAME, VERSION = "manifest.json", 1
Precision = Literal["float16", "float32"]
AGAIN = "Give the vectors a folder of their own (--out)."


@dataclass(frozen=True)
class Manifest:
    """Which vectors a folder holds, and of what.

    `fingerprint` is that of the model's weights and tokenizer, `texts` the file or folder that was read,
    `depth` the number of the model's last layer. Once all parts are there, `rows` has for each word how many
    occurrences each part has.
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
    parts: list[Part]
    rows: list[list[int]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether all parts are there."""
        return bool(self.rows)

    @property
    def totals(self) -> dict[str, int]:
        """How many occurrences of each word there are."""
        return {word: sum(rows) for word, rows in zip(self.words, self.rows, strict=True)}

    def path(self, file: TextFile) -> Path:
        """Where one of the texts is."""
        place = Path(self.texts)
        return place / file.name if place.is_dir() else place

    def searched(self, word: int) -> list[str]:
        """What is looked for under a word, by its number: it, and its regular endings where asked for."""
        return forms(self.words[word]) if self.forms else [self.words[word]]

    def write(self, folder: Path) -> None:
        """Write it down, whole or not at all."""
        kept = {"riverbank": "corpus", "version": VERSION, **asdict(self)}
        kept["files"] = [file.written() for file in self.files]
        kept["parts"] = [[part.file, part.start, part.end] for part in self.parts]
        kept["occurrences"] = self.totals if self.complete else None
        beside = folder / f"{NAME}.tmp"
        beside.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
        os.replace(beside, folder / NAME)


def read(folder: Path) -> Manifest:
    """A folder's manifest. Raises NotFoundError where it has none, FormatError for one that is not ours."""
    path = folder / NAME
    try:
        there = path.is_file()
    except (OSError, ValueError):  # a name that no folder can have
        there = False
    if not there:
        raise NotFoundError(
            f"{str(folder)[:120]} is no folder of vectors: it has no {NAME}.",
            "python -m explorer.corpus embed makes one.",
        )
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if kept["riverbank"] != "corpus":
            raise ValueError
        if kept["version"] != VERSION:
            raise FormatError(
                f"{path} is of version {kept['version']!s:.20}, and this Riverbank reads version {VERSION}.",
                "Compute the vectors anew, or use the Riverbank that wrote them.",
            )
        kept["files"] = [TextFile.of(file) for file in kept["files"]]
        kept["parts"] = [Part(*part) for part in kept["parts"]]
        made = Manifest(**{one.name: kept[one.name] for one in fields(Manifest)})
        if made.precision not in ("float16", "float32") or not (made.layers and made.words):
            raise ValueError
        return made
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} is damaged, or no manifest of ours.", AGAIN) from error


def agree(there: Manifest, asked: Manifest) -> None:
    """Raises ExplorerError, with what differs, where a folder was begun for something else."""
    if there.fingerprint != asked.fingerprint or there.model != asked.model:
        weights = " with other weights" if there.model == asked.model else ""
        raise ExplorerError(
            f"The folder holds vectors of {there.model}{weights}, not of {asked.model}.", AGAIN
        )
    told = {"words": "words", "layers": "layers", "forms": "word forms", "precision": "precision"}
    for name, called in told.items():
        old, new = getattr(there, name), getattr(asked, name)
        if old != new:
            raise ExplorerError(f"The folder was begun with {called} {_said(old)}, not {_said(new)}.", AGAIN)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
