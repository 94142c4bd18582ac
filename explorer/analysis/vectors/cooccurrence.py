"""What GloVe counts: how often words stand near each other, and what two words' company tells of them.

    X_ij        the sum of 1/distance over all places where j stands within a window of i
    P(k | i)    X_ik / sum over k of X_ik
    P(k | i) / P(k | j)    far above 1: k goes with i;  far below 1: with j;  near 1: with both or neither

Paper: Pennington, Socher, Manning, "GloVe: Global Vectors for Word Representation" (EMNLP 2014),
section 3 for the ratios, section 4.2 for the weight of a distance. GloVe then looks for vectors whose
products are the logarithms of X; nothing is trained here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import TextError, at_least_one
from explorer.files.lines import lines_of
from explorer.text.folding import straighten
from explorer.tokenizers.words import running_words


@dataclass(frozen=True, eq=False)
class Counts:
    """The words of a text, most frequent first, and how near they stand to each other: X, symmetric."""

    words: Sequence[str]
    near: Float[Tensor, "d_vocab d_vocab"]

    def place(self, word: str) -> int:
        """The row of a word. Raises TextError where the text does not have it."""
        wanted = straighten(word.strip()).lower()
        if wanted not in self.words:
            raise TextError(f"“{word.strip()}” is not in the text.", "Choose a word of the text.")
        return self.words.index(wanted)


@dataclass(frozen=True)
class Ratio:
    """A word, how probable it is near each of two others, and the ratio: inf or 0 near one of them only."""

    word: str
    first: float
    second: float
    ratio: float


def count(text: str, window: int = 5) -> Counts:
    """The co-occurrences of a text, a sentence a line: windows do not reach over the end of a line.

    Raises TextError for a text without words.

    >>> counted = count("we sat near water")
    >>> round(float(counted.near[counted.place("we"), counted.place("near")]), 2)
    0.5
    """
    at_least_one(window=window)
    lines = [running_words(line) for line in lines_of(text)]
    often: dict[str, int] = {}
    for line in lines:
        for word in line:
            often[word] = often.get(word, 0) + 1
    if not often:
        raise TextError("The text has no words.", "Paste a text of a few hundred words.")
    words = sorted(often, key=lambda word: (-often[word], word))
    places = {word: i for i, word in enumerate(words)}
    near = torch.zeros(len(words), len(words))
    for line in lines:
        ids = [places[word] for word in line]
        for at, one in enumerate(ids):
            for distance, other in enumerate(ids[at + 1 : at + 1 + window], 1):
                near[one, other] += 1 / distance
                near[other, one] += 1 / distance
    return Counts(words, near)


def ratios(counts: Counts, first: str, second: str, top: int = 12) -> list[Ratio]:
    """The words most often near each of two words in turn, from those of the first to those of the second.

    Raises TextError for a word that the text lacks, and for one word twice.
    """
    at_least_one(top=top)
    i, j = counts.place(first), counts.place(second)
    if i == j:
        raise TextError("Both words are the same.", "Choose two different words.")
    rows = counts.near[[i, j]].double()
    shares = rows / rows.sum(1, keepdim=True).clamp_min(1e-12)
    shares[:, [i, j]] = 0
    orders = shares.sort(dim=1, descending=True, stable=True).indices.tolist()
    turns = [k for pair in zip(*orders, strict=True) for k in pair]  # the best of each in turn
    chosen = [k for k in dict.fromkeys(turns) if float(shares[:, k].max()) > 0][:top]
    found = []
    for k in chosen:
        one, other = float(shares[0, k]), float(shares[1, k])
        found.append(Ratio(counts.words[k], one, other, one / other if other else math.inf))
    return sorted(found, key=lambda row: (-row.ratio, -row.first, row.second))
