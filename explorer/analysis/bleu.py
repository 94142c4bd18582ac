"""BLEU, step by step: the overlap of a translation with reference translations.

Papineni, Roukos, Ward, Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation" (ACL 2002).

    p_n   = n-grams of the candidate that are in a reference, clipped / n-grams of the candidate
    BP    = 1 if the candidate is no shorter than the closest reference, else exp(1 - r / c)
    BLEU  = 100 BP (p_1 p_2 p_3 p_4) ** (1/4)

The counts, the tokens and the score are those of sacrebleu (Post 2018) for a corpus of this single sentence.
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
NGram = tuple[str, ...]


class Smoothing(StrEnum):
    """What replaces a precision of 0, which would make the whole score 0 (Chen and Cherry 2014).

    >>> candidate, reference = "a red door opens", "a green door opened"  # no bigram matches
    >>> {name.value: bleu(candidate, [reference], smoothing=name).score > 0 for name in Smoothing}
    {'none': False, 'floor': True, 'add-k': True, 'exp': True}
    """

    NONE = "none"
    FLOOR = "floor"  # FLOOR matches instead of 0
    ADD_K = "add-k"  # K more matches and K more n-grams, for bigrams and longer ones
    EXP = "exp"  # half a match, then a quarter, ...: half as many for each further order without matches


FLOOR, K = 0.1, 1


class Outcome(StrEnum):
    """How an n-gram of the candidate counts.

    >>> unigrams = bleu("the the dog", ["the dog barks"]).orders[0]
    >>> [outcome.value for outcome in unigrams.outcomes]
    ['match', 'clipped', 'match']
    """

    MATCH = "match"
    CLIPPED = "clipped"  # in a reference, but the candidate has it more often
    MISSING = "missing"  # in no reference


@dataclass(frozen=True)
class Order:
    """The n-grams of one length.

    `outcomes` has an entry for each n-gram of the candidate, in order. `precision` is in percent, after
    smoothing; `smoothed` is True if smoothing changed it.

    >>> pairs = bleu("we sat on a bench", ["we sat on the bench"]).orders[1]
    >>> pairs.n, pairs.matches, pairs.total, pairs.precision
    (2, 2, 4, 50.0)
    """

    n: int
    outcomes: tuple[Outcome, ...]
    matches: int
    precision: float
    smoothed: bool

    @property
    def total(self) -> int:
        """The number of n-grams of this length in the candidate."""
        return len(self.outcomes)


@dataclass(frozen=True)
class Bleu:
    """A candidate's score, from 0 to 100, with its components.

    `orders_used` is the number of orders in the product: all four, or with an effective order only those with
    n-grams in the candidate. `closest` is the length of the reference that is nearest in length.

    >>> result = bleu("we sat on", ["we sat on the bench", "we sat down"])
    >>> result.candidate, result.closest, result.penalty  # as long as the second reference: no penalty
    (('we', 'sat', 'on'), 3, 1.0)
    """

    candidate: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[Order, ...]
    orders_used: int
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
    """The BLEU score of a candidate with its references.

    >>> result = bleu("the cat sat on a mat", ["the cat sat on the mat"])
    >>> result.orders[1].matches, result.orders[1].total, round(result.score, 2)
    (3, 5, 53.73)

    Without `clip` (not BLEU, but for comparison) repeated n-grams of the candidate all count. Raises
    TextError without a candidate or a reference, ExplorerError for an unknown smoothing.
    """
    if smoothing not in list(Smoothing):
        raise ExplorerError(f"There is no smoothing “{smoothing}”.", f"Choose {', '.join(Smoothing)}.")
    tokens = tokenize(candidate)
    reference_tokens = [tokenized for text in references if (tokenized := tokenize(text))]
    if not tokens:
        raise TextError("There is no candidate.", "Type a translation to score.")
    if not reference_tokens:
        raise TextError("There is no reference.", "Type at least one translation to compare with.")
    counts = [_outcomes(tokens, reference_tokens, n, clip) for n in range(1, ORDERS + 1)]
    orders = _smooth(counts, Smoothing(smoothing))
    lengths = map(len, reference_tokens)
    closest = min(lengths, key=lambda length: (abs(length - len(tokens)), length))
    penalty = min(1.0, math.exp(1 - closest / len(tokens)))
    orders_used = ORDERS
    if effective_order and smoothing != Smoothing.ADD_K:  # which adds n-grams to every order
        orders_used = max(order.n for order in orders if order.total)
    return Bleu(
        candidate=tuple(tokens),
        references=tuple(map(tuple, reference_tokens)),
        orders=tuple(orders),
        orders_used=orders_used,
        closest=closest,
        penalty=penalty,
        score=penalty * _geometric_mean([order.precision for order in orders[:orders_used]]),
        signature=f"nrefs:{len(reference_tokens)}|case:mixed|eff:{'yes' if effective_order else 'no'}|tok:13a"
        f"|smooth:{smoothing}{_value(Smoothing(smoothing))}",
    )


# ASCII symbols that are always tokens of their own.
SYMBOLS = re.compile(f"([{re.escape(''.join(sorted(set(string.punctuation) - set(chr(39) + ',-.'))))}])")
MARK_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
MARK_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokenize(text: str) -> list[str]:
    """The tokens of sacrebleu's tokenizer 13a, after the script `mteval-v13a` of the WMT evaluations.

    Symbols are separate tokens, apostrophes and most hyphens stay in their words, and full stops and commas
    stay only inside numbers.

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


def ngrams(tokens: Sequence[str], n: int) -> list[NGram]:
    """All n-grams of some tokens, in order.

    >>> ngrams(["the", "old", "bridge"], 2)
    [('the', 'old'), ('old', 'bridge')]
    """
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def match_mask(tokens: Sequence[str], other: Sequence[str], n: int) -> list[bool]:
    """Whether each token is part of an n-gram that another text has too.

    >>> match_mask(["the", "old", "bridge"], ["an", "old", "bridge"], 2)
    [False, True, True]
    """
    other_ngrams, mask = set(ngrams(other, n)), [False] * len(tokens)
    for i, ngram in enumerate(ngrams(tokens, n)):
        if ngram in other_ngrams:
            mask[i : i + n] = [True] * n
    return mask


def _outcomes(tokens: list[str], references: list[list[str]], n: int, clip: bool) -> tuple[Outcome, ...]:
    """The outcome of each n-gram; of a repeated one, the first ones match, as many as clipping allows."""
    allowed: Counter[NGram] = Counter()
    for reference in references:
        allowed |= Counter(ngrams(reference, n))  # the maximum over the references
    counts: Counter[NGram] = Counter()
    outcomes = []
    for ngram in ngrams(tokens, n):
        counts[ngram] += 1
        is_match = counts[ngram] <= allowed[ngram] or (not clip and allowed[ngram] > 0)
        missed = Outcome.CLIPPED if ngram in allowed else Outcome.MISSING
        outcomes.append(Outcome.MATCH if is_match else missed)
    return tuple(outcomes)


def _smooth(counts: Sequence[tuple[Outcome, ...]], smoothing: Smoothing) -> list[Order]:
    """The precision of each order; smoothed only if anything matches."""
    matches = [outcomes.count(Outcome.MATCH) for outcomes in counts]
    orders, share = [], 1.0
    for n, (outcomes, count) in enumerate(zip(counts, matches, strict=True), 1):
        smoothed, total = float(count), float(len(outcomes))
        if any(matches) and smoothing is Smoothing.ADD_K and n > 1:
            smoothed, total = smoothed + K, total + K
        elif any(matches) and total and not count:
            share /= 2
            smoothed = {Smoothing.EXP: share, Smoothing.FLOOR: FLOOR}.get(smoothing, 0.0)
        precision = 100 * smoothed / total if total else 0.0
        orders.append(Order(n, outcomes, count, precision, smoothed != count))
    return orders


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if all(values) else 0.0


def _value(smoothing: Smoothing) -> str:
    """The value of a smoothing, as in sacrebleu's signature."""
    return {Smoothing.FLOOR: f"[{FLOOR:.2f}]", Smoothing.ADD_K: f"[{K:.2f}]"}.get(smoothing, "")
