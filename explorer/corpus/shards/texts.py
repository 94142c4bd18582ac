"""Which files are read, and where each is cut into parts: at ends of lines, so that no sentence is cut."""

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from explorer.analysis.senses.occurrences import Sentence
from explorer.corpus.inspection import KINDS, Column, Contents, inspect
from explorer.corpus.rows import Report, read
from explorer.errors import NotFoundError, TextError
from explorer.files.encoding import UTF8

LOOK = 1 << 20  # bytes in which the end of a line is looked for
EDGE = 1 << 16  # bytes at either end of a file that tell whether it is still the same
# In these a byte that looks like the end of a line is one; in UTF-16 and UTF-32 it may be half of a letter.
CUT = (UTF8, "cp1252", "cp1250", "cp1251", "gb18030", "big5", "shift_jis", "euc_kr")


@dataclass(frozen=True)
class TextFile:
    """One file: its place below the folder that was named, what tells it from another, how to read it."""

    name: str
    size: int
    digest: str
    contents: Contents

    def written(self) -> dict[str, Any]:
        """As the manifest keeps it: of the columns their names alone."""
        kept = asdict(self.contents) | {"columns": [column.name for column in self.contents.columns]}
        return {"name": self.name, "size": self.size, "digest": self.digest, "contents": kept}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> "TextFile":
        """The inverse of `written`."""
        columns = tuple(Column(name, [], 0.0, False) for name in kept["contents"]["columns"])
        return cls(
            kept["name"], kept["size"], kept["digest"], Contents(**kept["contents"] | {"columns": columns})
        )


@dataclass(frozen=True)
class Part:
    """The bytes of a file, by its number, that are read together."""

    file: int
    start: int
    end: int


def files(place: Path) -> list[Path]:
    """The text files at a place: itself, or those in a folder and its folders, by name.

    Raises NotFoundError where there is nothing, TextError where there is no text file.
    """
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise NotFoundError(f"There is no file or folder {place}.", "Name a text file, or a folder of them.")
    found = [path for path in place.rglob("*") if path.is_file() and path.suffix.lower().lstrip(".") in KINDS]
    if not found:
        raise TextError(
            f"{place} has no file that Riverbank reads.", "It reads files that end in .txt, .csv or .jsonl."
        )
    return sorted(found)


def looked_at(path: Path, name: str, encoding: str | None = None, columns: Sequence[str] = ()) -> TextFile:
    """A file as it is to be read; `columns` name those of a table that hold the text and, second, the sense.

    All of it is read through. Raises TextError for one that is empty or no text, or lacks a column.
    """
    with path.open("rb") as file:
        contents = inspect(path.name, file, encoding, any_size=True)
    if contents.columns and columns:
        text, *sense = [_column(contents, column) for column in columns]
        contents = replace(contents, text=text, sense=sense[0] if sense else contents.sense)
    return TextFile(name, path.stat().st_size, digest(path), replace(contents, name=name))


def digest(path: Path) -> str:
    """What tells a file from another: its size, and the bytes at its beginning and at its end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(EDGE)
        file.seek(max(size - EDGE, 0))
        return hashlib.sha256(b"%d " % size + head + file.read(EDGE)).hexdigest()[:16]


def cut(path: Path, number: int, file: TextFile, size: int) -> Iterator[Part]:
    """A file in parts of about `size` bytes; a table, where a cell may hold the end of a line, in one."""
    if file.contents.kind == "csv" or file.contents.encoding not in CUT:
        yield Part(number, 0, file.size)
        return
    with path.open("rb") as opened:
        start = 0
        while start < file.size:
            end = _line_end(opened, start + size, file)
            yield Part(number, start, end)
            start = end


def sentences(path: Path, file: TextFile, part: Part) -> Iterator[Sentence]:
    """The sentences of a part, in order. Raises TextError where a table cannot be read on."""
    with io.BufferedReader(_Slice(path, part.start, part.end), LOOK) as opened:
        yield from read(file.contents, opened, Report())


def _column(contents: Contents, name: str) -> int:
    names = [column.name for column in contents.columns]
    if name not in names:
        raise TextError(
            f"{contents.name} has no column “{name[:60]}”.", f"Its columns: {', '.join(names[:12])}."
        )
    return names.index(name)


def _line_end(opened: io.BufferedReader, at: int, file: TextFile) -> int:
    """The first place from `at` on where a line ends, or a paragraph where lines are broken to a width."""
    if at >= file.size:
        return file.size
    opened.seek(at)
    ahead = opened.read(LOOK)
    ends = [b"\n\n", b"\n\r\n"] if file.contents.wrapped else [b"\n"]
    if len(ahead) == LOOK:
        ends.append(b"\n")  # no paragraph is this long
    for mark in ends:
        if (found := ahead.find(mark)) >= 0:
            return at + found + len(mark)
    return _line_end(opened, at + LOOK, file)


class _Slice(io.RawIOBase):
    """Some bytes of a file, as if they were the file."""

    def __init__(self, path: Path, start: int, end: int) -> None:
        self._file, self._start, self._end = path.open("rb", buffering=0), start, end
        self._file.seek(start)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: self._start, io.SEEK_CUR: self._file.tell(), io.SEEK_END: self._end}[whence]
        return self._file.seek(base + offset) - self._start

    def tell(self) -> int:
        return self._file.tell() - self._start

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer)[: max(self._end - self._file.tell(), 0)]
        return self._file.readinto(room) or 0

    def close(self) -> None:
        self._file.close()
        super().close()
