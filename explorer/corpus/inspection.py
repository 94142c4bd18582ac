"""What a file holds, judged by its first rows: its kind, its columns, and which of them looks like text.

The guesses are proposals: the visitor sees them, and may choose another column before the file is read.
"""

import io
import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO

import regex

from explorer.analysis.senses.occurrences import read_sentences
from explorer.corpus.matching import tidy
from explorer.corpus.splitting import are_wrapped
from explorer.errors import TextError
from explorer.files import tables
from explorer.files.encoding import find_encoding, open_text
from explorer.files.labelled_lines import is_conll
from explorer.files.lines import filled_lines, lines_of
from explorer.files.tables import NO_DELIMITER
from explorer.locale import N_, _, format_number

LONGEST_LINE = 1 << 20  # characters of a JSON line
KINDS = {"txt": "txt", "csv": "csv", "tsv": "csv", "jsonl": "jsonl"}  # of files, by their endings
MOST_MB = 5  # megabytes of a million bytes, as browsers count them
ROWS = 200  # inspected before a file is read
LEAST_LETTERS = 4  # of a cell of text, on average: fewer are numbers, or yes and no
SAMPLE = 1 << 18  # characters inspected
LONGEST_SENSE = 40
REPEATED = 0.6  # a column of senses has fewer different values than this share of its cells

_TEXT_NAMES = frozenset(
    (
        "text sentence sentences content body review comment message tweet abstract description context "
        "example document passage utterance 句子 文本 内容"
    ).split()
)
_LETTER = regex.compile(r"\p{L}")
_NAME = regex.compile(r"[\p{L}_][\p{L}\p{M}\p{N}_\u200c\u200d .-]{0,30}")
_SENSE_NAMES = frozenset(("sense senses label meaning class category tag gold topic 义项 标签 类别").split())


@dataclass(frozen=True)
class Column:
    """A column: name, first cells, mean number of letters in a cell, and whether it may hold senses."""

    name: str
    cells: tuple[str, ...] = ()
    letters: float = 0.0
    may_be_sense: bool = False


@dataclass(frozen=True)
class Contents:
    """How to read a file: what `inspect` guessed, or the visitor chose.

    `text` and `sense` are column numbers. A text file has neither: its lines are `wrapped` at a width, or
    `tagged` with ` #sense` at their ends, or plain; of the kind `conll` they hold a word each. `tags` are
    the commonest words there, where most lines have one, also if they are no senses: tweets have them too.
    """

    name: str
    kind: str
    encoding: str
    columns: tuple[Column, ...] = ()
    text: int = 0
    sense: int | None = None
    delimiter: str = NO_DELIMITER
    header: bool = False
    wrapped: bool = False
    tagged: bool = False
    tags: tuple[str, ...] = ()


def inspect(name: str, file: BinaryIO, encoding: str | None = None) -> Contents:
    """What a visitor's file holds; `encoding` is for files that are not UTF-8.

    Raises TextError if the file cannot be used, with what to do about it.
    """
    kind = KINDS.get(PurePath(name).suffix.lower().lstrip("."))
    if kind is None:
        raise TextError(
            _(
                "{name} is not a file that Riverbank reads: those end in .txt, .csv, .tsv or .jsonl.",
                name=name,
            ),
            _("Save a document as plain text, a table as .csv, and JSON as .jsonl with one object a line."),
        )
    size = file.seek(0, io.SEEK_END)
    if size > MOST_MB * 1_000_000:
        raise TextError(
            _(
                "{name} is {size} MB; {most} MB is the most.",
                name=name,
                size=format_number(math.ceil(size / 1e5) / 10),
                most=MOST_MB,
            ),
            _("Take a part of it: its first 30,000 lines, say, or the rows of one year."),
        )
    encoding = find_encoding(name, file, encoding)
    lines = open_text(file, encoding, newline="" if kind == "csv" else None)
    try:
        sample = lines.read(SAMPLE)
        truncated = len(sample) == SAMPLE
    finally:
        lines.detach()
    if kind != "jsonl" and is_conll(lines_of(sample)[: -1 if truncated else None]):
        return Contents(name, "conll", encoding)
    table = kind == "csv" or (kind == "txt" and _is_table(sample, truncated))
    if kind == "txt" and not table and not _is_records(sample):
        tags = _tags(sample)
        named_again = 0 < len(tags) < tags.total()  # as senses are, and the hashtags of a few tweets are not
        common = tuple(tag for tag, count in tags.most_common(3))
        return Contents(name, kind, encoding, wrapped=are_wrapped(sample), tagged=named_again, tags=common)
    if table:
        return _inspect_table(name, encoding, sample, truncated)
    return _inspect_records(name, encoding, sample, truncated)


def cell(record: Any, key: str) -> str:
    """A value of a JSON line as text; "" if it is missing, or not a text or a number."""
    value = record.get(key) if isinstance(record, dict) else record if key == LINE else None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):  # how pandas writes a missing value
        return ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):  # the words of a sentence
        return " ".join(value)
    return str(value) if isinstance(value, str | int | float) else ""


def read_record(line: str) -> Any:
    """The value of a JSON line, also of one within a list over several lines. Raises ValueError.

    >>> read_record('[{"text": "It rains."},')
    {'text': 'It rains.'}
    """
    try:
        return json.loads(line)
    except ValueError:
        return json.loads(line.strip().lstrip("[, ").rstrip("], "))


EXAMPLE = '{"text": "We sat on the bank.", "sense": "river"}'
COLUMN = N_("column {number}")
LINE = "line"  # the one column of lines that are strings


def _inspect_table(name: str, encoding: str, sample: str, truncated: bool) -> Contents:
    delimiter = tables.find_delimiter(sample)
    rows = _first_rows(name, sample, delimiter, truncated)
    header = len(rows) > 1 and _is_header(rows[0])
    names = [tidy(n) or _(COLUMN, number=i) for i, n in enumerate(rows[0], 1)] if header else []
    body = rows[1:] if header else rows
    # Spreadsheets end each row with as many delimiters as the widest has: columns without a name or a cell.
    width = max((i for row in rows for i, value in enumerate(row, 1) if value.strip()), default=0)
    names = names[:width] + [_(COLUMN, number=i) for i in range(len(names) + 1, width + 1)]
    columns = [_column(n, [row[i] if i < len(row) else "" for row in body]) for i, n in enumerate(names)]
    return _choose_columns(
        Contents(name, "csv", encoding, tuple(columns), delimiter=delimiter, header=header)
    )


def _first_rows(name: str, sample: str, delimiter: str, truncated: bool) -> list[list[str]]:
    """The rows of a sample; without the last if the sample is truncated."""
    rows: list[list[str]] = []
    try:
        for _, row in islice(tables.rows(io.StringIO(sample, newline=""), delimiter, name), ROWS + 1):
            rows.append(row)
    except TextError:  # the sample may end inside a cell
        if not truncated or len(rows) < 2:
            raise
        return rows
    return rows[:-1] if truncated and 1 < len(rows) <= ROWS else rows


def _is_table(sample: str, truncated: bool) -> bool:
    """Whether every line of a text has as many tabs as the first: so Excel saves “Unicode Text”."""
    try:
        rows = _first_rows("", sample, "\t", truncated)
    except TextError:
        return False
    return (
        len(rows) > 1 and {len(row) for row in rows} == {len(rows[0])} != {1} and all(map(str.strip, rows[0]))
    )


def _is_records(sample: str) -> bool:
    """Whether a text begins with a JSON object on a line."""
    first = next((line for line in filled_lines(sample) if line.strip("[, ")), "")
    try:
        return isinstance(read_record(first), dict)
    except (ValueError, RecursionError):
        return False


def _inspect_records(name: str, encoding: str, sample: str, truncated: bool) -> Contents:
    lines = filled_lines(sample)[:ROWS]
    if truncated and len(lines) > 1:
        lines.pop()
    records = []
    for line in lines:
        try:
            records.append(read_record(line))
        except (ValueError, RecursionError):
            continue
    keys = list(dict.fromkeys(k for r in records for k in (r if isinstance(r, dict) else [LINE])))
    usable = [r for r in records if isinstance(r, dict | str)]
    if not usable:
        raise TextError(
            _(_no_object(sample.lstrip()), name=name),
            _("Write one object a line, such as {example}.", example=EXAMPLE),
        )
    columns = [_column(key, [cell(record, key) for record in usable]) for key in keys]
    return _choose_columns(Contents(name, "jsonl", encoding, tuple(columns)))


def _no_object(sample: str) -> str:
    """That a JSON file has no object on a line, and what is in their place, where that is seen."""
    nothing = N_("{name} has no line that is a JSON object.")
    if sample.startswith("["):
        return N_("{name} has no line that is a JSON object: it is one long list.")
    try:
        end = json.JSONDecoder().raw_decode(sample)[1]
    except (ValueError, RecursionError):
        return nothing
    several = N_("{name} has no line that is a JSON object: its objects run over several lines.")
    return several if "\n" in sample[:end] else nothing


def _column(name: str, cells: list[str]) -> Column:
    values = [tidy(value) for value in cells if value.strip()]
    letters = sum(len(_LETTER.findall(value)) for value in values) / max(len(values), 1)
    different = set(values)
    few = 0 < len(different) <= max(REPEATED * len(values), 3)
    return Column(name, tuple(values[:3]), letters, few and max(map(len, different)) <= LONGEST_SENSE)


def _choose_columns(contents: Contents) -> Contents:
    """The contents with the likeliest column of text, and the first that is named like a sense, if any."""
    columns = contents.columns
    scores = [column.letters * (3 if column.name.lower() in _TEXT_NAMES else 1) for column in columns]
    text = max(range(len(columns)), key=scores.__getitem__, default=None)
    if text is None or columns[text].letters < LEAST_LETTERS:
        names = ", ".join(column.name for column in columns[:12]) or _("none")
        raise TextError(
            _("{name} has no column of text. Its columns: {columns}.", name=contents.name, columns=names),
            _("One column must hold sentences, or longer texts."),
        )
    sense = next(
        (i for i, c in enumerate(columns) if i != text and c.may_be_sense and c.name.lower() in _SENSE_NAMES),
        None,
    )
    return replace(contents, text=text, sense=sense)


def _is_header(row: list[str]) -> bool:
    """Whether a first row holds column names: short, all different, no numbers, no sentences."""
    names = [tidy(value).lower() for value in row]
    while names and not names[-1]:  # trailing delimiters
        names.pop()
    if any(name in _TEXT_NAMES | _SENSE_NAMES for name in names):
        return True
    return len(set(names)) == len(names) > 1 and all(
        _NAME.fullmatch(name) and name[-1] not in "." for name in names
    )


def _tags(sample: str) -> Counter[str]:
    """How often each word stands with a # at the end of a line; empty unless most lines have one."""
    senses = [sentence.sense for sentence in read_sentences(sample)]
    tags = Counter(sense for sense in senses if sense)
    return tags if tags.total() > len(senses) / 2 else Counter()
