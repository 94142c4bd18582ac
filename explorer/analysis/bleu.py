"""BLEU, step by step: how much of a translation stands in those that people have written.

Papineni, Roukos, Ward, Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation" (ACL 2002).

    p_n   = n-grams of the candidate that are in a reference, clipped / n-grams of the candidate
    BP    = 1 where the candidate is no shorter than the closest reference, else exp(1 - r / c)
    BLEU  = 100 BP (p_1 p_2 p_3 p_4) ** (1/4)

The counts, the tokens and the score are those of sacrebleu (Post 2018) for a corpus of this one sentence.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from explorer.errors import ExplorerError, TextError

ORDERS = 4  # n-grams of one to four tokens
Gram = tuple[str, ...]


class Smoothing(StrEnum):
    """What stands for a precision of 0, which would make the whole score 0 (Chen and Cherry 2014).

    >>> ours, theirs = "a red door opens", "a green door opened"  # not two words in a row are the same
    >>> {name.value: bleu(ours, [theirs], smoothing=name).score > 0 for name in Smoothing}
    {'none': False, 'floor': True, 'add-k': True, 'exp': True}
    """

    NONE = "none"
    FLOOR = "floor"  # FLOOR matches in place of none
    ADD_K = "add-k"  # K more matches and K more n-grams, from the bigrams on
    EXP = "exp"  # half a match, then a quarter, ...: each empty order half of the one before


FLOOR, K = 0.1, 1


class Fate(StrEnum):
    """What becomes of one n-gram of the candidate.

    >>> found = bleu("the the dog", ["the dog barks"])
    >>> [fate.value for fate in found.orders[0].fates]
    ['match', 'clipped', 'match']
    """

    MATCH = "match"
    CLIPPED = "clipped"  # in a reference, but the candidate has it more often
    MISSING = "missing"  # in no reference


@dataclass(frozen=True)
class Order:
    """The n-grams of one length.

    `fates` has one entry for each n-gram of the candidate, in its order. `precision` is in percent,
    after smoothing; `smoothed` says whether smoothing changed it.

    >>> pairs = bleu("we sat on a bench", ["we sat on the bench"]).orders[1]
    >>> pairs.n, pairs.matches, pairs.total, pairs.precision
    (2, 2, 4, 50.0)
    """

    n: int
    fates: tuple[Fate, ...]
    matches: int
    precision: float
    smoothed: bool

    @property
    def total(self) -> int:
        """How many n-grams of this length the candidate has."""
        return len(self.fates)


@dataclass(frozen=True)
class Bleu:
    """A candidate's score, from 0 to 100, and all that it is made of.

    `counted` are the orders in the product: all four, or with an effective order only those of which
    the candidate has any. `closest` is the length of the reference that is nearest in length.

    >>> found = bleu("we sat on", ["we sat on the bench", "we sat down"])
    >>> found.candidate, found.closest, found.penalty  # as long as the second reference: no penalty
    (('we', 'sat', 'on'), 3, 1.0)
    """

    candidate: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[Order, ...]
    counted: int
    closest: int
    penalty: float
    score: float
    signature: str


def bleu(
    candidate: str,
    references: Sequence[str],
    clip: bool = True,
    smoothing: str = Smoothing.EXP,
    effective_order: bool = False,
) -> Bleu:
    """A candidate beside its references.

    >>> found = bleu("the cat sat on a mat", ["the cat sat on the mat"])
    >>> found.orders[1].matches, found.orders[1].total, round(found.score, 2)
    (3, 5, 53.73)

    Without `clip` an n-gram counts as often as the candidate repeats it, which no BLEU does.
    Raises TextError without a candidate or a reference, ExplorerError for another smoothing.
    """
    if smoothing not in list(Smoothing):
        raise ExplorerError(f"There is no smoothing “{smoothing}”.", f"Choose {', '.join(Smoothing)}.")
    tokens, wanted = tokenize(candidate), [tokenize(one) for one in references]
    wanted = [one for one in wanted if one]
    if not tokens:
        raise TextError("There is no candidate.", "Type a translation to score.")
    if not wanted:
        raise TextError("There is no reference.", "Type at least one translation to compare with.")
    counts = [_fates(tokens, wanted, n, clip) for n in range(1, ORDERS + 1)]
    orders = _smooth(counts, Smoothing(smoothing))
    closest = min((len(one) for one in wanted), key=lambda length: (abs(length - len(tokens)), length))
    penalty = min(1.0, math.exp(1 - closest / len(tokens)))
    counted = max(o.n for o in orders if o.total) if effective_order else ORDERS
    if effective_order and smoothing == Smoothing.ADD_K:
        counted = ORDERS  # every order has n-grams once K are added
    return Bleu(
        candidate=tuple(tokens),
        references=tuple(tuple(one) for one in wanted),
        orders=tuple(orders),
        counted=counted,
        closest=closest,
        penalty=penalty,
        score=penalty * _geometric_mean([o.precision for o in orders[:counted]]),
        signature=f"nrefs:{len(wanted)}|case:mixed|eff:{'yes' if effective_order else 'no'}|tok:13a"
        f"|smooth:{smoothing}{_value(Smoothing(smoothing))}",
    )


# The ASCII symbols that are tokens of their own wherever they stand.
SYMBOLS = re.compile(f"([{re.escape(''.join(sorted(set(string.punctuation) - set(chr(39) + ',-.'))))}])")
MARK_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
MARK_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokenize(text: str) -> list[str]:
    """The tokens that sacrebleu calls 13a, after the script `mteval-v13a` of the WMT evaluations.

    Symbols stand alone, apostrophes and most hyphens stay in their words, and full stops and commas
    stay inside numbers only.

    >>> tokenize("It's 1,000 km (well-known), isn't it?")
    ["It's", '1,000', 'km', '(', 'well-known', ')', ',', "isn't", 'it', '?']
    """
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, char in ENTITIES:
        text = text.replace(entity, char)
    text = SYMBOLS.sub(r" \1 ", f" {text} ")
    text = MARK_AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = MARK_BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return DASH_AFTER_DIGIT.sub(r"\1 \2 ", text).split()


def grams(tokens: Sequence[str], n: int) -> list[Gram]:
    """All n-grams of some tokens, in their order.

    >>> grams(["the", "old", "bridge"], 2)
    [('the', 'old'), ('old', 'bridge')]
    """
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def matched(tokens: Sequence[str], other: Sequence[str], n: int) -> list[bool]:
    """Which tokens are part of an n-gram that another text has too: what is marked in a reference.

    >>> matched(["the", "old", "bridge"], ["an", "old", "bridge"], 2)
    [False, True, True]
    """
    known, marked = set(grams(other, n)), [False] * len(tokens)
    for i, gram in enumerate(grams(tokens, n)):
        if gram in known:
            marked[i : i + n] = [True] * n
    return marked


def _fates(tokens: list[str], references: list[list[str]], n: int, clip: bool) -> tuple[Fate, ...]:
    """What becomes of each n-gram; of a repeated one the first ones match, as many as clipping leaves."""
    allowed: Counter[Gram] = Counter()
    for reference in references:
        allowed |= Counter(grams(reference, n))  # the most that any one reference has
    seen: Counter[Gram] = Counter()
    fates = []
    for gram in grams(tokens, n):
        seen[gram] += 1
        counts = seen[gram] <= allowed[gram] or (not clip and allowed[gram] > 0)
        fates.append(Fate.MATCH if counts else Fate.CLIPPED if gram in allowed else Fate.MISSING)
    return tuple(fates)


def _smooth(counts: Sequence[tuple[Fate, ...]], smoothing: Smoothing) -> list[Order]:
    """The precision of each order; where nothing matches at all, nothing is smoothed."""
    matches = [fates.count(Fate.MATCH) for fates in counts]
    orders, share = [], 1.0
    for n, (fates, found) in enumerate(zip(counts, matches, strict=True), 1):
        counted, total = float(found), float(len(fates))
        if any(matches) and smoothing is Smoothing.ADD_K and n > 1:
            counted, total = counted + K, total + K
        elif any(matches) and total and not found:
            share /= 2
            counted = {Smoothing.EXP: share, Smoothing.FLOOR: FLOOR}.get(smoothing, 0.0)
        precision = 100 * counted / total if total else 0.0
        orders.append(Order(n, fates, found, precision, counted != found))
    return orders


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if all(values) else 0.0


def _value(smoothing: Smoothing) -> str:
    """The number of a smoothing, as sacrebleu's signature has it."""
    return {Smoothing.FLOOR: f"[{FLOOR:.2f}]", Smoothing.ADD_K: f"[{K:.2f}]"}.get(smoothing, "")
