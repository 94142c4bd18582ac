"""The text files that are read, and their parts, which end at the ends of lines."""

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from explorer.analysis.senses.occurrences import Sentence
from explorer.corpus.inspection import KINDS, Column, Contents, inspect
from explorer.corpus.rows import Report, read
from explorer.errors import NotFoundError, TextError
from explorer.files.encoding import UTF8

CHUNK = 1 << 20  # bytes read at a time to find the end of a line
EDGE = 1 << 16  # bytes at either end of a file that show whether it has changed
# In these encodings a newline byte is always a newline; in UTF-16 and UTF-32 it may be part of a character.
SPLITTABLE = (UTF8, "cp1252", "cp1250", "cp1251", "gb18030", "big5", "shift_jis", "euc_kr")


@dataclass(frozen=True)
class TextFile:
    """A file: its path below the folder of texts, its size and digest, how to read it."""

    name: str
    size: int
    digest: str
    contents: Contents

    def to_json(self) -> dict[str, Any]:
        """The file as the manifest stores it: of its columns, only the names."""
        contents = asdict(self.contents) | {"columns": [column.name for column in self.contents.columns]}
        return {"name": self.name, "size": self.size, "digest": self.digest, "contents": contents}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "TextFile":
        """The inverse of `to_json`."""
        columns = tuple(Column(name) for name in data["contents"]["columns"])
        contents = Contents(**data["contents"] | {"columns": columns})
        return cls(data["name"], data["size"], data["digest"], contents)


@dataclass(frozen=True)
class FilePart:
    """A range of bytes of a file, which has a number; it is read as one."""

    file: int
    start: int
    end: int


def find_files(place: Path) -> dict[str, Path]:
    """The text files at a path, by name: the file itself, or all in a folder and its folders.

    Raises NotFoundError if there is nothing, TextError if there is no text file.
    """
    if place.is_file():
        return {place.name: place}
    if not place.is_dir():
        raise NotFoundError(f"There is no file or folder {place}.", "Name a text file, or a folder of them.")
    paths = sorted(p for p in place.rglob("*") if p.is_file() and p.suffix.lower().lstrip(".") in KINDS)
    if not paths:
        raise TextError(
            f"{place} has no file that Riverbank reads.", "It reads files that end in .txt, .csv or .jsonl."
        )
    return {path.relative_to(place).as_posix(): path for path in paths}


def inspect_file(path: Path, name: str, encoding: str | None = None, columns: Sequence[str] = ()) -> TextFile:
    """How to read a file; `columns` names a table's column of text and, second, of senses.

    The whole file is read. Raises TextError if it is empty, not a text, or lacks a column.
    """
    with path.open("rb") as file:
        contents = inspect(path.name, file, encoding, any_size=True)
    if contents.columns and columns:
        text, *sense = [_column_number(contents, column) for column in columns]
        contents = replace(contents, text=text, sense=sense[0] if sense else contents.sense)
    return TextFile(name, path.stat().st_size, digest(path), replace(contents, name=name))


def digest(path: Path) -> str:
    """A hash of a file's size, its first bytes and its last."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(EDGE)
        file.seek(max(size - EDGE, 0))
        return hashlib.sha256(b"%d " % size + head + file.read(EDGE)).hexdigest()[:16]


def split_file(path: Path, number: int, file: TextFile, size: int) -> Iterator[FilePart]:
    """The parts of a file, of about `size` bytes each; a table is one part, since a cell may contain
    newlines."""
    if file.contents.kind == "csv" or file.contents.encoding not in SPLITTABLE:
        yield FilePart(number, 0, file.size)
        return
    with path.open("rb") as opened:
        start = 0
        while start < file.size:
            end = _line_end(opened, start + size, file)
            yield FilePart(number, start, end)
            start = end


def sentences(path: Path, file: TextFile, part: FilePart) -> Iterator[Sentence]:
    """The sentences of a part, in order. Raises TextError if a table is malformed."""
    with path.open("rb") as opened:
        source: BinaryIO = opened
        if (part.start, part.end) != (0, file.size):
            opened.seek(part.start)
            source = io.BytesIO(opened.read(part.end - part.start))
        yield from read(file.contents, source, Report(), most=None)


def _column_number(contents: Contents, name: str) -> int:
    names = [column.name for column in contents.columns]
    if name not in names:
        raise TextError(
            f"{contents.name} has no column “{name[:60]}”.", f"Its columns: {', '.join(names[:12])}."
        )
    return names.index(name)


def _line_end(opened: io.BufferedReader, position: int, file: TextFile) -> int:
    """The first end of a line at or after a position; of a paragraph if the lines are wrapped."""
    if position >= file.size:
        return file.size
    opened.seek(position)
    chunk = opened.read(CHUNK)
    ends = [b"\n\n", b"\n\r\n"] if file.contents.wrapped else [b"\n"]
    if len(chunk) == CHUNK:
        ends.append(b"\n")  # no paragraph is this long
    for end in ends:
        if (offset := chunk.find(end)) >= 0:
            return position + offset + len(end)
    return _line_end(opened, position + CHUNK, file)
