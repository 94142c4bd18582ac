"""The rows of a file of word vectors, each a word and its numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from explorer.checkpoints.vector_layout import AGAIN, Layout, floats, numbers_at_end, shorten
from explorer.errors import FormatError

LONGEST_LINE = 1 << 20
NO_WORD = "Put the word there, and a space; or delete the line."
CUT_AT = 90  # bytes: word2vec itself cuts words at about 100


@dataclass(frozen=True)
class CutWord:
    """A word that was cut in the middle of a character, in printable form."""

    text: str


Row = tuple[str | CutWord, Sequence[float] | np.ndarray]


def text_rows(name: str, file: BinaryIO, layout: Layout) -> Iterator[Row]:
    """The rows of a text file from the first row on. Raises FormatError with the line's number."""
    d, number = layout.dimensions, 0 if layout.words is None else 1
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise FormatError(f"Line {number} of {name} is longer than {LONGEST_LINE:,} bytes.", AGAIN)
        fields = line.rstrip().split(b" ")
        values = floats(fields[-d:])
        # A word may contain spaces (“new york”), but not a number before its own: that is one too many.
        too_many = len(fields) > d + 1 and floats(fields[-d - 1 : -d]) is not None
        if len(fields) > d and values is not None and not too_many:
            yield _word(b" ".join(fields[:-d]), f"Line {number} of {name}"), values
        elif line.strip():
            raise _wrong(name, number, line, layout)


def binary_rows(name: str, file: BinaryIO, layout: Layout) -> Iterator[Row]:
    """The rows of a binary file from the first row on. Raises FormatError with the word's number."""
    d, size, at, number, ahead = layout.dimensions, 4 * layout.dimensions, 0, 1, b""
    while True:
        space = ahead.find(b" ", at)
        if space < 0 or len(ahead) < space + 1 + size:
            if space < 0 and len(ahead) - at > LONGEST_LINE:
                raise FormatError(f"Word {number:,} of {name} has no end.", AGAIN)
            more = file.read(LONGEST_LINE)
            if not more:
                return
            ahead, at = ahead[at:] + more, 0
            continue
        # word2vec ends a row with a line feed; other programs do not.
        word, at = ahead[at:space].lstrip(b"\n"), space + 1 + size
        yield (
            _word(word, f"Word {number:,} of {name}"),
            np.frombuffer(ahead, dtype="<f4", count=d, offset=space + 1),
        )
        number += 1


def _word(word: bytes, place: str) -> str | CutWord:
    """A row's word, which may be cut in mid-character. Raises FormatError if the bytes are not a word."""
    try:
        text = word.decode("utf-8")
    except UnicodeDecodeError as error:
        # An accented letter at the end of a short word is in another encoding: “caf\xe9”.
        whole = word[: error.start]
        if error.reason == "unexpected end of data" and (not whole.isascii() or len(word) > CUT_AT):
            return CutWord(shorten(word))
        raise FormatError(
            f"{place} has a word that is not UTF-8: “{shorten(word)}”.",
            "Save the file in UTF-8; or its first line has a wrong number of dimensions.",
        ) from error
    if not text.strip(" "):
        raise FormatError(f"{place} has no word before its numbers.", NO_WORD)
    if text != text.strip(" ") or "  " in text:
        raise FormatError(
            f"{place} has two spaces in a row: “{shorten(word)}”.",
            "Put one space between a word and its numbers, and between numbers.",
        )
    if any(char < " " for char in text):
        raise FormatError(
            f"{place} has a control character in its word: “{shorten(word)}”.",
            "Put spaces between the numbers, not tabs; a first line must have the right dimensions.",
        )
    return text


def _wrong(name: str, number: int, line: bytes, layout: Layout) -> FormatError:
    """The error for a line with too few or too many numbers."""
    d, numbers = layout.dimensions, numbers_at_end(line)
    why = "as its first line says" if layout.words is not None else "as most of the first lines have"
    hint = AGAIN
    if b"  " in line.rstrip():
        hint = "There are two spaces in a row: put one between a word and its numbers, and between numbers."
    elif numbers == 0 and b"," in line:
        hint = "Write numbers with a point (0.5), and a space between them."
    elif b"\t" in line.rstrip():
        hint = "Put spaces between the numbers, not tabs."
    elif len(fields := line.rstrip().split(b" ")) == d and floats(fields) is not None:
        return FormatError(
            f"Line {number} of {name} has no word before its {d} numbers: “{shorten(line)}”.", NO_WORD
        )
    count = "1 number" if numbers == 1 else f"{numbers or 'no'} numbers"
    return FormatError(
        f"Line {number} of {name} does not hold a word and {d} numbers, {why}: “{shorten(line)}” ends "
        f"in {count}.",
        hint,
    )
