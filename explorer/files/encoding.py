"""The encoding of a text file, checked over the whole file."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

from explorer.errors import TextError
from explorer.files.kinds import HEAD, Kind, kind_of
from explorer.locale import N_, _, format_number

CHUNK = 1 << 20
UTF8 = "utf-8-sig"  # reads files with a byte order mark and without
# Encodings offered for files that are not UTF-8.
CHOICES = {
    "cp1252": N_("Western European (Windows)"),
    "cp1250": N_("Central European (Windows)"),
    "cp1251": N_("Cyrillic (Windows)"),
    "gb18030": N_("Chinese, simplified (GB 18030)"),
    "big5": N_("Chinese, traditional (Big5)"),
    "shift_jis": N_("Japanese (Shift JIS)"),
    "euc_kr": N_("Korean (EUC-KR)"),
}
TEXTS = (Kind.JSON, Kind.XML, Kind.ANSWER)  # kinds that are texts too
_CONTROL = bytes({*range(0x20), 0x7F} - set(b"\t\n\r\f\v\x1b"))
MOST_CONTROL = 0.002  # of a text's bytes; a file with more is binary


class EncodingError(TextError):
    """The bytes do not fit the encoding; another encoding may help."""


def find_encoding(name: str, file: BinaryIO, chosen: str | None = None) -> str:
    """A file's encoding: UTF-16 or UTF-32 by its byte order mark, else `chosen`, else UTF-8.

    Reads the whole file. Raises TextError for an empty or binary file, EncodingError if the bytes do
    not fit the encoding.

    >>> find_encoding("a.txt", io.BytesIO("We sat.".encode("utf-16")))
    'utf-16'
    """
    file.seek(0)
    text = head = file.read(CHUNK)
    while text and not text.strip():
        text = file.read(CHUNK)
    if not text:
        raise TextError(_("{name} is empty.", name=name), _("Choose a file with text in it."))
    kind = kind_of(head[:HEAD])
    if kind is not None and kind not in TEXTS:
        raise TextError(f"{name} is {kind.phrase}; only plain text is read here.", kind.hint)
    # The mark of UTF-32 begins with that of UTF-16, so it is checked first.
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        encoding = chosen or UTF8
        _refuse_binary(name, file)
    _decode(name, file, encoding)
    return encoding


def open_text(file: BinaryIO, encoding: str, newline: str | None = None) -> io.TextIOWrapper:
    """The file as text from its beginning; `detach` it when done, or it closes the file.

    >>> open_text(io.BytesIO(b"We sat."), UTF8).read()
    'We sat.'
    """
    file.seek(0)
    return io.TextIOWrapper(file, encoding=encoding, newline=newline)


def _refuse_binary(name: str, file: BinaryIO) -> None:
    """Raises TextError if zero bytes or many control characters show that a file is binary."""
    total, control = 0, 0
    for chunk in _chunks(file):
        if b"\0" in chunk:
            raise TextError(
                _("{name} is a binary file, or text in an encoding without a mark.", name=name),
                _("Save it as plain text in UTF-8."),
            )
        total += len(chunk)
        control += len(chunk) - len(chunk.translate(None, _CONTROL))
    if control > MOST_CONTROL * total:
        raise TextError(
            _("{name} is a binary file, not text.", name=name), _("Save it as plain text in UTF-8.")
        )


def _decode(name: str, file: BinaryIO, encoding: str) -> None:
    """Raises EncodingError, with the line, if a file's bytes do not fit an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    try:
        for chunk in _chunks(file):
            decoder.decode(chunk)
            line += chunk.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        line += error.object[: error.start].count(b"\n")
        label = (
            _(CHOICES[encoding]) if encoding in CHOICES else "UTF-8" if encoding == UTF8 else encoding.upper()
        )
        raise EncodingError(
            _(
                "{name} is not in {encoding}: line {line} has bytes that are not characters in it.",
                name=name,
                encoding=label,
                line=format_number(line),
            ),
            _("Choose the encoding that it was saved in, or save it as UTF-8."),
        ) from error


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk
