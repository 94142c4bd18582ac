"""Reading tables from any spreadsheet's text files, and writing CSV that a spreadsheet opens.

sep=;                              a line in which Excel names the delimiter
text;sense
"We sat on the bank,
by the river";river                a cell in quotation marks may contain a line end
;;                                 a row of empty cells is skipped
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

from explorer.errors import TextError
from explorer.files.labelled_lines import pasted_rows
from explorer.files.lines import lines_of

DELIMITERS = ",;\t|"
NO_DELIMITER = "\x1f"  # a character that no text has: the table has one column
LONGEST_CELL = 1 << 20  # characters
SAMPLE_ROWS = 50  # rows that determine the delimiter
AGREEMENT = 0.5  # of the rows: more than these must have the same number of cells

csv.field_size_limit(LONGEST_CELL)  # for the whole process

# A spreadsheet's formulas, unless they are numbers, and the apostrophes that prevent them from running
# (OWASP, "CSV Injection"): one is added, also before existing ones.
_START = r"(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])"
_FORMULA = re.compile(rf"'*{_START}")
_NUMBER = re.compile(r"-(?:inf|nan|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_GUARDED = re.compile(rf"^'(?='*{_START})")
_DECLARED = re.compile(r"\ufeff?\"?sep *= *(\\t|[^\"\r\n])\"?[,;\t|]*\s*", re.IGNORECASE)
_NAMES = re.compile(r"[^\s\x1f,;|.\"]{1,30}(?:\x1f[^\s\x1f,;|.\"]{1,30})+")
_BLANK = "\ufeff \t\r\n"


def rows(lines: Iterable[str], delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with the number of the line on which it ends.

    `lines` keep their ends, as in a file opened with `newline=""`. Raises TextError, with the
    line, if the table called `name` cannot be read further.

    >>> list(rows(["sep=;\\n", "bank;river\\n", ";\\n"], ";", "a.csv"))
    [(2, ['bank', 'river'])]
    """
    source = iter(lines)
    first, skipped = next(source, ""), 0
    while first and not first.strip(_BLANK):
        first, skipped = next(source, ""), skipped + 1
    has_declaration = declared_delimiter(first) is not None
    skipped += has_declaration
    since_row: list[str] = []

    def lines_of_row() -> Iterator[str]:
        for line in source if has_declaration else chain([first], source):
            since_row.append(line)
            yield line

    reader = csv.reader(lines_of_row(), delimiter=delimiter)
    try:
        for row in reader:
            if delimiter == "\t" and any('"' in line for line in since_row):
                line_before = reader.line_num - len(since_row) + skipped
                for number, cells in pasted_rows("".join(since_row)):
                    if any(map(str.strip, cells)):
                        yield line_before + number, cells
                since_row.clear()
                continue
            if len(since_row) > 1 and _is_open(since_row, delimiter):
                raise csv.Error("a quotation mark is not closed")
            if any(cell.startswith(" ") and cell.lstrip(" ").startswith('"') for cell in row):
                row = next(csv.reader(since_row, delimiter=delimiter, skipinitialspace=True))
            since_row.clear()
            if any(cell.strip() for cell in row):
                yield (
                    reader.line_num + skipped,
                    [_GUARDED.sub("", cell) if cell[:1] == "'" else cell for cell in row],
                )
    except csv.Error as error:
        number = reader.line_num - len(since_row) + 1 + skipped
        raise TextError(
            f"{name} cannot be read beyond line {number:,}: {error}.",
            'Look for a quotation mark there that is not closed: two ("") stand for one inside a cell.',
        ) from error


def write(rows: Iterable[Sequence[object]], escapes: bool = True) -> str:
    """Rows as CSV that pandas reads and a spreadsheet opens; `rows` reads the same cells again, as text.

    If a character is not ASCII, it begins with a byte order mark, without which Excel does not recognise
    UTF-8. A cell that a spreadsheet would run as a formula gets an apostrophe before it, if it `escapes`.

    >>> write([["word", "cosine"], ["bank", -0.5], ["=1+1", "-0.5"]])
    "word,cosine\\nbank,-0.5\\n'=1+1,-0.5\\n"
    """
    text = "".join(_line(map(_escape_formula, row) if escapes else row) for row in rows)
    return text if text.isascii() else "\ufeff" + text


def _line(row: Iterable[object]) -> str:
    line = io.StringIO()
    # The writer quotes a cell with a carriage return only if its line terminator has one.
    csv.writer(line, lineterminator="\r\n").writerow(row)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _escape_formula(cell: object) -> object:
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def find_delimiter(sample: str) -> str:
    """The delimiter of a table, from its beginning: the one that its first line declares (`sep=;`), else
    the character that gives most rows the same number of cells.

    >>> find_delimiter("text;sense\\nWe sat, and slept;river\\n"), find_delimiter('"sep=|"\\na|b')
    (';', '|')
    """
    first = next(iter(lines_of(sample[:1000].lstrip(_BLANK))), "")
    if declared := declared_delimiter(first):
        return declared
    merits = {delimiter: _merit(sample, delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda delimiter: merits[delimiter])
    if merits[best][0] > AGREEMENT:
        return best
    # Texts without quotation marks split most rows, but the names of the columns still tell.
    names = first.strip(_BLANK)
    return next((mark for mark in DELIMITERS if _NAMES.fullmatch(names.replace(mark, "\x1f"))), NO_DELIMITER)


def declared_delimiter(line: str) -> str | None:
    """The delimiter that Excel declares in a first line; None for any other line.

    >>> declared_delimiter("sep=;\\r\\n"), declared_delimiter('"sep=,"'), declared_delimiter("sep;text")
    (';', ',', None)
    """
    match = _DECLARED.fullmatch(line)
    return None if match is None else match[1].replace("\\t", "\t")


def cells_too_many(row: Sequence[str], header: Sequence[str]) -> int:
    """The number of cells of a row beyond the header's, not counting empty ones at its end.

    >>> cells_too_many(["Good", " really good", "yes", ""], ["text", "label"])
    1
    """
    filled = max((number for number, cell in enumerate(row, 1) if cell.strip()), default=0)
    return max(filled - len(header), 0)


def _is_open(lines: list[str], delimiter: str) -> bool:
    """Whether a row's last cell has an open quotation mark: then the next line belongs to it."""
    return len(list(csv.reader([*lines, "more"], delimiter=delimiter))) == 1


def _merit(sample: str, delimiter: str) -> tuple[float, bool, int]:
    """The share of rows with the same number of cells, whether these look like cells, and their number.

    A comma inside every number (0,5), or always with a space after it, does not separate cells.
    """
    try:
        rows, rows_with_spaces = (
            [row for row in islice(reader, SAMPLE_ROWS) if row]
            for reader in (
                csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=skip)
                for skip in (True, False)
            )
        )
    except csv.Error:
        return 0.0, False, 0
    rows = rows[:-1] or rows  # the last may be incomplete
    ((width, count),) = Counter(map(len, rows)).most_common(1) or [(1, 0)]
    if width < 2:
        return 0.0, False, width
    pairs = [pair for row in rows_with_spaces for pair in pairwise(row)]
    spaced = all(after[:1] == " " for _, after in pairs)
    in_numbers = delimiter == "," and all(
        before[-1:].isdecimal() and after[:1].isdecimal() for before, after in pairs
    )
    return count / len(rows), not (spaced or in_numbers), width
