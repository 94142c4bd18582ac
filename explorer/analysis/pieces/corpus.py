"""A text as symbols that are merged: its different words, with their counts and those of adjacent pairs."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float, Int

BETWEEN = -1  # between two words, so that no pair goes over a word's edge
SHIFT = 32  # bits of the right symbol in the key of a pair


class Corpus:
    """The different words of a text, each with its count, as one row of symbols.

    Symbols are numbered: single ones in the order of their characters, merged ones in the order of their
    merges. `counts` has for each pair in `left` and `right` how often it stands in the text; overlapping
    pairs count each (“aaa” has two).

    >>> corpus = Corpus({("a", "a", "b"): 2})
    >>> corpus.merge(0, "aa")
    >>> corpus.symbols, corpus.tokens()
    (['a', 'b', 'aa'], 4)
    """

    def __init__(self, words: Mapping[tuple[str, ...], int]) -> None:
        self.symbols = sorted({symbol for word in words for symbol in word})
        ids = {symbol: number for number, symbol in enumerate(self.symbols)}
        row = [id for word in words for id in [*(ids[symbol] for symbol in word), BETWEEN]]
        self._row = np.array(row, np.int64)
        lengths = np.array([len(word) + 1 for word in words], np.int64)
        self._weights = np.repeat(np.fromiter(words.values(), np.int64, len(words)), lengths)
        self._slots: dict[int, int] = {}  # of a pair's key
        self._left, self._right, self._counts = (np.zeros(1024, np.int64) for _ in range(3))
        self._add(np.arange(len(row) - 1), 1)

    @property
    def left(self) -> Int[np.ndarray, " pair"]:
        """The first symbols of all pairs that occur or have occurred."""
        return self._left[: len(self._slots)]

    @property
    def right(self) -> Int[np.ndarray, " pair"]:
        """Their second symbols."""
        return self._right[: len(self._slots)]

    @property
    def counts(self) -> Int[np.ndarray, " pair"]:
        """How often each pair stands in the text, 0 for one that is merged away."""
        return self._counts[: len(self._slots)]

    def tokens(self) -> int:
        """How many symbols the text has."""
        return int(self._weights[self._row >= 0].sum())

    def symbol_counts(self) -> Float[np.ndarray, " symbol"]:
        """How often each symbol stands in the text."""
        inside = self._row >= 0
        return np.bincount(self._row[inside], self._weights[inside], minlength=len(self.symbols))

    def merge(self, pair: int, symbol: str) -> None:
        """Put one symbol for a pair, given by its index, from the left to the right of each word."""
        left, right = int(self._left[pair]), int(self._right[pair])
        starts = np.flatnonzero((self._row[:-1] == left) & (self._row[1:] == right))
        if left == right:
            starts = _without_overlap(starts)
        around = np.unique(np.concatenate([starts - 1, starts, starts + 1]))
        self._add(around[(around >= 0) & (around < len(self._row) - 1)], -1)
        self._row[starts] = len(self.symbols)
        self.symbols.append(symbol)
        self._row, self._weights = (np.delete(array, starts + 1) for array in (self._row, self._weights))
        places = starts - np.arange(len(starts))
        around = np.unique(np.concatenate([places - 1, places]))
        self._add(around[(around >= 0) & (around < len(self._row) - 1)], 1)

    def _add(self, starts: Int[np.ndarray, " start"], sign: int) -> None:
        """Count the pairs that start at these places, or take them out of the count."""
        starts = starts[(self._row[starts] >= 0) & (self._row[starts + 1] >= 0)]
        keys = (self._row[starts] << SHIFT) + self._row[starts + 1]
        different, of = np.unique(keys, return_inverse=True)
        for key, count in zip(different.tolist(), np.bincount(of, self._weights[starts]).tolist()):
            slot = self._slot(key)  # before the arrays are taken, for it may replace them
            self._counts[slot] += sign * int(count)

    def _slot(self, key: int) -> int:
        """The index of a pair, which is new or known."""
        slot = self._slots.setdefault(key, len(self._slots))
        if slot == len(self._left):
            double = [np.concatenate([a, np.zeros_like(a)]) for a in (self._left, self._right, self._counts)]
            self._left, self._right, self._counts = double
        self._left[slot], self._right[slot] = key >> SHIFT, key & ((1 << SHIFT) - 1)
        return slot


def _without_overlap(starts: Int[np.ndarray, " pair"]) -> Int[np.ndarray, " start"]:
    """Of places in a run, every second one from its left end: “aaa” has one pair that can be merged."""
    begins = np.flatnonzero(np.diff(starts, prepend=-2) != 1)
    run_lengths = np.diff(begins, append=len(starts))
    alone: Int[np.ndarray, " start"] = starts[
        (np.arange(len(starts)) - np.repeat(begins, run_lengths)) % 2 == 0
    ]
    return alone
