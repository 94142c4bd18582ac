"""BLEU, step by step: the overlap of a translation with reference translations.

Papineni, Roukos, Ward, Zhu, "BLEU: a Method for Automatic Evaluation of Machine Translation" (ACL 2002).

    p_n   = n-grams of the candidate that are in a reference, clipped / n-grams of the candidate
    BP    = 1 if the candidate is no shorter than the closest reference, else exp(1 - r / c)
    BLEU  = 100 BP (p_1 p_2 p_3 p_4) ** (1/4)

The tokens, the precisions and the score are sacrebleu's (Post 2018), for a corpus of this single sentence.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from explorer.errors import TextError

ORDERS = 4  # n-grams of one to four tokens
NGram = tuple[str, ...]


@dataclass(frozen=True)
class Order:
    """The n-grams of one length: whether each n-gram of the candidate counts, in order.

    `precision` is in percent. Where nothing matches it is smoothed: half a match, for the next such order a
    quarter, and so on (Chen and Cherry 2014), unless no order has a match.
    """

    n: int
    counted: tuple[bool, ...]
    precision: float

    @property
    def matches(self) -> int:
        """The number of n-grams that count."""
        return sum(self.counted)


@dataclass(frozen=True)
class Bleu:
    """A candidate's score, from 0 to 100, with its components.

    `closest` is the length of the reference that is nearest in length, `penalty` the brevity penalty, and
    `signature` says how sacrebleu counted.
    """

    candidate: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[Order, ...]
    closest: int
    penalty: float
    score: float
    signature: str


def bleu(candidate: str, references: Sequence[str]) -> Bleu:
    """The BLEU score of a candidate with its references.

    >>> result = bleu("the cat sat on a mat", ["the cat sat on the mat"])
    >>> result.orders[1].matches, round(result.score, 2)
    (3, 53.73)

    Raises TextError without a candidate or a reference.
    """
    tokens = tokenize(candidate)
    texts = [text for text in references if tokenize(text)]
    reference_tokens = tuple(map(tokenize, texts))
    if not tokens:
        raise TextError("There is no candidate.", "Type a translation to score.")
    if not texts:
        raise TextError("There is no reference.", "Type at least one translation to compare with.")
    metric = BLEU(force=True)  # without its warning of texts that are tokens already
    score = metric.corpus_score([candidate], [[text] for text in texts])
    return Bleu(
        candidate=tokens,
        references=reference_tokens,
        orders=tuple(
            Order(n, _counted(tokens, reference_tokens, n), precision)
            for n, precision in enumerate(score.precisions, 1)
        ),
        closest=score.ref_len,
        penalty=score.bp,
        score=score.score,
        signature=str(metric.get_signature()),
    )


def tokenize(text: str) -> NGram:
    """The tokens of sacrebleu's tokenizer 13a, after the script `mteval-v13a` of the WMT evaluations.

    >>> tokenize("It's 1,000 km (well-known).")
    ("It's", '1,000', 'km', '(', 'well-known', ')', '.')
    """
    return tuple(Tokenizer13a()(text.rstrip()).split())


def ngrams(tokens: Sequence[str], n: int) -> list[NGram]:
    """All n-grams of some tokens, in order.

    >>> ngrams(["the", "old", "bridge"], 2)
    [('the', 'old'), ('old', 'bridge')]
    """
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def _counted(tokens: NGram, references: Sequence[NGram], n: int) -> tuple[bool, ...]:
    """Whether each n-gram counts; of a repeated one, the first ones do, as many as clipping allows."""
    allowed: Counter[NGram] = Counter()
    for reference in references:
        allowed |= Counter(ngrams(reference, n))  # the maximum over the references
    every = ngrams(tokens, n)
    return tuple(every[:i].count(ngram) < allowed[ngram] for i, ngram in enumerate(every))
