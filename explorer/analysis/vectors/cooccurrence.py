"""GloVe's co-occurrence counts: how often words occur near each other, and ratios of the probabilities.

    X_ij        the sum of 1/distance over all occurrences of j within a window of i
    P(k | i)    X_ik / sum over k of X_ik
    P(k | i) / P(k | j)    far above 1: k goes with i;  far below 1: with j;  near 1: with both or neither

Paper: Pennington, Socher, Manning, "GloVe: Global Vectors for Word Representation" (EMNLP 2014),
section 3 for the ratios, section 4.2 for the weight of a distance. GloVe then fits vectors whose dot products
are the logarithms of X; nothing is trained here.
"""

import math
from collections import Counter
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
    """The words of a text, most frequent first, and their symmetric co-occurrence matrix X, `near`."""

    words: Sequence[str]
    near: Float[Tensor, "d_vocab d_vocab"]

    def place(self, word: str) -> int:
        """The row of a word. Raises TextError if the text does not have it."""
        key = straighten(word.strip()).lower()
        if key not in self.words:
            raise TextError(f"“{word.strip()}” is not in the text.", "Choose a word of the text.")
        return self.words.index(key)


@dataclass(frozen=True)
class Ratio:
    """A word, its probability near each of two others, and their ratio; inf or 0 if it is near only one."""

    word: str
    first: float
    second: float
    ratio: float


def count(text: str, window: int = 5) -> Counts:
    """The co-occurrences of a text with a sentence a line: windows do not cross the end of a line.

    Raises TextError for a text without words.

    >>> counts = count("we sat near water")
    >>> round(float(counts.near[counts.place("we"), counts.place("near")]), 2)
    0.5
    """
    at_least_one(window=window)
    lines = [running_words(line) for line in lines_of(text)]
    frequencies = Counter(word for line in lines for word in line)
    if not frequencies:
        raise TextError("The text has no words.", "Paste a text of a few hundred words.")
    words = sorted(frequencies, key=lambda word: (-frequencies[word], word))
    places = {word: i for i, word in enumerate(words)}
    near = torch.zeros(len(words), len(words))
    for line in lines:
        ids = [places[word] for word in line]
        for position, id in enumerate(ids):
            for distance, other in enumerate(ids[position + 1 : position + 1 + window], 1):
                near[id, other] += 1 / distance
                near[other, id] += 1 / distance
    return Counts(words, near)


def ratios(counts: Counts, first: str, second: str, top: int = 12) -> list[Ratio]:
    """The words most often near either of two words, from those of the first to those of the second.

    Raises TextError for a word that the text lacks, and if both are the same.
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
    result = []
    for k in chosen:
        p, q = float(shares[0, k]), float(shares[1, k])
        result.append(Ratio(counts.words[k], p, q, p / q if q else math.inf))
    return sorted(result, key=lambda row: (-row.ratio, -row.first, row.second))
