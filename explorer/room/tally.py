"""Answers counted as the app counts words, and what the true one costs a class."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from explorer.text.folding import fold_ends

HALF = 0.5  # an answer that nobody gave counts as half of one for the bits that a class pays


def tally(answers: Iterable[str], merged: Mapping[str, str] | None = None) -> dict[str, int]:
    """How often each answer was given, the most frequent first.

    Spellings that the app counts as equal are one, under the most frequent of them. `merged` names for the
    key of an answer another answer with which it is counted.
    """
    merged = merged or {}
    spellings: dict[str, Counter[str]] = {}  # of each word, by the key under which it counts
    for answer in answers:
        word = merged.get(key(answer), answer).strip()
        spellings.setdefault(key(word), Counter())[word] += 1
    counts = {words.most_common(1)[0][0]: words.total() for words in spellings.values()}
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def key(word: str) -> str:
    """A word as it is counted: equal for all its spellings, and with or without marks at its ends.

    >>> key("Bank"), key("“bank.”"), key("C#"), key("!")
    ('bank', 'bank', 'c#', '!')
    """
    return fold_ends(word)


def bits(count: int, total: int) -> float:
    """The bits that a class pays for a word that `count` of `total` wrote: −log2 of its share.

    A word that nobody wrote has the share of half an answer, so that the price is finite.

    >>> bits(2, 4), bits(0, 4)
    (1.0, 3.0)
    """
    return math.log2(total / (count or HALF))
