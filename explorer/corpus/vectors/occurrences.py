"""Every occurrence of some words in some text files, as Parquet files.

A row is an occurrence: the number of its word, the sentence, the characters of the word in it (start, end),
and its sense if the text names one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.corpus.inspection import KINDS, Contents, inspect
from explorer.corpus.matching import forms as forms_of
from explorer.corpus.rows import Report, read
from explorer.errors import NotFoundError, TextError
from explorer.text.search import search_for

ROWS = 2048  # of a file: what is computed at a time, and done again if its process dies
SCHEMA = pa.schema(
    {"word": pa.int32(), "text": pa.string(), "start": pa.int32(), "end": pa.int32(), "sense": pa.string()}
)


def write(
    folder: Path,
    texts: Path,
    words: Sequence[str],
    forms: bool = False,
    encoding: str | None = None,
    columns: Sequence[str] = (),
) -> None:
    """Write the occurrences of words in a text file, or in all of a folder and its folders.

    `forms` includes regular endings. `columns` names a table's column of text and, second, of senses.
    Raises NotFoundError and TextError for texts that cannot be read, and TextError if no word occurs.
    """
    contents = {path: _inspect(path, encoding, columns) for path in find_files(texts)}
    searches = [search_for(*(forms_of(word) if forms else [word])) for word in words]
    rows = _rows(contents, searches)
    count = 0
    while chunk := list(islice(rows, ROWS)):
        pq.write_table(pa.Table.from_pylist(chunk, SCHEMA), folder / f"{count:06}.parquet")
        count += 1
    if not count:
        names = " or ".join(f"“{word}”" for word in words)
        raise TextError(f"{names} does not occur in {texts}.", "Choose another word.")


def find_files(place: Path) -> list[Path]:
    """The text files at a path: the file itself, or all in a folder and its folders.

    Raises NotFoundError if there is nothing, TextError if there is no text file.
    """
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise NotFoundError(f"There is no file or folder {place}.", "Name a text file, or a folder of them.")
    paths = sorted(p for p in place.rglob("*") if p.is_file() and p.suffix.lower().lstrip(".") in KINDS)
    if not paths:
        raise TextError(
            f"{place} has no file that Riverbank reads.", f"It reads files that end in {', '.join(KINDS)}."
        )
    return paths


def _rows(contents: dict[Path, Contents], searches: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for path, each in contents.items():
        with path.open("rb") as file:
            for sentence in read(each, file, Report(), most=None):
                for word, search in enumerate(searches):
                    for start, end in search.spans(sentence.text):
                        place = {"word": word, "start": start, "end": end}
                        yield place | {"text": sentence.text, "sense": sentence.sense}


def _inspect(path: Path, encoding: str | None, columns: Sequence[str]) -> Contents:
    """How to read a file, of any size. Raises TextError if it is empty, not a text, or lacks a column."""
    with path.open("rb") as file:
        contents = inspect(path.name, file, encoding, any_size=True)
    if contents.columns and columns:
        text, *sense = [_column_number(contents, column) for column in columns]
        contents = replace(contents, text=text, sense=sense[0] if sense else contents.sense)
    return contents


def _column_number(contents: Contents, name: str) -> int:
    names = [column.name for column in contents.columns]
    if name not in names:
        raise TextError(
            f"{contents.name} has no column “{name[:60]}”.", f"Its columns: {', '.join(names[:12])}."
        )
    return names.index(name)
