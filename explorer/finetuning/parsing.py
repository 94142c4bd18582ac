"""A visitor's own examples: typed lines, or a CSV or TSV file whose first line names its columns.

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
# Each column with its names in common files.
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
class ParsedExamples:
    """Examples, and a note for the visitor if rows are not used."""

    examples: tuple[Example, ...]
    note: str = ""


def parse_lines(kind: Kind, text: str) -> ParsedExamples:
    """Examples from typed or pasted lines; a tab can stand for the bar.

    >>> parse_lines("classes", "I liked it. | good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError, with the line's number, for a line that cannot be read.
    """
    rows = []
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        fields = [line.strip()] if kind == "tags" else _fields(kind, line, number)
        rows.append((number, fields))
    return _examples(kind, rows)


def parse_table(kind: Kind, data: bytes, name: str = "The file") -> ParsedExamples:
    """Examples from a CSV or TSV file whose first line names its columns.

    >>> parse_table("classes", b"text,label\\nI liked it.,good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError for a file over 5 MB, one that is not text, or lacks a column, or has a bad row.
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
    columns = _column_numbers(kind, [column.strip().lower() for column in header], name)
    body = []
    for number, row in rows:
        if extra := tables.cells_too_many(row, header):
            raise TextError(
                f"Line {number} of {name} has {len(header) + extra} cells, and its first line names "
                f"{len(header)}.",
                f"Put a text that holds “{delimiter}” in quotation marks.",
            )
        body.append((number, [row[i] if i < len(row) else "" for i in columns]))
    return _examples(kind, body)


def _fields(kind: Kind, line: str, number: int) -> list[str]:
    count = len(COLUMNS[kind])
    fields = [field.strip() for field in line.split("\t" if "\t" in line else "|")]
    if len(fields) > count:  # a bar within the text
        fields = ["|".join(fields[: -count + 1]), *fields[-count + 1 :]]
    if len(fields) != count:
        raise TextError(
            f"Line {number}, “{line.strip():.40}”, has {len(fields)} of {count} parts.",
            f"Write {TYPED[kind]}.",
        )
    return fields


def _column_numbers(kind: Kind, header: Sequence[str], name: str) -> list[int]:
    numbers = []
    for column, names in COLUMNS[kind].items():
        matches = [header.index(other) for other in names if other in header]
        if not matches:
            raise TextError(
                f"{name} has no column “{column}”; its first line names: {', '.join(header):.80}.",
                f"Name the columns in the first line: {', '.join(COLUMNS[kind])}.",
            )
        numbers.append(matches[0])
    return numbers


def _examples(kind: Kind, rows: Iterable[tuple[int, Sequence[str]]]) -> ParsedExamples:
    rows = list(rows)
    note = ""
    if len(rows) > MOST_ROWS:
        note = f"{len(rows):,} rows were given; the first {MOST_ROWS:,} are used."
    examples = []
    for number, fields in rows[:MOST_ROWS]:
        try:
            examples.append(_example(kind, fields))
        except ExplorerError as error:
            raise TextError(f"Line {number}: {error.message}", error.hint) from error
    if not examples:
        raise TextError("There are no examples.", f"Write one a line: {TYPED[kind]}.")
    return ParsedExamples(tuple(examples), note)


def _example(kind: Kind, fields: Sequence[str]) -> Example:
    fields = [field.strip() for field in fields]
    match kind:
        case "classes" | "pairs" if not fields[-1]:
            raise TextError("The class is missing.", "Give every example a class.")
        case "classes":
            return Labelled(fields[0], fields[1])
        case "pairs":
            return LabelledPair(fields[0], fields[1], fields[2])
        case "answers":
            return Question(fields[0], fields[1], fields[2])
        case "tags":
            return _tagged(fields)


def _tagged(fields: Sequence[str]) -> Tagged:
    if len(fields) == 2:
        return Tagged(tuple(fields[0].split()), tuple(fields[1].split()))
    pairs = [word.rpartition("/") if "/" in word else (word, "/", "O") for word in fields[0].split()]
    for word, _, tag in pairs:
        if not word:
            raise TextError(f"“/{tag:.40}” has no word.", "Write each word before its tag: York/I-city.")
    return Tagged(tuple(word for word, _, _ in pairs), tuple(tag for _, _, tag in pairs))


def _text(data: bytes, name: str) -> str:
    """A file's text; "" for an empty file, which then lacks a column."""
    if not data.strip():
        return ""
    file = io.BytesIO(data)
    try:
        return open_text(file, find_encoding(name, file), newline="").read()
    except EncodingError as error:
        raise TextError(error.message, "Save it as CSV in UTF-8.") from error


def format_lines(examples: Sequence[Example]) -> str:
    """The lines that `parse_lines` reads as the same examples; white space in a text becomes a space.

    >>> format_lines([LabelledPair("A man sleeps.", "Nobody is awake.", "no")])
    'A man sleeps. | Nobody is awake. | no'
    """
    return "\n".join(map(_line, examples))


def _line(example: Example) -> str:
    match example:
        case Labelled():
            fields = [example.text, example.label]
        case LabelledPair():
            fields = [example.text, example.pair, example.label]
        case Question():
            fields = [example.passage, example.question, example.answer]
        case Tagged():
            return " ".join(map(_tagged_word, example.words, example.tags))
    return " | ".join(" ".join(field.replace("|", "/").split()) for field in fields)


def _tagged_word(word: str, tag: str) -> str:
    return word if tag == "O" and "/" not in word else f"{word}/{tag}"
