"""Published word vectors: word2vec's text and binary files and GloVe's text, gzipped or not.

    word2vec text     3000000 300          binary     3000000 300         GloVe     the 0.04 0.21 ...
                      the 0.04 0.21 ...               the <300 floats>              of 0.7 0.15 ...

Words stand in the order of their frequency in all of them, so the first ones are the most frequent:
only so many are read, row by row into one matrix.
"""

import gzip
import os
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import torch
from torch import nn

from explorer.checkpoints.integrity import check_content, check_size
from explorer.errors import CheckpointError, FormatError, NotFoundError
from explorer.models import LanguageModel
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.tokenizers import TOKENIZER_FILES
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Ability, Checkpoint

SUFFIXES = (".txt", ".vec", ".bin")
MOST_WORDS = 200_000
WORDS_VARIABLE = "RIVERBANK_MAX_WORDS"
LONGEST_LINE = 1 << 20
FASTTEXT = (793712314).to_bytes(4, "little")  # how fastText's own binary begins
AGAIN = "It may be damaged or cut short: copy or fetch it again."


def is_vectors(path: Path) -> bool:
    """Whether a file's name is that of word vectors: .txt, .vec or .bin, perhaps with .gz."""
    return path.name.removesuffix(".gz").endswith(SUFFIXES)


def inside(place: Path) -> Path | None:
    """The file of word vectors that a place is, or the only one in a folder without a model.

    Raises NotFoundError for a folder that holds several.
    """
    if place.is_file():
        return place
    if any(place.glob("*.json")) or any(place.glob("*.safetensors")):
        return None
    files = [p for p in sorted(place.iterdir()) if is_vectors(p) and p.name not in TOKENIZER_FILES]
    if len(files) > 1:
        raise NotFoundError(
            f"{place} holds several files of word vectors.", f"Name one of them: folder:{files[0]}."
        )
    return files[0] if files else None


def read_vectors(path: Path, checkpoint: Checkpoint) -> LanguageModel:
    """Build a model from a file of word vectors.

    The size is checked before a number is read. Raises FormatError for a file that holds something
    else or is damaged, SizeError for one over the limit.
    """
    check_content([path])
    most = most_words()
    try:
        with (gzip.open if path.name.endswith(".gz") else open)(path, "rb") as file:
            words, matrix = _read(cast(BinaryIO, file), path, most, str(checkpoint))
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"{path.name} cannot be read: {error}.", AGAIN) from error
    if not np.isfinite(matrix).all():
        raise FormatError(f"{path.name} holds numbers that are not finite.", AGAIN)
    config = Word2VecConfig(len(words), matrix.shape[1], method="not stated")
    with torch.device("meta"):
        network = Word2Vec(config)
    network.tokens = nn.Embedding.from_pretrained(torch.from_numpy(matrix))
    lowercase = all(word == word.lower() for word in words[:20_000])
    tokenizer = WordTokenizer(words, lowercase)
    return LanguageModel(checkpoint, config, network.eval(), tokenizer, Ability.VECTORS)


def most_words() -> int:
    """How many words of a file are read. Raises CheckpointError for a setting that is no number."""
    value = os.environ.get(WORDS_VARIABLE, "")
    if value and not (value.isdecimal() and int(value)):
        raise CheckpointError(f"{WORDS_VARIABLE} is “{value}”.", "Set it to a number of words.")
    return int(value or MOST_WORDS)


def _read(file: BinaryIO, path: Path, most: int, name: str) -> tuple[list[str], np.ndarray]:
    start = file.read(LONGEST_LINE)  # enough to tell one layout from another
    first, newline, rest = start.partition(b"\n")
    head = first.split()
    if start.startswith(FASTTEXT) or not newline or len(head) < 2:
        raise _foreign(path)
    if len(head) == 2 and all(number.isdigit() for number in head):
        stated, dimensions = map(int, head)
        row = rest.partition(b"\n")[0].rstrip().split(b" ")
        is_text = len(row) > dimensions and _floats(row[-dimensions:]) is not None
    else:
        stated, dimensions, is_text, rest = None, _dimensions(first, rest), True, start
    if not 1 <= dimensions <= 10_000:
        raise _foreign(path)
    # A number takes two bytes of text, or four: no file can hold more rows than that.
    room = path.stat().st_size // (dimensions * (2 if is_text else 4)) + 1
    room = most if path.name.endswith(".gz") else min(room, most)
    count = room if stated is None else min(stated, most)
    check_size(count * dimensions * 4, name)
    if stated is not None and count > room:
        raise _short(path, room, stated)
    matrix = np.empty((count, dimensions), dtype=np.float32)
    words: list[str] = []
    rows = _text_rows(file, rest, dimensions, path) if is_text else _binary_rows(file, rest, dimensions)
    for i, (word, values) in enumerate(islice(rows, count)):
        words.append(word.decode("utf-8", errors="replace"))
        matrix[i] = values
    if stated is not None and len(words) < count:
        raise _short(path, len(words), stated)
    if not words:
        raise _foreign(path)
    matrix.resize((len(words), dimensions), refcheck=False)
    return words, matrix


def _text_rows(
    file: BinaryIO, ahead: bytes, d: int, path: Path
) -> Iterator[tuple[bytes, Sequence[float] | np.ndarray]]:
    for i, line in enumerate(_lines(file, ahead), 1):
        if not line.strip():
            continue
        word, *numbers = line.rstrip().rsplit(b" ", d)  # from the right: some words hold a space
        values = _floats(numbers)
        if values is None or len(values) != d:
            raise FormatError(f"Row {i} of {path.name} does not hold a word and {d} numbers.", AGAIN)
        yield word, values


def _lines(file: BinaryIO, ahead: bytes) -> Iterator[bytes]:
    """The lines of what was read ahead, then of the rest of the file."""
    *whole, begun = ahead.split(b"\n")
    yield from whole
    if begun or ahead:
        yield begun + file.readline()
    yield from file


def _binary_rows(
    file: BinaryIO, ahead: bytes, d: int
) -> Iterator[tuple[bytes, Sequence[float] | np.ndarray]]:
    size, at = 4 * d, 0
    while True:
        space = ahead.find(b" ", at)
        if space < 0 or len(ahead) < space + 1 + size:
            more = file.read(LONGEST_LINE)
            if not more or (space < 0 and len(ahead) - at > LONGEST_LINE):  # no word is that long
                return
            ahead, at = ahead[at:] + more, 0
            continue
        # The original ends a row with a line feed; other writers do not.
        word, at = ahead[at:space].lstrip(b"\n"), space + 1 + size
        yield word, np.frombuffer(ahead, dtype="<f4", count=d, offset=space + 1)


def _dimensions(first: bytes, rest: bytes) -> int:
    """How many numbers end the first row; the second decides where its word looks like a number."""
    counts = []
    for line in (first, rest.partition(b"\n")[0]):
        fields = line.rstrip().split(b" ")[1:]
        while fields and _floats(fields) is None:
            fields = fields[1:]
        counts.append(len(fields))
    return min(count for count in counts if count or not any(counts))


def _floats(fields: list[bytes]) -> list[float] | None:
    try:
        return [float(field) for field in fields]
    except ValueError:
        return None


def _foreign(path: Path) -> FormatError:
    return FormatError(
        f"{path.name} is not a file of word vectors.",
        "Riverbank reads word2vec's text and binary files and GloVe's text; of fastText the .vec file.",
    )


def _short(path: Path, there: int, stated: int) -> FormatError:
    return FormatError(f"{path.name} says it holds {stated:,} words, but ends after {there:,}.", AGAIN)
