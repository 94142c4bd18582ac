"""The layout of a file of word vectors, determined from its beginning.

    word2vec text     3000000 300          binary     3000000 300         GloVe     the 0.04 0.21 ...
                      the 0.04 0.21 ...               the <300 floats>              of 0.7 0.15 ...

Text or binary is decided once, by the bytes, so that a text with a mistake in it is never
read as binary: every file can be read as binary, with nonsense for words.
"""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import FormatError
from explorer.files.kinds import HEAD, kind_of

BLOCK = 1 << 20  # bytes examined; no row is longer
MOST_DIMENSIONS = 10_000
ROWS = 20  # of a file without a header, which determine the number of dimensions
FASTTEXT = (793712314).to_bytes(4, "little")  # the first bytes of fastText's own binary
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
KINDS = "Riverbank reads word2vec's text and binary files and GloVe's text; of fastText the .vec file."
WORDLESS = "Put the word of each row before its numbers; the embedding projector has them in metadata.tsv."
AGAIN = "It may be damaged or cut short: copy or fetch it again."

_HEADER = re.compile(rb"([+-]?\d+)[ \t]+([+-]?\d+)\s*")
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\r"))
_DECIMAL_COMMA = re.compile(rb"[\t; ][+-]?\d+,\d+(?=[\t;\s]|$)")
_OF_NUMBERS = b"0123456789+-.,eE \n"
MOST_CONTROL = 0.02  # of a text's bytes; of random floats they are a tenth


@dataclass(frozen=True)
class Layout:
    """`words` is the number in the header, None without one; rows begin at byte `start`."""

    dimensions: int
    words: int | None
    is_text: bool
    start: int


def layout_of(name: str, head: bytes) -> Layout:
    """The layout of a file called `name`, from its first BLOCK bytes.

    Raises FormatError for anything else, naming it.
    """
    if head.startswith(FASTTEXT):
        raise FormatError(
            f"{name} is fastText's own binary, which contains more than word vectors.",
            "Take the .vec file published beside it, or save it as text with gensim: "
            "fasttext.load_facebook_vectors(file).save_word2vec_format(“name.vec”).",
        )
    if head.startswith(UTF16):
        raise FormatError(f"{name} is UTF-16, and not a file of word vectors.", "Save it as UTF-8 text.")
    if (kind := kind_of(head[:HEAD])) is not None:
        raise FormatError(f"{name} is {kind.phrase}, and not a file of word vectors.", kind.hint)
    start = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    first, newline, rest = head[start:].partition(b"\n")
    if header := _HEADER.fullmatch(first):
        words, width = map(int, header.groups())
        if words < 1 or not 1 <= width <= MOST_DIMENSIONS:
            raise FormatError(
                f"{name} is not a file of word vectors: line 1 says that it holds {words} words "
                f"of {width} numbers.",
                f"Each is 1 at least; the numbers are {MOST_DIMENSIONS:,} at most.",
            )
        return Layout(width, words, not is_binary(rest), start + len(first) + len(newline))
    is_floats = is_binary(head)
    dimensions = None if is_floats else _dimensions(head[start:])
    if dimensions is None:
        raise FormatError(
            f"{name} is not a file of word vectors: line 1 holds “{shorten(first)}”, and neither two whole "
            "numbers nor a word and its numbers.",
            KINDS if is_floats else hint_on(first) or KINDS,
        )
    rows = [line.split(b" ") for line in head[start:].split(b"\n")[:ROWS] if line.strip()]
    if all(floats(fields) is not None for fields in rows) and any(b"." in fields[0] for fields in rows):
        raise FormatError(f"The lines of {name} hold numbers without words: “{shorten(first)}”.", WORDLESS)
    return Layout(dimensions, None, True, start)


def hint_on(line: bytes) -> str:
    """What to do about a row with tabs, commas or semicolons between its numbers; "" for any other."""
    hints, with_commas = [], _DECIMAL_COMMA.search(line) is not None
    plain = line.strip().replace(b",", b".") if with_commas else line.strip()
    for mark, name in ((b"\t", "tabs"), (b";", "semicolons"), (b",", "commas")):
        fields = plain.split(mark)
        if len(fields) > 2 and floats(fields[1:]) is not None:
            hints.append(WORDLESS if floats(fields) else f"Put spaces between the numbers, not {name}.")
    return " ".join([*hints, *(["Write numbers with a point (0.5)."] if with_commas else [])])


def is_binary(sample: bytes) -> bool:
    """Whether bytes are floats rather than a (possibly damaged) text of numbers.

    Floats have many control characters; a few that happen to have none are neither UTF-8 nor digits.
    """
    control = len(sample) - len(sample.translate(None, _CONTROL))
    if control > MOST_CONTROL * len(sample):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return len(sample.translate(None, _OF_NUMBERS)) > len(sample) / 2
    return False


def numbers_at_end(line: bytes) -> int:
    """The number of numbers at the end of a row, whose first field is always a word.

    >>> numbers_at_end(b"1 2 0.5"), numbers_at_end(b". . 0.5"), numbers_at_end(b"the  1  2")
    (2, 1, 1)
    """
    count = 0
    for field in reversed(line.rstrip().split(b" ")[1:]):
        if floats([field]) is None:
            break
        count += 1
    return count


def floats(fields: Sequence[bytes]) -> list[float] | None:
    """Fields as numbers; None if one of them is not a number."""
    try:
        numbers = [float(field) for field in fields]
    except ValueError:
        return None
    return None if any(b"_" in field for field in fields) else numbers  # 1_000 is a word


def shorten(content: bytes, most: int = 40) -> str:
    """A piece of a file as text for a message, shortened; bytes that are not UTF-8 as \\xe9."""
    text = content.strip().decode("utf-8", "backslashreplace")
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[: most + 1])
    return text if len(text) <= most else f"{text[:most]} …"


def _dimensions(head: bytes) -> int | None:
    """The number of numbers in most of the first rows; None if most have none, or one (eval_loss = 0.31)."""
    lines = [line for line in head.split(b"\n")[: ROWS + 1] if line.strip()]
    lines = lines[:-1] if len(lines) > 1 and len(head) >= BLOCK else lines  # the last may be incomplete
    counts = Counter(map(numbers_at_end, lines[:ROWS]))
    ((most, _),) = counts.most_common(1) or [(0, 0)]
    least = 1 if any(b"  " in line for line in lines) else 2  # double spaces are reported with their line
    return most if least <= most <= MOST_DIMENSIONS else None
