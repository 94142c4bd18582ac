"""Published word vectors: word2vec's text and binary files and GloVe's text, gzipped or not.

`vector_layout` tells them apart, `vector_rows` reads them. All of them are sorted by the frequency of
their words, so only the first, most frequent ones are read, row by row into one matrix.
"""

import gzip
import os
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import torch
from torch import nn

from explorer.checkpoints.gguf.parts import is_gguf
from explorer.checkpoints.integrity import check_content, check_size
from explorer.checkpoints.vector_layout import AGAIN, BLOCK, FASTTEXT, Layout, layout_of
from explorer.checkpoints.vector_rows import CutWord, Row, binary_rows, text_rows
from explorer.errors import CheckpointError, FormatError, NotFoundError
from explorer.files.kinds import Kind, read_kind
from explorer.models import LanguageModel
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.tokenizers import TOKENIZER_FILES
from explorer.tokenizers.near_words import VARIABLE, Unread
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Ability, Checkpoint

SUFFIXES = (".txt", ".vec", ".bin")
OF_MODELS = (".json", ".safetensors", ".pt", ".pth", ".ckpt")  # beside which a list is one of tokens
MOST_WORDS = 200_000
WORDS_VARIABLE = VARIABLE


def is_vectors(path: Path) -> bool:
    """Whether a file's name ends in .txt, .vec or .bin, perhaps with .gz, and it is no GGUF file."""
    return path.name.lower().removesuffix(".gz").endswith(SUFFIXES) and not is_gguf(path)


def inside(place: Path) -> Path | None:
    """A file of word vectors itself, or the only one in a folder without a model; else None.

    Of several files with the right ending, those count whose first rows are vectors.
    Raises NotFoundError for a folder with several.
    """
    if place.is_file():
        return place if is_vectors(place) else None
    if any(path.suffix in OF_MODELS for path in place.iterdir()):
        return None
    files = [p for p in sorted(place.iterdir()) if is_vectors(p) and p.name not in TOKENIZER_FILES]
    if len(files) > 1:
        files = [path for path in files if begins_as_vectors(path)] or files
    if len(files) > 1:
        raise NotFoundError(
            f"{place} holds several files of word vectors.", f"Name one of them: folder:{files[0]}."
        )
    return files[0] if files else None


def read_vectors(path: Path, checkpoint: Checkpoint) -> LanguageModel:
    """Build a model from a file of word vectors.

    The size is checked before any number is read. Raises FormatError for a file of another kind
    or a damaged one, SizeError for one over the limit.
    """
    check_content([path], Kind.GZIP, expected="a file of word vectors")
    most = most_words()
    try:
        with (gzip.open if _is_packed(path) else open)(path, "rb") as file:
            words, matrix, notes, unread = _read(cast(BinaryIO, file), path, most, str(checkpoint))
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"{path.name} cannot be read: {error}.", AGAIN) from error
    config = Word2VecConfig(len(words), matrix.shape[1], method="not stated")
    with torch.device("meta"):
        network = Word2Vec(config)
    network.tokens = nn.Embedding.from_pretrained(torch.from_numpy(matrix))
    lowercase = all(word == word.lower() for word in words[:20_000])
    tokenizer = WordTokenizer(words, lowercase)
    tokenizer.unread = unread
    return LanguageModel(checkpoint, config, network.eval(), tokenizer, Ability.VECTORS, notes=tuple(notes))


def _is_packed(path: Path) -> bool:
    return read_kind(path) is Kind.GZIP  # whatever its name ends with


def begins_as_vectors(path: Path) -> bool:
    """Whether a file's name and first rows are those of vectors, or it is fastText's own binary."""
    if not path.is_file() or not is_vectors(path) or path.name in TOKENIZER_FILES:
        return False
    try:
        with (gzip.open if _is_packed(path) else open)(path, "rb") as file:
            head = cast(BinaryIO, file).read(BLOCK)
        layout_of(path.name, head)
    except FormatError:
        return head.startswith(FASTTEXT)
    except (OSError, EOFError, zlib.error):
        return False
    return True


def most_words() -> int:
    """The number of words to read. Raises CheckpointError if the setting is not a number."""
    value = os.environ.get(WORDS_VARIABLE, "")
    if value and not (value.isdecimal() and int(value)):
        raise CheckpointError(f"{WORDS_VARIABLE} is “{value}”.", "Set it to a number of words.")
    return int(value or MOST_WORDS)


def _read(
    file: BinaryIO, path: Path, most: int, name: str
) -> tuple[list[str], np.ndarray, list[str], Unread | None]:
    """Words and their rows, notes on those left out, and those beyond the limit."""
    layout = layout_of(path.name, file.read(BLOCK))
    file.seek(layout.start)
    # A number takes at least two bytes in text, four in binary: a limit for the number of rows.
    room = path.stat().st_size // (layout.dimensions * (2 if layout.is_text else 4)) + 1
    room = most if _is_packed(path) else min(room, most)
    count = room if layout.words is None else min(layout.words, most)
    check_size(count * layout.dimensions * 4, name)
    if layout.words is not None and count > room:
        raise _short(path, room, layout.words)
    matrix = np.empty((count, layout.dimensions), dtype=np.float32)
    words: list[str] = []
    cut: list[str] = []
    repeated: list[str] = []
    seen_words: set[str] = set()
    rows = (text_rows if layout.is_text else binary_rows)(path.name, file, layout)
    with np.errstate(over="ignore"):  # overflow becomes infinity, which is reported below
        for word, values in islice(rows, count):
            if isinstance(word, CutWord):
                cut.append(word.text)
                continue
            if word in seen_words:
                repeated.append(word)
                continue
            seen_words.add(word)
            matrix[len(words)] = values
            words.append(word)
    number = len(words) + len(cut) + len(repeated)
    if layout.words is not None and number < count:
        raise _short(path, number, layout.words)
    if not words:
        raise FormatError(f"{path.name} has no whole word.", AGAIN)
    unread = _unread(file, path, layout, number) if number == most else None
    matrix.resize((len(words), layout.dimensions), refcheck=False)
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        at = int(finite.argmin())
        raise FormatError(f"{path.name} holds numbers that are not finite: those of “{words[at]}”.", AGAIN)
    notes = [unread.description()] if unread is not None else []
    if layout.is_text and layout.words is None and not (np.modf(matrix)[0].any() or matrix.min() < 0):
        notes.append("All its numbers are whole, as in a table of counts: is it a file of word vectors?")
    if unread is None and layout.words == number and _goes_on(rows):
        notes.append(
            f"The first line says that the file has {number:,} words; what follows them was not read."
        )
    if cut:
        number_in_words = "1 word was" if len(cut) == 1 else f"{len(cut):,} words were"
        notes.append(f"{number_in_words} left out, cut in the middle of a character: {_examples(cut)}.")
    if repeated:
        examples = _examples(list(dict.fromkeys(repeated)))
        notes.append(f"Of words that occur more than once, the first row was read: {examples}.")
    return words, matrix, notes, unread


def _examples(words: list[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:3]) + (" …" if len(words) > 3 else "")


def _goes_on(rows: Iterator[Row]) -> bool:
    """Whether more than empty lines follow the rows that were read."""
    try:
        return next(rows, None) is not None
    except FormatError:
        return True


def _unread(file: BinaryIO, path: Path, layout: Layout, read: int) -> Unread | None:
    """The rows beyond those that were read; None if there are none."""
    total, packed = layout.words, _is_packed(path)
    if total is None and not packed:
        total = read + sum(not line.isspace() for line in iter(lambda: file.readline(BLOCK), b""))
    elif total is None:
        total = None if file.readline(BLOCK).strip() else read
    if total == read:
        return None
    searched = path if layout.is_text and not packed else None
    return Unread(read, total, searched, header=0 if layout.words is None else 1)


def _short(path: Path, rows: int, declared: int) -> FormatError:
    return FormatError(f"{path.name} says it holds {declared:,} words, but ends after {rows:,}.", AGAIN)
