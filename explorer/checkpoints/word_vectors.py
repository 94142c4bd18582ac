"""Published word vectors: word2vec's text and binary files and GloVe's text, gzipped or not.

`vector_layout` tells one from another, `vector_rows` reads them. Words stand in the order of their
frequency in all of them, so the first ones are the most frequent: only so many are read, row by row
into one matrix.
"""

import gzip
import os
import zlib
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import torch
from torch import nn

from explorer.checkpoints.integrity import check_content, check_size
from explorer.checkpoints.vector_layout import AGAIN, BLOCK, FASTTEXT, layout_of
from explorer.checkpoints.vector_rows import binary_rows, text_rows
from explorer.errors import CheckpointError, FormatError, NotFoundError
from explorer.models import LanguageModel
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.tokenizers import TOKENIZER_FILES
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Ability, Checkpoint

SUFFIXES = (".txt", ".vec", ".bin")
MOST_WORDS = 200_000
WORDS_VARIABLE = "RIVERBANK_MAX_WORDS"


def is_vectors(path: Path) -> bool:
    """Whether a file's name ends as that of word vectors: .txt, .vec or .bin, perhaps with .gz."""
    return path.name.lower().removesuffix(".gz").endswith(SUFFIXES)


def inside(place: Path) -> Path | None:
    """The file of word vectors that a place is, or the only one in a folder without a model.

    A file with another ending is none.

    A licence or a note beside it is none: of several files those count that begin as vectors do.
    Raises NotFoundError for a folder that holds several.
    """
    if place.is_file():
        return place if is_vectors(place) else None
    if any(place.glob("*.json")) or any(place.glob("*.safetensors")):
        return None
    files = [p for p in sorted(place.iterdir()) if is_vectors(p) and p.name not in TOKENIZER_FILES]
    if len(files) > 1:
        files = [path for path in files if _begins_as_vectors(path)] or files
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
        with (gzip.open if _is_packed(path) else open)(path, "rb") as file:
            words, matrix = _read(cast(BinaryIO, file), path, most, str(checkpoint))
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"{path.name} cannot be read: {error}.", AGAIN) from error
    config = Word2VecConfig(len(words), matrix.shape[1], method="not stated")
    with torch.device("meta"):
        network = Word2Vec(config)
    network.tokens = nn.Embedding.from_pretrained(torch.from_numpy(matrix))
    lowercase = all(word == word.lower() for word in words[:20_000])
    tokenizer = WordTokenizer(words, lowercase)
    return LanguageModel(checkpoint, config, network.eval(), tokenizer, Ability.VECTORS)


def _is_packed(path: Path) -> bool:
    return path.name.lower().endswith(".gz")


def _begins_as_vectors(path: Path) -> bool:
    """Whether a file's first rows are of vectors, fastText's own binary among them."""
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
    """How many words of a file are read. Raises CheckpointError for a setting that is no number."""
    value = os.environ.get(WORDS_VARIABLE, "")
    if value and not (value.isdecimal() and int(value)):
        raise CheckpointError(f"{WORDS_VARIABLE} is “{value}”.", "Set it to a number of words.")
    return int(value or MOST_WORDS)


def _read(file: BinaryIO, path: Path, most: int, name: str) -> tuple[list[str], np.ndarray]:
    layout = layout_of(path.name, file.read(BLOCK))
    file.seek(layout.start)
    # A number takes two bytes of text, or four: no file can hold more rows than that.
    room = path.stat().st_size // (layout.dimensions * (2 if layout.is_text else 4)) + 1
    room = most if _is_packed(path) else min(room, most)
    count = room if layout.words is None else min(layout.words, most)
    check_size(count * layout.dimensions * 4, name)
    if layout.words is not None and count > room:
        raise _short(path, room, layout.words)
    matrix = np.empty((count, layout.dimensions), dtype=np.float32)
    words: list[str] = []
    rows = (text_rows if layout.is_text else binary_rows)(path.name, file, layout)
    with np.errstate(over="ignore"):  # told of below, as the infinity that it becomes
        for i, (word, values) in enumerate(islice(rows, count)):
            words.append(word)
            matrix[i] = values
    if layout.words is not None and len(words) < count:
        raise _short(path, len(words), layout.words)
    matrix.resize((len(words), layout.dimensions), refcheck=False)
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        at = int(finite.argmin())
        raise FormatError(f"{path.name} holds numbers that are not finite: those of “{words[at]}”.", AGAIN)
    return words, matrix


def _short(path: Path, there: int, stated: int) -> FormatError:
    return FormatError(f"{path.name} says it holds {stated:,} words, but ends after {there:,}.", AGAIN)
