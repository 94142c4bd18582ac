"""A visitor's own examples: typed lines, or a CSV or TSV file whose first line names its columns.

task      a typed line                                 columns of a file
Classes   The film was a joy. | positive               text, label
Pairs     It rained. | The street is wet. | follows    text, pair, label
Tags      fly to New/B-city York/I-city                words, tags  (spaces between)
Answers   passage | question | answer                  passage, question, answer  ("" for none)

fastText's lines and CoNLL's columns are read as well, and so are lines whose class comes first, and other
names of the columns (`columns`).
"""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from explorer.errors import ExplorerError, TextError
from explorer.files import tables
from explorer.files.encoding import EncodingError, find_encoding, open_text
from explorer.files.labelled_lines import (
    FASTTEXT,
    conll_sentences,
    fasttext_line,
    is_conll,
    pasted_rows,
    without_markdown,
)
from explorer.files.lines import lines_of
from explorer.finetuning.columns import COLUMNS, class_last, find_columns, looks_like_names, without_numbers
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged
from explorer.finetuning.repeats import merge_spellings, repeats_note
from explorer.finetuning.tasks import Kind
from explorer.locale import N_, _, format_number

MOST_BYTES = 5_000_000
MOST_ROWS = 10_000
TYPED = {
    "classes": N_("text | class"),
    "pairs": N_("first text | second text | class"),
    "tags": N_("word word/B-name word/I-name"),
    "answers": N_("passage | question | answer"),
}


@dataclass(frozen=True)
class ParsedExamples:
    """Examples, and a note for the visitor on what was left out or read otherwise than it stands."""

    examples: tuple[Example, ...]
    note: str = ""


DELIMITER_NAMES = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("bars")}
Rows = list[tuple[int, list[str]]]  # the fields of each example, with the number of its line


def parse_lines(kind: Kind, text: str, has_names: bool = True) -> ParsedExamples:
    """Examples from typed or pasted lines; a tab can stand for the bar.

    The first line may name the columns, as its look decides and the note says, unless `has_names` is false.

    >>> parse_lines("classes", "I liked it. | good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError, with the line's number, for a line that cannot be read.
    """
    text = without_markdown(text)
    if rows := _rows_of_other_programs(kind, text):
        return _examples(kind, rows)
    first = next((line for line in lines_of(text) if line.strip()), "")
    has_names, name = has_names and len(lines_of(text.strip())) > 1, _("The text")
    for delimiter in tables.DELIMITERS if has_names else "":
        header = first.split(delimiter)
        if len(header) > 1 and len(find_columns(kind, header, strict=True)) == len(COLUMNS[kind]):
            cells = pasted_rows(text) if delimiter == "\t" else _table_rows(text, delimiter, name)
            return _examples(kind, *_named_cells(kind, cells, delimiter, name))
    if kind == "tags":
        return _examples(kind, [(i, [line]) for i, line in enumerate(lines_of(text), 1) if line.strip()])
    return _examples(kind, *_fields(kind, text, has_names))


def parse_table(kind: Kind, data: bytes, name: str = "The file") -> ParsedExamples:
    """Examples from a CSV or TSV file whose first line names its columns.

    >>> parse_table("classes", b"text,label\\nI liked it.,good").examples
    (Labelled(text='I liked it.', label='good'),)

    Raises TextError for a file over 5 MB, one that is not text, or lacks a column, or has a bad row.
    """
    if len(data) > MOST_BYTES:
        raise TextError(
            _(
                "{file} is {size} MB; at most {most} MB are read.",
                file=name,
                size=f"{len(data) / 1e6:.1f}",
                most=f"{MOST_BYTES / 1e6:.0f}",
            ),
            _("Leave rows out: a few hundred examples are enough to see a head learn."),
        )
    text = _text(data, name)
    if rows := _rows_of_other_programs(kind, text):
        return _examples(kind, rows)
    delimiter = tables.find_delimiter(text)
    return _examples(kind, *_named_cells(kind, _table_rows(text, delimiter, name), delimiter, name))


def _table_rows(text: str, delimiter: str, name: str) -> Iterable[tuple[int, list[str]]]:
    return tables.rows(io.StringIO(text, newline=""), delimiter, name)


def _named_cells(
    kind: Kind, rows: Iterable[tuple[int, list[str]]], delimiter: str, name: str
) -> tuple[Rows, str]:
    """The cells of a table's rows under the names that a kind of task needs, and a note on other names.

    The first row has the names.
    """
    filled = (row for row in rows if any(map(str.strip, row[1])))
    header = next((row for __, row in islice(filled, 1)), [])
    columns = find_columns(kind, header)
    if missing := [column for column in COLUMNS[kind] if column not in columns]:
        raise _without_column(kind, missing[0], header, delimiter, name)
    body = []
    for number, row in filled:
        if extra := tables.cells_too_many(row, header):
            raise TextError(
                _(
                    "Line {number} of {file} has {cells} cells, and its first line names {names}.",
                    number=number,
                    file=name,
                    cells=len(header) + extra,
                    names=len(header),
                ),
                _("Put a text that holds “{delimiter}” in quotation marks.", delimiter=delimiter),
            )
        body.append(
            (number, [row[columns[column]] if columns[column] < len(row) else "" for column in COLUMNS[kind]])
        )
    others = [(header[i].strip(), column) for column, i in columns.items()]
    renamed = [
        _("“{theirs}” for {ours}", theirs=theirs[:40], ours=ours)
        for theirs, ours in others
        if theirs.lower() != ours
    ]
    note = _("The first line names the columns: {names}.", names=", ".join(renamed))
    return body, note if renamed else ""


def _without_column(kind: Kind, column: str, header: Sequence[str], delimiter: str, name: str) -> TextError:
    """The error for a table without a column; it names the task that its columns fit."""
    names = ", ".join(cell.strip().lower() for cell in header)
    others = [other for other in COLUMNS if len(find_columns(other, header)) == len(COLUMNS[other])]
    hint = _("Name the columns in the first line: {columns}.", columns=", ".join(COLUMNS[kind]))
    if others:
        hint += " " + _("As they are, they fit the examples of {task}.", task=_(others[0]))
    text = _(
        "{file} has no column “{column}”; its first line names, with {delimiters} between: {names}.",
        file=name,
        column=column,
        delimiters=_(DELIMITER_NAMES.get(delimiter, N_("no delimiter"))),
        names=names[:80],
    )
    return TextError(text, hint)


def _rows_of_other_programs(kind: Kind, text: str) -> Rows:
    """The examples of fastText's lines, or of CoNLL's columns; none of another text."""
    lines = lines_of(text)
    if kind == "tags" and is_conll(lines, strict="/" in text):  # typed tags have a slash before them
        return [(number, [" ".join(words), " ".join(tags)]) for number, words, tags in conll_sentences(lines)]
    if kind != "classes" or FASTTEXT not in next(filter(str.strip, lines), ""):
        return []
    rows = []
    for number, line in enumerate(lines, 1):
        sentence, labels = fasttext_line(line)
        if len(labels) > 1 or (sentence and not labels):
            raise TextError(
                _("Line {number} has {count} classes in fastText’s form.", number=number, count=len(labels)),
                _("Leave one {mark}name in each line.", mark=FASTTEXT),
            )
        if labels:
            rows.append((number, [sentence, labels[0]]))
    return rows


def _fields(kind: Kind, text: str, has_names: bool) -> tuple[Rows, str]:
    """The fields of lines without known names, in the order of COLUMNS, and a note on what is left out."""
    count = len(COLUMNS[kind])
    filled = [(number, cells) for number, cells in _lines(text, count) if any(map(str.strip, cells))]
    rows = [(i, cells if len(cells) > 1 else cells[0].split("|")) for i, cells in filled]
    notes = []
    if has_names and rows:
        table = [[cell.strip() for cell in row] for __, row in rows]
        are_names, names = looks_like_names(table), " | ".join(table[0])
        if are_names or (are_names is None and find_columns(kind, table[0], strict=True)):
            filled, rows = filled[1:], rows[1:]
            text = N_("The first line, “{names}”, names the columns. Is it an example? Put it further down.")
            notes = [_(text, names=names[:60])]
        elif are_names is None:
            text = N_("Does the first line, “{names}”, name the columns? Then leave it out.")
            notes = [_(text, names=names[:60])]
    rows, note = without_numbers(rows, count)
    notes.append(note)
    for i, (number, cells) in enumerate(filled):
        row = rows[i][1]
        while len(row) > count and not row[-1].strip() and len(cells) > 1:
            row = row[:-1]  # a spreadsheet's rows are all as long as the longest
        if len(row) > count and len(cells) == 1:
            row = cells[0].rsplit("|", count - 1)  # a bar within the text
        if len(row) != count:
            text = N_("Line {number}, “{text}”, has {parts} of {needed} parts.")
            if len(cells) > 1:
                text = N_("Line {number}, “{text}”, has {parts} columns, and needs {needed}.")
            line = " ".join(cells).strip()[:40]
            raise TextError(
                _(text, number=number, text=line, parts=len(row), needed=count),
                _(
                    "Write {form}, or name the columns in the first line: {columns}.",
                    form=_(TYPED[kind]),
                    columns=", ".join(COLUMNS[kind]),
                ),
            )
        rows[i] = number, [" ".join(field.split()) for field in row]
    if kind != "answers":
        rows, note = class_last(rows)
        notes.append(note)
    return rows, " ".join(filter(None, notes))


def _lines(text: str, count: int) -> Iterable[tuple[int, list[str]]]:
    """The lines of a text in cells, with their numbers: of a table below a line of names, or of tabs."""
    if "\t" in text:
        return pasted_rows(text)
    lines = [(i, [line]) for i, line in enumerate(lines_of(text), 1)]
    delimiter = tables.find_delimiter(text)
    if "|" not in text and delimiter in (",", ";"):
        try:
            rows = list(_table_rows(text, delimiter, ""))
        except TextError:
            return lines
        cells = [[cell.strip() for cell in row] for _, row in rows]
        if all(len(row) == count for row in cells) and looks_like_names(cells):
            return rows
    return lines


def _examples(kind: Kind, rows: Rows, note: str = "") -> ParsedExamples:
    notes = [note]
    if len(rows) > MOST_ROWS:
        text = N_("{count} rows were given; the first {most} are used.")
        notes.append(_(text, count=format_number(len(rows)), most=format_number(MOST_ROWS)))
    examples = []
    for number, fields in rows[:MOST_ROWS]:
        try:
            examples.append(_example(kind, fields))
        except ExplorerError as error:
            raise TextError(
                _("Line {number}: {problem}", number=number, problem=error.message), error.hint
            ) from error
    if not examples:
        raise TextError(_("There are no examples."), _("Write one a line: {form}.", form=_(TYPED[kind])))
    examples, spellings_note = merge_spellings(examples)
    return ParsedExamples(
        tuple(examples), " ".join(filter(None, (*notes, spellings_note, repeats_note(examples))))
    )


def _example(kind: Kind, fields: Sequence[str]) -> Example:
    fields = [field.strip() for field in fields]
    match kind:
        case "classes" | "pairs" if not fields[-1]:
            raise TextError(_("The class is missing."), _("Give every example a class."))
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
    for word, __, tag in pairs:
        if not word:
            raise TextError(
                _("“/{tag}” has no word.", tag=tag[:40]), _("Write each word before its tag: York/I-city.")
            )
    return Tagged(tuple(word for word, *__ in pairs), tuple(tag for *__, tag in pairs))


def _text(data: bytes, name: str) -> str:
    """A file's text; "" for an empty file, which then lacks a column."""
    if not data.strip():
        return ""
    file = io.BytesIO(data)
    try:
        return open_text(file, find_encoding(name, file), newline="").read()
    except EncodingError as error:
        raise TextError(error.message, _("Save it as CSV in UTF-8.")) from error


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
    fields = [" ".join(field.split()) for field in fields]
    return ("\t" if any("|" in field for field in fields) else " | ").join(fields)


def _tagged_word(word: str, tag: str) -> str:
    return word if tag == "O" and "/" not in word else f"{word}/{tag}"
