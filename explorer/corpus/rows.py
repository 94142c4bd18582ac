"""The sentences of a file, and a count of what could not be read."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO, TextIO

from explorer.analysis.senses.occurrences import Sentence, read_sentences
from explorer.corpus.inspection import LONGEST_LINE, LONGEST_SENSE, Contents, cell, read_record
from explorer.corpus.matching import tidy
from explorer.corpus.splitting import PIECE, parts, sentences, split
from explorer.errors import TextError
from explorer.files import tables
from explorer.files.encoding import open_text
from explorer.files.labelled_lines import FASTTEXT, conll_sentences
from explorer.files.lines import lines_of
from explorer.locale import N_, _, format_number, ngettext
from explorer.text.folding import fold

QUOTE = N_("Put a text that holds the character between cells in quotation marks.")
MOST_SENTENCES = 150_000  # twice as many as 5 MB of ordinary prose have
ROWS = 4096  # empty rows between two steps
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")  # `splitlines` also ends lines within sentences
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*+\n){2,}+")
PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n")  # in a cell; a single line end may only wrap the text


@dataclass
class Report:
    """Counts of what was skipped while a file was read, so that nothing is left out silently."""

    empty: int = 0
    broken: list[int] = field(default_factory=list)  # line numbers of the first few
    broken_lines: int = 0
    wide: list[int] = field(
        default_factory=list
    )  # line numbers of the first few rows with more cells than names
    wide_rows: int = 0
    most: int | None = None  # the number of sentences, if there were more than were to be read
    senses: dict[str, str] = field(default_factory=dict)  # the first spelling of each
    other_spellings: dict[str, str] = field(default_factory=dict)  # of senses, and as what they are read

    def spelling(self, sense: str | None) -> str | None:
        """A sense in the first of its spellings."""
        if not sense:
            return None
        first = self.senses.setdefault(fold(sense), sense)
        if first != sense:
            self.other_spellings[sense] = first
        return first

    def notes(self, contents: Contents) -> list[str]:
        """The counts as sentences for the reader."""
        notes = []
        if contents.columns and contents.name.endswith(".txt"):  # also of a paste, where nobody was asked
            column = contents.columns[contents.text].name
            notes.append(_("It is read as a table, by its column “{name}”.", name=column))
        if contents.tags:
            read = (
                N_("The words with # or {label} ({words} …) are read as senses.")
                if contents.tagged
                else N_("The words with # or {label} ({words} …) stay in their sentences.")
            )
            notes.append(_(read, label=FASTTEXT, words=", ".join(contents.tags)))
        if contents.kind == "conll":
            notes.append(
                _("Each line is read as a word of a sentence (CoNLL); its other columns are left out.")
            )
        if self.other_spellings:
            pairs = [
                _("“{other}” is read as “{name}”", other=other, name=name)
                for other, name in self.other_spellings.items()
            ]
            notes.append(_("{note}.", note=", ".join(pairs[:3]) + " …" * (len(pairs) > 3)))
        if self.most is not None:
            most = format_number(self.most)
            notes.append(
                _("Only the first {count} sentences of {name} were read.", count=most, name=contents.name)
            )
        if self.empty:
            where = contents.columns[contents.text].name
            notes.append(
                ngettext(
                    "{count} row with nothing under “{column}” passed over.",
                    "{count} rows with nothing under “{column}” passed over.",
                    self.empty,
                    count=format_number(self.empty),
                    column=where,
                )
            )
        if self.broken_lines:
            notes.append(
                ngettext(
                    "{count} line of broken JSON passed over (first: {lines}).",
                    "{count} lines of broken JSON passed over (first: {lines}).",
                    self.broken_lines,
                    count=format_number(self.broken_lines),
                    lines=", ".join(map(format_number, self.broken)),
                )
            )
        if self.wide_rows:
            wide = ngettext(
                "{count} row passed over, with more cells than the first row has names "
                "(first: line {lines}).",
                "{count} rows passed over, with more cells than the first row has names "
                "(first: lines {lines}).",
                self.wide_rows,
                count=format_number(self.wide_rows),
                lines=", ".join(map(format_number, self.wide)),
            )
            notes.append(f"{wide} {_(QUOTE)}")
        return notes


def read(
    contents: Contents,
    file: BinaryIO,
    report: Report,
    step: Callable[[], None] = lambda: None,
    most: int | None = MOST_SENTENCES,
) -> Iterator[Sentence]:
    """The sentences of a file, in order, `most` of them; what is skipped is counted in `report`.

    `step` is called now and then, also where nothing but empty lines comes. Raises TextError if a table is
    malformed.
    """
    every = _read(contents, file, report, step)
    yield from islice(every, most)
    report.most = most if next(every, None) is not None else None


def _read(contents: Contents, file: BinaryIO, report: Report, step: Callable[[], None]) -> Iterator[Sentence]:
    lines = open_text(file, contents.encoding, newline="" if contents.kind == "csv" else None)
    try:
        if contents.kind == "conll":
            for _, words, _ in conll_sentences(_pieces(lines, step)):
                yield from map(Sentence, parts(tidy(" ".join(words))))
            return
        if contents.kind == "txt":
            yield from _read_text(contents, lines, report, step)
            return
        read_pairs = _read_table if contents.kind == "csv" else _read_records
        yield from _split_cells(read_pairs(contents, lines, report), report, step)
    finally:
        lines.detach()


def _read_text(
    contents: Contents, lines: TextIO, report: Report, step: Callable[[], None]
) -> Iterator[Sentence]:
    pieces = _pieces(lines, step)
    if contents.tagged:
        for piece in pieces:
            for sentence in read_sentences(piece):
                for part in parts(tidy(sentence.text)):
                    yield Sentence(part, report.spelling(sentence.sense))
        return
    for text in sentences(pieces, contents.wrapped):
        if text := tidy(text):
            yield Sentence(text)


def _pieces(lines: TextIO, step: Callable[[], None]) -> Iterator[str]:
    """The lines of a text, or pieces of PIECE characters of longer ones; of many empty lines one or two."""
    while block := lines.read(PIECE):
        block += lines.readline(PIECE)  # to the end of a line
        yield from _LINE.findall(_BLANK_LINES.sub("\n\n", block))
        step()


def _read_table(contents: Contents, lines: TextIO, report: Report) -> Iterator[tuple[str, str]]:
    rows = tables.rows(lines, contents.delimiter, contents.name)
    header = next((row for line, row in islice(rows, 1)), []) if contents.header else None
    number_read = 0
    for line, row in rows:
        if header is not None and tables.cells_too_many(row, header):
            report.wide_rows += 1
            report.wide = [*report.wide, line][:3]
            continue
        number_read += 1
        yield _cell(row, contents.text), _cell(row, contents.sense)
    if report.wide_rows and not number_read:
        raise TextError(
            _("All rows of {name} have more cells than its first row names.", name=contents.name), _(QUOTE)
        )


def _read_records(contents: Contents, lines: TextIO, report: Report) -> Iterator[tuple[str, str]]:
    text = contents.columns[contents.text].name
    sense = None if contents.sense is None else contents.columns[contents.sense].name
    number = 0
    while line := lines.readline(LONGEST_LINE):
        number += 1
        whole = line.endswith("\n") or len(line) < LONGEST_LINE
        while not whole:
            whole = (rest := lines.readline(LONGEST_LINE)).endswith("\n") or not rest
            line = "{"  # too long to be a record
        if not line.strip(" \t\r\n[],"):
            continue
        try:
            record = read_record(line)
            if not isinstance(record, dict | str):
                raise ValueError
        except (ValueError, RecursionError):
            report.broken_lines += 1
            report.broken = [*report.broken, number][:3]
            continue
        yield cell(record, text), cell(record, sense) if sense else ""


def _split_cells(
    pairs: Iterator[tuple[str, str]], report: Report, step: Callable[[], None]
) -> Iterator[Sentence]:
    """The sentences of pairs (text, sense), each with the sense of its row."""
    for text, sense in pairs:
        if not text.strip():
            report.empty += 1
            if report.empty % ROWS == 0:
                step()
            continue
        sense_or_none = report.spelling(tidy(sense)[:LONGEST_SENSE])
        for paragraph in PARAGRAPH_END.split("\n".join(lines_of(text))):
            for sentence in split(tidy(paragraph)):
                for part in parts(sentence):
                    yield Sentence(part, sense_or_none)


def _cell(row: list[str], column: int | None) -> str:
    return row[column] if column is not None and column < len(row) else ""
