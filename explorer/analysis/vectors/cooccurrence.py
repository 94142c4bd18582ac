"""GloVe's co-occurrence counts: how often words occur near each other, and ratios of the probabilities.

    X_ij        the sum of 1/distance over all occurrences of j within a window of i
    P(k | i)    X_ik / sum over k of X_ik
    P(k | i) / P(k | j)    far above 1: k goes with i;  far below 1: with j;  near 1: with both or neither

Paper: Pennington, Socher, Manning, "GloVe: Global Vectors for Word Representation" (EMNLP 2014),
section 3 for the ratios, section 4.2 for the weight of a distance. GloVe then fits vectors whose dot products
are the logarithms of X; nothing is trained here.

A short text has many counts of 0. So for a ratio every count is increased by one co-occurrence at the edge of
the window, 1/window, and only words are compared that occur five times and are no function words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import TextError, at_least_one
from explorer.files.lines import lines_of
from explorer.locale import _
from explorer.text.folding import straighten
from explorer.tokenizers.words import running_words

LEAST = 5  # occurrences of a word that is compared
FUNCTION_WORDS = frozenset(
    "a about across after all an and are as at be been before beside both but by can each every few for from "
    "had has have he her him his i if in into is it its many more most my no not of on one or our out over "
    "she so some than that the their them then there they this to two under up was we were when where which "
    "while who will with would you your".split()
)


@dataclass(frozen=True, eq=False)
class Counts:
    """The words of a text, most frequent first, and their symmetric co-occurrence matrix X, `near`."""

    words: Sequence[str]
    frequencies: Sequence[int]
    near: Float[Tensor, "d_vocab d_vocab"]
    window: int

    def place(self, word: str) -> int:
        """The row of a word. Raises TextError if the text does not have it."""
        key = straighten(word.strip()).lower()
        if key not in self.words:
            raise TextError(
                _("“{word}” is not in the text.", word=word.strip()), _("Choose a word of the text.")
            )
        return self.words.index(key)


@dataclass(frozen=True)
class Ratio:
    """A word, its probability near each of two others, and the ratio of both with the increased counts."""

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
        raise TextError(_("The text has no words."), _("Paste a text of a few hundred words."))
    words = sorted(frequencies, key=lambda word: (-frequencies[word], word))
    places = {word: i for i, word in enumerate(words)}
    near = torch.zeros(len(words), len(words))
    for line in lines:
        ids = [places[word] for word in line]
        for position, id in enumerate(ids):
            for distance, other in enumerate(ids[position + 1 : position + 1 + window], 1):
                near[id, other] += 1 / distance
                near[other, id] += 1 / distance
    return Counts(words, [frequencies[word] for word in words], near, window)


def ratios(counts: Counts, first: str, second: str, top: int = 12) -> list[Ratio]:
    """The words that tell two words apart best, one that is near neither, and those between them.

    They come from the words of the first to those of the second; at most `top` are returned, of those in
    the middle the ones with a ratio nearest to 1. Raises TextError for a word that the text lacks, and if
    both are the same.
    """
    at_least_one(top=top)
    i, j = counts.place(first), counts.place(second)
    if i == j:
        raise TextError(_("Both words are the same."), _("Choose two different words."))
    near = counts.near[[i, j]].double()
    shares = near / near.sum(1, keepdim=True).clamp_min(1e-12)
    more = near + 1 / counts.window
    logs = (more / more.sum(1, keepdim=True)).log()
    log_ratios = logs[0] - logs[1]
    compared = [k for k in _compared(counts) if k not in (i, j)]
    beside = [k for k in compared if float(near[:, k].sum()) > 0]
    neither = [k for k in compared if float(near[:, k].sum()) == 0][:1]  # the most frequent one
    ends = sorted(beside, key=lambda k: -abs(float(log_ratios[k])))[: 2 * top // 3]
    middle = sorted(set(beside) - set(ends), key=lambda k: abs(float(log_ratios[k])))
    chosen = [*neither, *ends, *middle][:top]
    return [
        Ratio(counts.words[k], float(shares[0, k]), float(shares[1, k]), float(log_ratios[k].exp()))
        for k in sorted(chosen, key=lambda k: (-float(log_ratios[k]), counts.words[k]))
    ]


def _compared(counts: Counts) -> list[int]:
    """The words that are frequent enough, without function words; of a very short text, all its words."""
    enough = [
        k
        for k, word in enumerate(counts.words)
        if counts.frequencies[k] >= LEAST and word not in FUNCTION_WORDS
    ]
    return enough or list(range(len(counts.words)))
