"""Examples of a person's own: typed lines, or a CSV or TSV file with a line of column names.

task      a typed line                                 columns of a file
Classes   The film was a joy. | positive               text, label
Pairs     It rained. | The street is wet. | follows    text, pair, label
Tags      fly to New/B-city York/I-city                words, tags  (spaces between)
Answers   passage | question | answer                  passage, question, answer  ("" for none)
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from explorer.errors import ExplorerError, TextError
from explorer.files import tables
from explorer.files.encoding import EncodingError, find_encoding, open_text
from explorer.files.lines import lines_of
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.tasks import Kind

MOST_BYTES = 5_000_000
MOST_ROWS = 10_000
# Each column with the names that other people's files give it.
COLUMNS: Mapping[Kind, Mapping[str, tuple[str, ...]]] = {
    "classes": {"text": ("text", "sentence"), "label": ("label", "class")},
    "pairs": {
        "text": ("text", "sentence1", "premise", "text1"),
        "pair": ("pair", "sentence2", "hypothesis", "text2"),
        "label": ("label", "class"),
    },
    "tags": {"words": ("words", "text", "tokens"), "tags": ("tags", "labels")},
    "answers": {
        "passage": ("passage", "context"),
        "question": ("question",),
        "answer": ("answer",),
    },
}
TYPED = {
    "classes": "text | class",
    "pairs": "first text | second text | class",
    "tags": "word word/B-name word/I-name",
    "answers": "passage | question | answer",
}


@dataclass(frozen=True)
class Given:
    """Examples as somebody gave them, and what is to be said of them (rows left out)."""

    examples: tuple[Example, ...]
    notes: tuple[str, ...] = ()


def typed(kind: Kind, text: str) -> Given:
    """Examples from lines that somebody typed or pasted; a tab will do for the bar.

    >>> typed("classes", "I liked it. | good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError, with the line's number, for one that cannot be read.
    """
    rows = []
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        fields = [line.strip()] if kind == "tags" else _fields(kind, line, number)
        rows.append((number, fields))
    return _given(kind, rows)


def file(kind: Kind, data: bytes, name: str = "The file") -> Given:
    """Examples from a CSV or TSV file whose first line names its columns.

    >>> file("classes", b"text,label\\nI liked it.,good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError for a file over 5 MB, one that is no text, or lacks a column, or has a bad row.
    """
    if len(data) > MOST_BYTES:
        raise TextError(
            f"{name} is {len(data) / 1e6:.1f} MB; at most {MOST_BYTES / 1e6:.0f} MB are read.",
            "Leave rows out: a few hundred examples are enough to see a head learn.",
        )
    text = _text(data, name)
    delimiter = tables.find_delimiter(text)
    rows = tables.rows(io.StringIO(text, newline=""), delimiter, name)
    header = next((row for _, row in islice(rows, 1)), [])
    places = _places(kind, [column.strip().lower() for column in header], name)
    body = []
    for number, row in rows:
        if extra := tables.cells_too_many(row, header):
            raise TextError(
                f"Line {number} of {name} has {len(header) + extra} cells, and its first line names "
                f"{len(header)}.",
                f"Put a text that holds “{delimiter}” in quotation marks.",
            )
        body.append((number, [row[i] if i < len(row) else "" for i in places]))
    return _given(kind, body)


def _fields(kind: Kind, line: str, number: int) -> list[str]:
    wanted = len(COLUMNS[kind])
    fields = [field.strip() for field in line.split("\t" if "\t" in line else "|")]
    if len(fields) > wanted:  # a bar within the text
        fields = ["|".join(fields[: -wanted + 1]), *fields[-wanted + 1 :]]
    if len(fields) != wanted:
        raise TextError(
            f"Line {number}, “{line.strip():.40}”, has {len(fields)} of {wanted} parts.",
            f"Write {TYPED[kind]}.",
        )
    return fields


def _places(kind: Kind, header: Sequence[str], name: str) -> list[int]:
    places = []
    for column, known in COLUMNS[kind].items():
        found = [header.index(one) for one in known if one in header]
        if not found:
            there = ", ".join(header)
            raise TextError(
                f"{name} has no column “{column}”; its first line names: {there:.80}.",
                f"Name the columns in the first line: {', '.join(COLUMNS[kind])}.",
            )
        places.append(found[0])
    return places


def _given(kind: Kind, rows: Iterable[tuple[int, Sequence[str]]]) -> Given:
    rows = list(rows)
    notes = []
    if len(rows) > MOST_ROWS:
        notes.append(f"{len(rows):,} rows were given; the first {MOST_ROWS:,} are used.")
    examples = []
    for number, fields in rows[:MOST_ROWS]:
        try:
            examples.append(_example(kind, fields))
        except ExplorerError as error:
            raise TextError(f"Line {number}: {error.message}", error.hint) from error
    if not examples:
        raise TextError("There are no examples.", f"Write one a line: {TYPED[kind]}.")
    return Given(tuple(examples), tuple(notes))


def _example(kind: Kind, fields: Sequence[str]) -> Example:
    fields = [field.strip() for field in fields]
    match kind:
        case "classes":
            return Labelled(fields[0], _label(fields[1]))
        case "pairs":
            return LabelledPair(fields[0], fields[1], _label(fields[2]))
        case "answers":
            return Question(fields[0], fields[1], fields[2])
        case "tags":
            return _tagged(fields)


def _label(label: str) -> str:
    if not label:
        raise TextError("The class is missing.", "Give every example a class.")
    return label


def _tagged(fields: Sequence[str]) -> Tagged:
    if len(fields) == 2:
        return Tagged(tuple(fields[0].split()), tuple(fields[1].split()))
    pairs = [word.rpartition("/") if "/" in word else (word, "/", "O") for word in fields[0].split()]
    for word, _, tag in pairs:
        if not word:
            raise TextError(f"“/{tag:.40}” has no word.", "Write each word before its tag: York/I-city.")
    return Tagged(tuple(word for word, _, _ in pairs), tuple(tag for _, _, tag in pairs))


def _text(data: bytes, name: str) -> str:
    """A file's text; "" for one without any, which then lacks a column."""
    if not data.strip():
        return ""
    file = io.BytesIO(data)
    try:
        return open_text(file, find_encoding(name, file), newline="").read()
    except EncodingError as error:
        raise TextError(error.message, "Save it as CSV in UTF-8.") from error
