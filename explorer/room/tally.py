"""Answers counted as the app counts words, and a class's distribution beside a model's."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from explorer.text.folding import fold

HALF = 0.5  # an answer that nobody gave counts as half of one for the bits that a class pays


@dataclass(frozen=True)
class Tally:
    """How often each answer was given, the most frequent first; `count` is the number of answers."""

    counts: dict[str, int]

    @property
    def count(self) -> int:
        """How many have answered."""
        return sum(self.counts.values())

    def shares(self) -> dict[str, float]:
        """Each answer's share of all."""
        return {answer: number / self.count for answer, number in self.counts.items()}


def tally(answers: Iterable[str], merged: Mapping[str, str] | None = None) -> Tally:
    """Count answers; spellings that the app counts as equal are one, under the most frequent of them.

    `merged` names for an answer another one with which it is counted.

    >>> tally(["Bank", "bank ", "river"]).counts
    {'Bank': 2, 'river': 1}
    """
    words: dict[str, Counter[str]] = {}  # how often each spelling was written, by the folded word
    for answer in answers:
        words.setdefault(fold(answer.strip()), Counter())[answer.strip()] += 1
    counts: Counter[str] = Counter()
    for spellings in words.values():
        name = spellings.most_common(1)[0][0]
        counts[(merged or {}).get(name, name)] += spellings.total()
    return Tally(dict(counts.most_common()))


def key(word: str) -> str:
    """A word as it is counted: equal for all its spellings.

    >>> key("Bank") == key("bank")
    True
    """
    return fold(word.strip())


def overlap(shares: Mapping[str, float], probabilities: Mapping[str, float]) -> float:
    """The part of two distributions that they have in common, 0 to 1.

    >>> overlap({"river": 0.5, "bank": 0.5}, {"Bank": 0.25, "shore": 0.75})
    0.25
    """
    folded = {fold(word): probability for word, probability in probabilities.items()}
    return sum(min(share, folded.get(fold(word), 0.0)) for word, share in shares.items())


def bits(answers: Tally, truth: str) -> float:
    """The bits that the class's distribution pays for the true word: −log2 of its share of the answers.

    A word that nobody wrote has the share of half an answer, so that the price is finite.

    >>> bits(tally(["river", "river", "bank", "shore"]), "River")
    1.0
    """
    number = {fold(word): count for word, count in answers.counts.items()}.get(fold(truth), 0)
    return -math.log2((number or HALF) / max(answers.count, 1))


def numbers(answers: Sequence[str]) -> list[float]:
    """The answers to a question for a number, smallest first."""
    return sorted(float(answer) for answer in answers)
