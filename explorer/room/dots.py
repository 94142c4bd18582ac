"""Numbers as dots on a scale: each at its own place, those that would touch above each other."""

import math
from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush

from explorer.room.questions import Question

MOST_TICKS = 12  # whole numbers that are all named
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


def ticks(question: Question) -> Sequence[float]:
    """The numbers at the ends of the scale and in its middle; of a few whole ones all."""
    low, high = question.low, question.high
    if question.whole and high - low < MOST_TICKS:
        return range(int(low), int(high) + 1)
    return low, math.sqrt(low * high) if _is_logarithmic(question) else (low + high) / 2, high


def _is_logarithmic(question: Question) -> bool:
    return question.low > 0 and question.high / question.low >= LOGARITHMIC


def stacked(places: Sequence[float]) -> list[tuple[float, int]]:
    """Places in order, each with the lowest level on which it touches no other."""
    standing: deque[tuple[float, int]] = deque()  # dots that the next one may touch, the first of them first
    free: list[int] = []  # levels on which there is room again, as a heap
    levels = 0
    dots = []
    for at in places:
        while standing and at - standing[0][0] >= APART:
            heappush(free, standing.popleft()[1])
        level = heappop(free) if free else levels
        levels = max(levels, level + 1)
        standing.append((at, level))
        dots.append((at, level))
    return dots
