"""Compiled loops over the scores of a vocabulary: a softmax, a draw, and what a token's rivals are.

A row fits the processor's cache and is done with before the next one is begun; operations on a whole
batch would wait for memory after each. Import this where it is needed: the compiler takes a moment.
(What the file takes from elsewhere is compiled in: it is to be touched when that changes.)
"""

import numpy as np
from numba import njit

from explorer.models.kernels import SUMS, exp


@njit(nogil=True, error_model="numpy", fastmath=SUMS)
def _shares(row, highest, temperature, out):
    """e^((x - highest) / temperature) of every number, and their sum."""
    total = np.float32(0)
    for i in range(len(row)):
        out[i] = exp((row[i] - highest) / temperature)
        total += out[i]
    return total


@njit(nogil=True, error_model="numpy", fastmath=SUMS)
def _highest(row):
    highest = row[0]
    for i in range(len(row)):
        highest = max(highest, row[i])
    return highest


@njit(nogil=True, cache=True, error_model="numpy")
def soften(logits, temperatures):
    """Softmax of every row's logits divided by its temperature. A tiny one cannot overflow."""
    out = np.empty_like(logits)
    for r in range(len(logits)):
        total = _shares(logits[r], _highest(logits[r]), temperatures[r], out[r])
        for i in range(logits.shape[1]):
            out[r, i] /= total
    return out


@njit(nogil=True, cache=True, error_model="numpy")
def fall(chances, draws):
    """For each row the id on which a number in [0, 1) falls, laid along the running sum of its chances."""
    ids = np.empty(len(chances), np.int64)
    for r in range(len(chances)):
        total = 0.0
        for chance in chances[r]:
            total += chance
        # A draw close to 1 can be rounded up to the total, which lies beyond the last token.
        at, sum = min(draws[r] * total, np.nextafter(total, -total)), 0.0
        ids[r] = chances.shape[1] - 1
        for i in range(chances.shape[1]):
            sum += chances[r, i]
            if sum > at:
                ids[r] = i
                break
    return ids


@njit(nogil=True, cache=True, error_model="numpy")
def survey(logits, ids, count):
    """Each row's softmax at one id and that id's rank, and the `count` most probable ids, best first.

    Of equal scores the lower id comes first. Where a row's scores are not numbers, nor is its softmax.
    """
    rows = len(logits)
    probabilities, ranks = np.empty(rows, np.float32), np.ones(rows, np.int64)
    best, theirs = np.zeros((rows, count), np.int64), np.empty((rows, count), np.float32)
    shares, scores = np.empty(logits.shape[1], np.float32), np.empty(count, np.float32)
    for r in range(rows):
        row, own = logits[r], logits[r, ids[r]]
        total = _shares(row, _highest(row), np.float32(1), shares)
        probabilities[r] = shares[ids[r]] / total
        known = 0
        for i in range(len(row)):
            ranks[r] += row[i] > own
            if known < count or (count and row[i] > scores[count - 1]):
                at = min(known, count - 1)
                while at > 0 and row[i] > scores[at - 1]:
                    scores[at], best[r, at] = scores[at - 1], best[r, at - 1]
                    at -= 1
                scores[at], best[r, at] = row[i], i
                known = min(known + 1, count)
        for at in range(count):
            theirs[r, at] = shares[best[r, at]] / total
    return probabilities, ranks, best, theirs
