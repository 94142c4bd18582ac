"""What the probes learn from and are measured on: a part of a treebank, and documents with names.

The parts are drawn by a seed, whole sentences (whole documents for the names), before anything is learnt.
Nothing is tuned, and so the development part stays unread.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.probing.sentences import Sentence, read_names, read_treebank
from explorer.errors import TextError

TRAIN_WORDS, TEST_WORDS = 50_000, 20_000
SHORTEST, LONGEST = 3, 40  # words of a sentence: short ones have no tree to find, long ones cost most
NAMES_TEST = 0.25  # of the documents


@dataclass(frozen=True)
class Part:
    """Sentences for one use, `train` or `test`."""

    sentences: tuple[Sentence, ...]

    @property
    def words(self) -> int:
        """How many words there are."""
        return sum(map(len, self.sentences))


def treebank(folder: Path, seed: int = 0) -> dict[str, Part]:
    """A part of the treebank's own training file, and one of its test file."""
    found = {}
    for use, most in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        files = sorted(folder.glob(f"*{use}*.conllu"))
        if len(files) != 1:
            raise TextError(f"{folder} has {len(files)} files with {use} in their name that end in .conllu.")
        with files[0].open(encoding="utf-8") as lines:
            found[use] = _drawn(
                [s for s in read_treebank(lines) if SHORTEST <= len(s) <= LONGEST], most, seed
            )
    return found


def names(file: Path, seed: int = 0) -> dict[str, Part]:
    """All documents of a file with names, three quarters of them to learn from."""
    with file.open(encoding="utf-8") as lines:
        documents = read_names(lines)
    random.Random(seed).shuffle(documents)
    cut = round(len(documents) * NAMES_TEST)
    return {
        "test": Part(tuple(sentence for document in documents[:cut] for sentence in document)),
        "train": Part(tuple(sentence for document in documents[cut:] for sentence in document)),
    }


def _drawn(sentences: Sequence[Sentence], most: int, seed: int) -> Part:
    order = list(sentences)
    random.Random(seed).shuffle(order)
    kept: list[Sentence] = []
    words = 0
    for sentence in order:
        if words + len(sentence) > most:
            break
        kept.append(sentence)
        words += len(sentence)
    return Part(tuple(kept))
