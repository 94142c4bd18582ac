"""How a file of word vectors is laid out, told from its beginning alone.

    word2vec text     3000000 300          binary     3000000 300         GloVe     the 0.04 0.21 ...
                      the 0.04 0.21 ...               the <300 floats>              of 0.7 0.15 ...

Text or binary is decided once, by what the bytes are, so that a text with a mistake in it is never
taken for binary: in that reading every file makes sense, and its words would be nonsense.
"""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import FormatError
from explorer.files.kinds import HEAD, kind_of

BLOCK = 1 << 20  # bytes looked at; no row is longer
MOST_DIMENSIONS = 10_000
ROWS = 20  # of a file without a header, which settle how many numbers a row has
FASTTEXT = (793712314).to_bytes(4, "little")  # how fastText's own binary begins
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
KINDS = "Riverbank reads word2vec's text and binary files and GloVe's text; of fastText the .vec file."
AGAIN = "It may be damaged or cut short: copy or fetch it again."

_HEADER = re.compile(rb"([+-]?\d+)[ \t]+([+-]?\d+)\s*")
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\r"))
_OF_NUMBERS = b"0123456789+-.,eE \n"
MOST_CONTROL = 0.02  # of a text's bytes; of random floats they are a tenth


@dataclass(frozen=True)
class Layout:
    """`words` is what the header states, None where there is none; rows begin at byte `start`."""

    dimensions: int
    words: int | None
    is_text: bool
    start: int


def layout_of(name: str, head: bytes) -> Layout:
    """The layout of a file called `name`, from its first BLOCK bytes.

    Raises FormatError for anything else, naming what stands there.
    """
    if head.startswith(FASTTEXT):
        raise FormatError(
            f"{name} is fastText's own binary, which holds more than word vectors.",
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
        words, dimensions = map(int, header.groups())
        if words < 1 or not 1 <= dimensions <= MOST_DIMENSIONS:
            raise FormatError(
                f"{name} is not a file of word vectors: line 1 says that it holds {words} words "
                f"of {dimensions} numbers.",
                f"Each is 1 at least; the numbers are {MOST_DIMENSIONS:,} at most.",
            )
        return Layout(dimensions, words, not is_binary(rest), start + len(first) + len(newline))
    found = None if is_binary(head) else _dimensions(head[start:])
    if found is None:
        raise FormatError(
            f"{name} is not a file of word vectors: line 1 holds “{shown(first)}”, and neither two whole "
            "numbers nor a word and its numbers.",
            KINDS,
        )
    return Layout(found, None, True, start)


def is_binary(sample: bytes) -> bool:
    """Whether bytes are floats rather than a text of numbers, a damaged one too.

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
    """How many numbers end a row; its first field is a word, whatever it looks like.

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
    """The numbers that some fields are, None where one of them is no number."""
    try:
        found = [float(field) for field in fields]
    except ValueError:
        return None
    return None if any(b"_" in field for field in fields) else found  # Python's own 1_000 is a word


def shown(found: bytes, most: int = 40) -> str:
    """What stands in a file, shortened; bytes that are no UTF-8 as \\xe9."""
    text = found.strip().decode("utf-8", "backslashreplace")
    text = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[: most + 1])
    return text if len(text) <= most else f"{text[:most]} …"


def _dimensions(head: bytes) -> int | None:
    """How many numbers most of the first rows have; None where most have none, or one (eval_loss = 0.31)."""
    lines = [line for line in head.split(b"\n")[: ROWS + 1] if line.strip()]
    lines = lines[:-1] if len(lines) > 1 and len(head) >= BLOCK else lines  # the last may be cut off
    counts = Counter(map(numbers_at_end, lines[:ROWS]))
    ((most, _),) = counts.most_common(1) or [(0, 0)]
    least = 1 if any(b"  " in line for line in lines) else 2  # spaces too many are said with their line
    return most if least <= most <= MOST_DIMENSIONS else None
