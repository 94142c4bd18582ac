"""Numbers as dots on a scale: each at its own place, those that would touch above each other."""

import math
from collections.abc import Sequence

from explorer.room.questions import Question

APART = 1 / 40  # of the scale, the width of a dot
LOGARITHMIC = (
    1_000  # a scale whose largest number is so many times the smallest has equal steps for equal factors
)


def place(question: Question, value: float) -> float:
    """The place of a number on the question's scale, from 0 to 1.

    >>> place(Question("number", "How many parameters?", low=1e6, high=1e12), 1e9)
    0.5
    """
    low, high = question.low, question.high
    if _is_logarithmic(question):
        low, high, value = math.log10(low), math.log10(high), math.log10(value)
    return (value - low) / (high - low)


def ticks(question: Question) -> tuple[float, float, float]:
    """The numbers at the ends of the scale and in its middle."""
    low, high = question.low, question.high
    return low, math.sqrt(low * high) if _is_logarithmic(question) else (low + high) / 2, high


def _is_logarithmic(question: Question) -> bool:
    return question.low > 0 and question.high / question.low >= LOGARITHMIC


def stacked(places: Sequence[float]) -> list[tuple[float, int]]:
    """Places in order, each with its level.

    >>> stacked([0.5, 0.5, 0.51, 0.9])
    [(0.5, 0), (0.5, 1), (0.51, 2), (0.9, 0)]
    """
    last: list[float] = []  # the last place on each level
    dots = []
    for at in places:
        level = next((number for number, other in enumerate(last) if at - other >= APART), len(last))
        last[level : level + 1] = [at]
        dots.append((at, level))
    return dots
