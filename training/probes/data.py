"""Training and test data of the probes: portions of a treebank, documents with names, and their states.

The portions are random whole sentences (whole documents for the names). Nothing is tuned, so the development
file stays unread.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.probing.sentences import Sentence, read_names, read_treebank
from explorer.analysis.probing.states import word_states
from explorer.errors import TextError
from explorer.models.base import Model

AT_ONCE = 256


class StoredStates:
    """States of all words of some sentences, one after another; computed once, then read.

    float16 has three digits and at most 65,504. Raises ValueError for larger states.
    """

    def __init__(self, model: Model, sentences: Sequence[Sentence], path: Path) -> None:
        self.lengths = [len(sentence) for sentence in sentences]
        shape = (model.config.layers + 1, sum(self.lengths), model.config.d_model)
        if not path.exists():
            self._make(model, sentences, path, shape)
        self.file = np.load(path, mmap_mode="r")
        if self.file.shape != shape:
            raise ValueError(f"{path} is of other sentences: delete it.")

    @property
    def depth(self) -> int:
        """Number of layers and the embedding."""
        return int(self.file.shape[0])

    def layer(self, layer: int) -> Float[Tensor, "word d_model"]:
        """States of one layer in float32."""
        return torch.from_numpy(np.array(self.file[layer])).float()

    def sentences(self, layer: int) -> list[Float[Tensor, "word d_model"]]:
        """States of one layer, sentence by sentence."""
        return list(self.layer(layer).split(self.lengths))

    @staticmethod
    def _make(model: Model, sentences: Sequence[Sentence], path: Path, shape: tuple[int, int, int]) -> None:
        part = path.with_suffix(".part")
        file = np.lib.format.open_memmap(part, "w+", np.float16, shape)
        at = 0
        for start in range(0, len(sentences), AT_ONCE):
            for one in word_states(model, sentences[start : start + AT_ONCE]):
                if one.states.abs().max() > np.finfo(np.float16).max:
                    raise ValueError("A hidden state is too large for float16.")
                file[:, at : at + one.states.shape[1]] = one.states.half().numpy()
                at += one.states.shape[1]
        file.flush()
        part.rename(path)


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
