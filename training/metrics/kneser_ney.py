"""Modified Kneser-Ney: the best of the counting models, as a yardstick for the learning ones.

Chen & Goodman 1999, "An empirical study of smoothing techniques for language modeling".

    P(w | h) = (c(h w) - D) / c(h) + g(h) P(w | h without its first token)

D depends on the count (1, 2, 3 and more); g(h) hands on what was taken off. The longest n-grams
count how often they occur; shorter ones count how many different tokens stand before them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Int

ORDER = 5
PART = 1 << 23  # n-grams sorted, or summed, at one time: what bounds the memory
FALLBACK = (0.5, 1.0, 1.5)  # discounts where a text is too small to estimate them
ABSENT = -1


@dataclass(frozen=True, eq=False)
class Level:
    """All n-grams of one length in order, and their contexts, which are the n-grams one shorter.

    A key is `context * d_vocab + last token`, the context being its place among the shorter
    ones. Per context: `totals` sums the counts of what follows it, and `handed_on` is g(h).
    """

    keys: Int[np.ndarray, "ngram"]
    counts: Int[np.ndarray, "ngram"]
    discounts: Float[np.ndarray, "4"]
    totals: Int[np.ndarray, "context"]
    handed_on: Float[np.ndarray, "context"]

    def find(self, keys: Int[np.ndarray, "item"]) -> Int[np.ndarray, "item"]:
        """Where keys stand, or -1."""
        if not len(self.keys):  # a text may have no document so long
            return np.full(len(keys), ABSENT)
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        return np.where(self.keys[places] == keys, places, ABSENT)


@dataclass(frozen=True, eq=False)
class KneserNey:
    """The model: `unigrams` sum to 1 over the vocabulary, `levels` are those of 2 tokens and more.

    `tokens` says how long the text was.
    """

    d_vocab: int
    tokens: int
    unigrams: Float[np.ndarray, "d_vocab"]
    levels: list[Level]

    def probability(self, windows: Int[np.ndarray, "item order"]) -> Float[np.ndarray, "item"]:
        """P of the last token of each window, given those before it; -1 stands where there is none.

        `probability(np.array([[-1, -1, -1, 4, 7]]))` is P(7 | 4).
        """
        token = windows[:, -1].astype(np.int64)
        result = self.unigrams[token]
        for length, level in enumerate(self.levels, 2):
            context = windows[:, -length].astype(np.int64)
            for inner, column in zip(self.levels, range(-length + 1, -1)):
                known = context != ABSENT
                context[known] = inner.find(context[known] * self.d_vocab + windows[known, column])
            known = np.flatnonzero(context != ABSENT)
            known = known[level.totals[context[known]] > 0]
            context = context[known]
            place = level.find(context * self.d_vocab + token[known])
            count = np.where(place == ABSENT, 0, level.counts[place])
            count = count - level.discounts[np.minimum(count, 3)]
            result[known] = count / level.totals[context] + level.handed_on[context] * result[known]
        return result


def fit(tokens: Int[np.ndarray, "pos"], d_vocab: int, end: int, order: int = ORDER) -> KneserNey:
    """Count a text `end document end document ... end`.

    No n-gram reaches past an `end`, which may only come first (nothing stands before it: such
    n-grams count how often they occur at every length) or last (it is predicted like any token).
    """
    ids = tokens.astype(np.int32)  # of the n-gram that ends at each position
    keys, counts, contexts, size = np.empty(0, np.int64), np.empty(0, np.int32), 0, d_vocab
    from_start = np.arange(d_vocab) == end  # n-grams whose first token is an end
    unigrams, levels = np.empty(0), []
    for length in range(2, order + 1):
        last = end if length > 2 else ABSENT
        longer, times, before, ids = _extended(ids, tokens, size, d_vocab, last, more=length < order)
        if length == 2:
            unigrams = _unigrams(before)
        else:
            np.copyto(counts, before, where=~from_start)
            levels.append(_level(keys, counts, d_vocab, contexts))
        if length < order:
            from_start = from_start[longer // d_vocab]
        keys, counts, contexts, size = longer, times, size, len(longer)
    levels.append(_level(keys, counts, d_vocab, contexts))
    return KneserNey(d_vocab, len(tokens), unigrams, levels)


def _extended(
    ids: Int[np.ndarray, "pos"],
    tokens: Int[np.ndarray, "pos"],
    size: int,
    d_vocab: int,
    last: int,
    more: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """N-grams one token longer than those with `ids`, none going on after the token `last`.

    Gives their keys and how often they occur; for each of the `size` shorter ones, how many
    different tokens stand before it; and the longer n-gram's id at each position, where `more` follow.
    """
    keys, times, before = [], [], np.zeros(size, np.int32)
    new_ids, count = np.full(len(ids) if more else 0, ABSENT, np.int32), 0
    for low, high in _parts(ids):
        inside = (ids >= low) & (ids < high) & (tokens != last)
        inside[-1] = False
        at = np.flatnonzero(inside)  # where the context ends
        key = ids[at].astype(np.int64) * d_vocab + tokens[at + 1]
        sorting = np.argsort(key)
        key, at = key[sorting], at[sorting]
        first = np.flatnonzero(np.diff(key, prepend=ABSENT))
        often = np.diff(first, append=len(key)).astype(np.int32)
        np.add.at(before, ids[at[first] + 1], 1)
        if more:
            new_ids[at + 1] = np.repeat(np.arange(count, count + len(first), dtype=np.int32), often)
        keys.append(key[first])
        times.append(often)
        count += len(first)
    joined = np.concatenate(keys)
    keys.clear()  # a gigabyte where a text is long
    return joined, np.concatenate(times), before, new_ids


def discounts(counts: Int[np.ndarray, "ngram"]) -> Float[np.ndarray, "4"]:
    """What is taken off counts of 0 (nothing), 1, 2, and 3 or more (Chen & Goodman, equation 26).

    Y = n1 / (n1 + 2 n2),   D_k = k - (k + 1) Y n_(k+1) / n_k
    """
    n = np.bincount(np.minimum(counts, 5), minlength=6)[1:5].astype(float)
    if not n.all():
        return np.array([0.0, *FALLBACK])
    y = n[0] / (n[0] + 2 * n[1])
    taken = [k - (k + 1) * y * n[k] / n[k - 1] for k in (1, 2, 3)]
    if not all(0 < d <= k for k, d in enumerate(taken, 1)):
        taken = list(FALLBACK)
    return np.array([0.0, *taken])


def _unigrams(counts: Int[np.ndarray, "d_vocab"]) -> Float[np.ndarray, "d_vocab"]:
    """The shortest model: discounted counts, what was taken off being shared by the whole vocabulary."""
    off = discounts(counts)[np.minimum(counts, 3)]
    shares: np.ndarray = (counts - off + off.sum() / len(counts)) / counts.sum()
    return shares


def _level(keys: np.ndarray, counts: np.ndarray, d_vocab: int, contexts: int) -> Level:
    """The sums over each context, in parts; a context's n-grams stand side by side."""
    off = discounts(counts)
    totals, handed_on = np.zeros(contexts, np.int64), np.zeros(contexts, np.float64)
    for start in range(0, len(keys), PART):
        some = counts[start : start + PART]
        context = keys[start : start + PART] // d_vocab
        here = slice(context[0], context[-1] + 1)
        totals[here] += np.bincount(context - context[0], weights=some).astype(np.int64)
        handed_on[here] += np.bincount(context - context[0], weights=off[np.minimum(some, 3)])
    handed_on /= np.maximum(totals, 1)
    return Level(keys, counts, off, totals.astype(np.int32), handed_on.astype(np.float32))


def _parts(ids: Int[np.ndarray, "pos"]) -> Iterator[tuple[int, int]]:
    """Ranges of ids, each of about PART positions, so that they can be sorted one after the other."""
    sample = np.sort(ids[:: max(1, len(ids) // 100_000)])
    count = 1 + len(ids) // PART
    edges = np.unique(sample[np.linspace(0, len(sample) - 1, count + 1).astype(int)[1:-1]])
    return pairwise([0, *(int(e) for e in edges if e > 0), int(ids.max()) + 1])
