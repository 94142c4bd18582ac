"""The rows of a table in a text file, however a spreadsheet wrote it, and a table that a spreadsheet opens.

sep=;                              a line that Excel writes, and reads, to say what stands between cells
text;sense
"We sat on the bank,
by the river";river                a cell in quotation marks may hold the end of a line
;;                                 a row of empty cells is none
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

from explorer.errors import TextError
from explorer.files.lines import lines_of

DELIMITERS = ",;\t|"
NO_DELIMITER = "\x1f"  # a character that no text has: the table is one column wide
LONGEST_CELL = 1 << 20  # characters
LOOKED_AT = 50  # rows that settle what stands between cells
AGREEMENT = 0.5  # of the rows: more than these must have the same number of cells

csv.field_size_limit(LONGEST_CELL)  # for the whole process

# What a spreadsheet takes for a formula, unless it is a number; and the apostrophe that keeps it from that
# (OWASP, "CSV Injection"), of which one more is put before each that is there already.
_START = r"(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])"
_FORMULA = re.compile(rf"'*{_START}")
_NUMBER = re.compile(r"-(?:inf|nan|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_GUARDED = re.compile(rf"^'(?='*{_START})")
_STATED = re.compile(r"\ufeff?\"?sep *= *(\\t|[^\"\r\n])\"?[,;\t|]*\s*", re.IGNORECASE)
_NAMES = re.compile(r"[^\s\x1f,;|.\"]{1,30}(?:\x1f[^\s\x1f,;|.\"]{1,30})+")
_BLANK = "\ufeff \t\r\n"


def rows(lines: Iterable[str], delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, after the number of the line on which it ends.

    `lines` keep their ends, as those of a file opened with `newline=""` do. Raises TextError, with the
    line, where the table called `name` cannot be read on.

    >>> list(rows(["sep=;\\n", "bank;river\\n", ";\\n"], ";", "a.csv"))
    [(2, ['bank', 'river'])]
    """
    source = iter(lines)
    first, passed_over = next(source, ""), 0
    while first and not first.strip(_BLANK):
        first, passed_over = next(source, ""), passed_over + 1
    stated = stated_delimiter(first) is not None
    passed_over += stated
    since_row: list[str] = []

    def lines_of_row() -> Iterator[str]:
        for line in source if stated else chain([first], source):
            since_row.append(line)
            yield line

    reader = csv.reader(lines_of_row(), delimiter=delimiter)
    try:
        for row in reader:
            if len(since_row) > 1 and _is_open(since_row, delimiter):
                raise csv.Error("a quotation mark is not closed")
            if any(cell.startswith(" ") and cell.lstrip(" ").startswith('"') for cell in row):
                row = next(csv.reader(since_row, delimiter=delimiter, skipinitialspace=True))
            since_row.clear()
            if any(cell.strip() for cell in row):
                yield (
                    reader.line_num + passed_over,
                    [_GUARDED.sub("", cell) if cell[:1] == "'" else cell for cell in row],
                )
    except csv.Error as error:
        number = reader.line_num - len(since_row) + 1 + passed_over
        raise TextError(
            f"{name} cannot be read beyond line {number:,}: {error}.",
            'Look for a quotation mark there that is not closed: two ("") stand for one inside a cell.',
        ) from error


def write(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV that pandas reads and a spreadsheet opens; `rows` reads the same cells again, as text.

    Where a character is not ASCII, a byte order mark begins it, without which Excel takes UTF-8 for another
    encoding. A cell that a spreadsheet would run as a formula begins with an apostrophe.

    >>> write([["word", "cosine"], ["bank", -0.5], ["=1+1", "-0.5"]])
    "word,cosine\\nbank,-0.5\\n'=1+1,-0.5\\n"
    """
    text = "".join(map(_line, rows))
    return text if text.isascii() else "\ufeff" + text


def _line(row: Sequence[object]) -> str:
    line = io.StringIO()
    # The writer puts a cell with a carriage return in quotation marks only where that ends its rows.
    csv.writer(line, lineterminator="\r\n").writerow(map(_guarded, row))
    return line.getvalue().removesuffix("\r\n") + "\n"


def _guarded(cell: object) -> object:
    is_formula = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def find_delimiter(sample: str) -> str:
    """What stands between cells, from the beginning of a table: what its first line states (`sep=;`), else
    the character that gives most rows the same number of cells.

    >>> find_delimiter("text;sense\\nWe sat, and slept;river\\n"), find_delimiter('"sep=|"\\na|b')
    (';', '|')
    """
    first = next(iter(lines_of(sample[:1000].lstrip(_BLANK))), "")
    if stated := stated_delimiter(first):
        return stated
    merits = {delimiter: _merit(sample, delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=lambda delimiter: merits[delimiter])
    if merits[best][0] > AGREEMENT:
        return best
    # Texts without quotation marks cut most rows apart, and the names of the columns still tell.
    names = first.strip(_BLANK)
    return next((one for one in DELIMITERS if _NAMES.fullmatch(names.replace(one, "\x1f"))), NO_DELIMITER)


def stated_delimiter(line: str) -> str | None:
    """The character that a first line names as Excel does; None for any other line.

    >>> stated_delimiter("sep=;\\r\\n"), stated_delimiter('"sep=,"'), stated_delimiter("sep;text")
    (';', ',', None)
    """
    stated = _STATED.fullmatch(line)
    return None if stated is None else stated[1].replace("\\t", "\t")


def cells_too_many(row: Sequence[str], header: Sequence[str]) -> int:
    """How many more cells a row has than there are names, as where a text was cut; empty ones at its end are
    none.

    >>> cells_too_many(["Good", " really good", "yes", ""], ["text", "label"])
    1
    """
    filled = max((number for number, cell in enumerate(row, 1) if cell.strip()), default=0)
    return max(filled - len(header), 0)


def _is_open(lines: list[str], delimiter: str) -> bool:
    """Whether a row's last cell is still in quotation marks at its end: then one more line belongs to it."""
    return len(list(csv.reader([*lines, "more"], delimiter=delimiter))) == 1


def _merit(sample: str, delimiter: str) -> tuple[float, bool, int]:
    """The share of rows with the same number of cells; whether these look like cells; how many they are.

    A comma inside each number (0,5), or one with a space after it each time, is no sign of a cell's end.
    """
    try:
        looked_at, as_written = (
            [row for row in islice(reader, LOOKED_AT) if row]
            for reader in (
                csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=skipped)
                for skipped in (True, False)
            )
        )
    except csv.Error:
        return 0.0, False, 0
    looked_at = looked_at[:-1] or looked_at  # the last may be cut off
    ((width, count),) = Counter(map(len, looked_at)).most_common(1) or [(1, 0)]
    if width < 2:
        return 0.0, False, width
    pairs = [pair for row in as_written for pair in pairwise(row)]
    spaced = all(after[:1] == " " for _, after in pairs)
    in_numbers = delimiter == "," and all(
        before[-1:].isdecimal() and after[:1].isdecimal() for before, after in pairs
    )
    return count / len(looked_at), not (spaced or in_numbers), width
