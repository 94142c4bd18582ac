"""Detector of replaced words that knows only token frequencies: the baseline of a discriminator.

A generator draws frequent words too often, so frequency alone tells something. Tokens are put into bands of
doubling counts. On one half of the verdicts the share of replaced words is counted in every band, and the
bands with the best F1 are chosen; F1 is measured on the other half. The discriminator's threshold can be
chosen in the same way.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from training.metrics.replaced import Verdicts, f1


def halves(judged: Verdicts) -> tuple[Verdicts, Verdicts]:
    """First half of the judged words, to choose by, and second half, to measure on."""
    middle = len(judged.tokens) // 2
    first, second = (
        Verdicts(judged.tokens[half], judged.scores[half], judged.replaced[half], judged.read)
        for half in (slice(None, middle), slice(middle, None))
    )
    return first, second


def threshold(scores: Float[Tensor, "word"], replaced: Bool[Tensor, "word"]) -> float:
    """Lowest score that counts as replaced for the highest F1; inf without replaced words."""
    from sklearn.metrics import precision_recall_curve  # takes a second

    if not replaced.any():
        return float("inf")
    precision, recall, thresholds = precision_recall_curve(replaced, scores)
    product, total = precision * recall, precision + recall
    best = (2 * product / total.clip(min=1e-9))[:-1].argmax()
    return float(thresholds[best])


def tuned_f1(first: Verdicts, second: Verdicts) -> float:
    """F1 on the second half with the threshold that is best on the first."""
    return f1(second.scores >= threshold(first.scores, first.replaced), second.replaced)


def bands(counts: Int[Tensor, "d_vocab"]) -> Int[Tensor, "d_vocab"]:
    """Count of each token as a power of two: 0 never, 1 once, 2 up to three times, ..."""
    return (counts.double() + 1).log2().ceil().long()


def frequency_f1(counts: Int[Tensor, "d_vocab"], first: Verdicts, second: Verdicts) -> float:
    """F1 on the second half of a detector that knows only the tokens' counts."""
    band = bands(counts)
    size = int(band.max()) + 1
    total = torch.bincount(band[first.tokens], minlength=size)
    hits = torch.bincount(band[first.tokens[first.replaced]], minlength=size)
    share = (hits / total.clamp(min=1))[band]  # of each token of the vocabulary
    return f1(share[second.tokens] >= threshold(share[first.tokens], first.replaced), second.replaced)
