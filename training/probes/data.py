"""Training and test data of the probes: portions of a treebank, and documents with names.

The portions are random whole sentences (whole documents for the names). Nothing is tuned, so the development
file stays unread.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.probing.sentences import Sentence, read_names, read_treebank
from explorer.errors import TextError

TRAIN_WORDS, TEST_WORDS = 50_000, 20_000
SHORTEST, LONGEST = 3, 40  # words of a sentence: short ones have no tree, long ones take most of the time
NAMES_TEST = 0.25  # of the documents


@dataclass(frozen=True)
class Portion:
    """Sentences to train on or to test with."""

    sentences: tuple[Sentence, ...]

    @property
    def words(self) -> int:
        """Number of words."""
        return sum(map(len, self.sentences))


def treebank(folder: Path, seed: int = 0) -> dict[str, Portion]:
    """Portions of the treebank's training file and of its test file."""
    portions = {}
    for use, most in (("train", TRAIN_WORDS), ("test", TEST_WORDS)):
        files = sorted(folder.glob(f"*{use}*.conllu"))
        if len(files) != 1:
            raise TextError(f"{folder} has {len(files)} files with {use} in their name that end in .conllu.")
        with files[0].open(encoding="utf-8") as lines:
            portions[use] = _draw(
                [s for s in read_treebank(lines) if SHORTEST <= len(s) <= LONGEST], most, seed
            )
    return portions


def names(file: Path, seed: int = 0) -> dict[str, Portion]:
    """All documents of a file with names, three quarters of them to train on."""
    with file.open(encoding="utf-8") as lines:
        documents = read_names(lines)
    random.Random(seed).shuffle(documents)
    cut = round(len(documents) * NAMES_TEST)
    return {
        "test": Portion(tuple(sentence for document in documents[:cut] for sentence in document)),
        "train": Portion(tuple(sentence for document in documents[cut:] for sentence in document)),
    }


def _draw(sentences: Sequence[Sentence], most: int, seed: int) -> Portion:
    order = list(sentences)
    random.Random(seed).shuffle(order)
    selected: list[Sentence] = []
    words = 0
    for sentence in order:
        if words + len(sentence) > most:
            break
        selected.append(sentence)
        words += len(sentence)
    return Portion(tuple(selected))
