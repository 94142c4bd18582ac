"""A detector of replaced words that knows only how frequent a token is: what a discriminator has to beat.

A generator draws frequent words too often, so frequency alone tells something. Tokens are put into bands,
each of which has about twice the count of the one below; on one half of the verdicts the share of
replaced words is counted in every band, and the bands are chosen that give the best F1; they are then asked
on the other half. The discriminator's own threshold may be chosen in the same way.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from training.metrics.replaced import Verdicts, f1


def halves(found: Verdicts) -> tuple[Verdicts, Verdicts]:
    """The first half of the judged words, to choose by, and the second, to measure on."""
    middle = len(found.tokens) // 2
    cuts = (slice(None, middle), slice(middle, None))
    first, second = (
        Verdicts(found.tokens[cut], found.scores[cut], found.replaced[cut], found.read) for cut in cuts
    )
    return first, second


def threshold(scores: Float[Tensor, "word"], replaced: Bool[Tensor, "word"]) -> float:
    """The score from which on a word is called replaced so that F1 is highest; inf without replaced words."""
    order = scores.argsort(descending=True)
    ranked, hits = scores[order], replaced[order].cumsum(0)
    if not len(hits) or not int(hits[-1]):
        return float("inf")
    named = torch.arange(1, len(hits) + 1)
    figures = 2 * hits / (named + hits[-1])
    last_of_ties = torch.cat([ranked[1:] != ranked[:-1], torch.tensor([True])])
    return float(ranked[figures.masked_fill(~last_of_ties, -1.0).argmax()])


def tuned_f1(chosen_by: Verdicts, asked: Verdicts) -> float:
    """F1 on `asked` where the threshold was chosen on the other half."""
    return f1(asked.scores >= threshold(chosen_by.scores, chosen_by.replaced), asked.replaced)


def bands(counts: Int[Tensor, "d_vocab"]) -> Int[Tensor, "d_vocab"]:
    """How often each token stands in a text, as a power of two: 0 never, 1 once, 2 up to three times, ..."""
    return (counts.double() + 1).log2().ceil().long()


def frequency_f1(counts: Int[Tensor, "d_vocab"], chosen_by: Verdicts, asked: Verdicts) -> float:
    """F1 of "replaced" on `asked` by a detector that knows the counts of tokens and nothing else."""
    band = bands(counts)
    size = int(band.max()) + 1
    seen = torch.bincount(band[chosen_by.tokens], minlength=size)
    hits = torch.bincount(band[chosen_by.tokens[chosen_by.replaced]], minlength=size)
    share = (hits / seen.clamp(min=1))[band]  # of each token of the vocabulary
    return f1(share[asked.tokens] >= threshold(share[chosen_by.tokens], chosen_by.replaced), asked.replaced)
