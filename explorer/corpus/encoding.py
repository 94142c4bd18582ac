"""Which characters a file's bytes stand for: all of it is read, and where it is no text, that is said."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

from explorer.errors import TextError

CHUNK = 1 << 20
UTF8 = "utf-8-sig"  # reads files with a byte order mark and without
# What people's files are in when they are not UTF-8.
CHOICES = {
    "cp1252": "Western European (Windows)",
    "cp1250": "Central European (Windows)",
    "cp1251": "Cyrillic (Windows)",
    "gb18030": "Chinese, simplified (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
    "shift_jis": "Japanese (Shift JIS)",
    "euc_kr": "Korean (EUC-KR)",
}
# How files begin that are something else, and what they are.
_OTHERS = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zip archive, as Word and Excel files are",
    b"\xd0\xcf\x11\xe0": "an old Word or Excel file",
    b"\x1f\x8b": "a gzip archive",
    b"{\\rtf": "an RTF document",
    b"SQLite format 3": "a database",
}
_CONTROL = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f\v\x1b"))
MOST_CONTROL = 0.002  # of a text's bytes; more is no text


class EncodingError(TextError):
    """The bytes are not what they should be: the one failure that another choice of encoding can mend."""


def find_encoding(name: str, file: BinaryIO, chosen: str | None = None) -> str:
    """A file's encoding: UTF-16 or UTF-32 by its mark, else what was `chosen`, else UTF-8.

    The file is read through.
    Raises TextError for an empty file and for one that holds no text, EncodingError where the bytes do
    not fit the encoding.
    """
    file.seek(0)
    head = file.read(CHUNK)
    if not head.strip():
        raise TextError(f"{name} is empty.", "Choose a file with text in it.")
    for start, what in _OTHERS.items():
        if head.startswith(start):
            raise TextError(
                f"{name} is {what}, not plain text.", "Save it as plain text (.txt) or as .csv first."
            )
    # The mark of UTF-32 begins with that of UTF-16, so it is looked for first.
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        encoding = chosen or UTF8
        _refuse_binary(name, file)
    _decode(name, file, encoding)
    return encoding


def lines_of(file: BinaryIO, encoding: str, newline: str | None = None) -> io.TextIOWrapper:
    """The file as text from its beginning; `detach` it when done, or it closes the file."""
    file.seek(0)
    return io.TextIOWrapper(file, encoding=encoding, newline=newline)


def _refuse_binary(name: str, file: BinaryIO) -> None:
    """Raises TextError where zero bytes or many control characters show that a file is no text."""
    total, control = 0, 0
    for chunk in _chunks(file):
        if b"\0" in chunk:
            raise TextError(
                f"{name} is a binary file, or text in an encoding without a mark.",
                "Save it as plain text in UTF-8.",
            )
        total += len(chunk)
        control += len(chunk) - len(chunk.translate(None, _CONTROL))
    if control > MOST_CONTROL * total:
        raise TextError(f"{name} is a binary file, not text.", "Save it as plain text in UTF-8.")


def _decode(name: str, file: BinaryIO, encoding: str) -> None:
    """Raises EncodingError, with the line, where a file's bytes do not fit an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        for chunk in _chunks(file):
            decoder.decode(chunk)
            line += chunk.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        line += error.object[: error.start].count(b"\n")
        known = CHOICES.get(encoding, "UTF-8" if encoding == UTF8 else encoding.upper())
        raise EncodingError(
            f"{name} is not in {known}: line {line:,} has bytes that stand for no character in it.",
            "Choose the encoding that it was saved in, or save it as UTF-8.",
        ) from error


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk
