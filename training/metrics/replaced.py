"""Replaced words on held-out text: a discriminator's training task (Clark et al. 2020).

A generator replaces 15 % of the words by samples at temperature 1. A sample that is the true word counts as
original, as in training. The generator draws frequent words too often, so frequency alone tells something: a
detector that knows only the counts of tokens is measured beside the discriminator.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer import load
from explorer.analysis.prediction.drawing import draw
from explorer.checkpoints.partner import generator_of
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, Inputs, number
from training.metrics.masked import LENGTH, held_out_rows
from training.rows import Rows, frame_of, hide, layout
from training.text import Shard, Shards

COUNTED_BLOCKS = 8  # of the training text, spread over it


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Judged words: the token that was read, its score, and whether it was replaced.

    Special tokens are never replaced and are left out.
    """

    tokens: Int[Tensor, "word"]
    scores: Float[Tensor, "word"]
    replaced: Bool[Tensor, "word"]

    @property
    def nats(self) -> float:
        """Mean cross-entropy of the verdicts, in nats per word."""
        return float(F.binary_cross_entropy_with_logits(self.scores, self.replaced.float()))

    @property
    def f1(self) -> float:
        """F1 of "replaced" for scores above 0 (a probability above one half)."""
        return f1(self.scores > 0, self.replaced)

    def halves(self) -> tuple["Verdicts", "Verdicts"]:
        """First half of the judged words, to choose by, and second half, to measure on."""
        middle = len(self.tokens) // 2
        columns = (self.tokens, self.scores, self.replaced)
        return Verdicts(*(c[:middle] for c in columns)), Verdicts(*(c[middle:] for c in columns))


def f1(predicted: Bool[Tensor, "word"], true: Bool[Tensor, "word"]) -> float:
    """Harmonic mean of precision and recall; 0 without hits.

    >>> f1(torch.tensor([True, True, False]), torch.tensor([True, False, True]))
    0.5
    """
    hits, wrong = int((predicted & true).sum()), int((predicted != true).sum())
    return 2 * hits / (2 * hits + wrong) if hits else 0.0


def replaced_words(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Replaced words of held-out text, found by a discriminator and by frequency alone."""
    generator = load(generator_of(str(model.checkpoint)))
    backend = model.tokenizer.backend
    shards = Shards(inputs.held_out_text(), backend)
    first, second = verdicts(generator, model, shards, inputs.limits["held-out"]).halves()
    positive, basis = second.scores > 0, (len(second.tokens), "words, the second half of those judged")
    hits = int((positive & second.replaced).sum())
    recall, precision = hits / max(1, int(second.replaced.sum())), hits / max(1, int(positive.sum()))
    tuned = f1(second.scores >= threshold(first.scores, first.replaced), second.replaced)
    share = float(second.replaced.float().mean())
    chosen = "the threshold was chosen on the other half"
    frequency, note = None, "no text to count in (--text)"
    if inputs.text:
        counts = token_counts(Shards(inputs.text, backend))
        frequency = frequency_f1(counts, first, second)
        note = f"{chosen}; notes in {int(counts.sum()):,} tokens"
    label = "F1 of a detector that knows only how frequent a token is"
    return [
        Figure("replaced_f1", "F1 of “replaced”, from one half on", second.f1, *basis),
        Figure("replaced_f1_tuned", "the same", tuned, *basis, note=chosen),
        Figure("replaced_recall", "replaced words that are found, from one half on", recall, *basis),
        Figure("replaced_precision", "words called replaced that are", precision, *basis),
        Figure("replaced_share", "replaced words", share, *basis),
        number("replaced_nats", "cross-entropy, nats", second.nats, *basis),
        Figure("replaced_f1_frequency", label, frequency, *basis, note=note),
    ]


def token_counts(shards: Shards) -> Int[Tensor, "d_vocab"]:
    """Counts of the tokens in a sample of a text."""
    blocks = range(0, len(shards), max(1, len(shards) // COUNTED_BLOCKS))
    ids = torch.cat([torch.from_numpy(shards[block].ids.astype("int64")) for block in blocks])
    return torch.bincount(ids, minlength=shards.backend.get_vocab_size())


def threshold(scores: Float[Tensor, "word"], replaced: Bool[Tensor, "word"]) -> float:
    """Lowest score that counts as replaced for the highest F1; inf without replaced words."""
    from sklearn.metrics import precision_recall_curve  # takes a second

    if not replaced.any():
        return float("inf")
    precision, recall, thresholds = precision_recall_curve(replaced, scores)
    product, total = precision * recall, precision + recall
    best = (2 * product / total.clip(min=1e-9))[:-1].argmax()
    return float(thresholds[best])


def frequency_f1(counts: Int[Tensor, "d_vocab"], first: Verdicts, second: Verdicts) -> float:
    """F1 on the second half of a detector that knows only the tokens' counts, in bands of doubling counts.

    In each band the share of replaced words on the first half is a token's score.
    """
    band = (counts.double() + 1).log2().ceil().long()
    size = int(band.max()) + 1
    total = torch.bincount(band[first.tokens], minlength=size)
    hits = torch.bincount(band[first.tokens[first.replaced]], minlength=size)
    share = (hits / total.clamp(min=1))[band]  # of each token of the vocabulary
    return f1(share[second.tokens] >= threshold(share[first.tokens], first.replaced), second.replaced)


def verdicts(
    generator: LanguageModel, discriminator: LanguageModel, shards: Iterable[Shard], limit: int | None = None
) -> Verdicts:
    """A discriminator's verdicts on 128-token rows with words of a generator.

    Both have the same vocabulary. The blanks are those of `masked_words`; blanks and samples have fixed
    seeds. Stops after `limit` tokens. Raises AbilityError for a model without the head, TextError if there
    is no text.
    """
    generator.require(Ability.FILL, "fill blanks")
    discriminator.require(Ability.DETECT, "judge which tokens were replaced")
    length = min(LENGTH, generator.config.positions, discriminator.config.positions)
    frame = frame_of(discriminator.tokenizer.backend)
    parts = [
        _judged(generator, discriminator, rows, frame, seed)
        for rows, seed in held_out_rows(shards, length, frame, limit)
    ]
    if not parts:
        raise TextError("There is no held-out text to measure on.", "Give a file with text in it.")
    return Verdicts(*(torch.cat(column) for column in zip(*parts, strict=True)))


def _judged(
    generator: LanguageModel, discriminator: LanguageModel, rows: Rows, frame: tuple[int, int, int], seed: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Words of a batch as the discriminator reads them, its scores, and a mask of the replaced ones."""
    allowed, segments, candidates = layout(rows, frame)
    random = torch.Generator().manual_seed(seed)
    mask, d_vocab = generator.tokenizer.special_id("mask"), generator.config.d_vocab
    hidden, chosen = hide(rows.ids, candidates, mask, d_vocab, random, hidden=1.0, random=0.0)
    generated = generator.run(hidden, segments=segments, mask=allowed).last
    read = rows.ids.clone()
    read[chosen] = draw(generator.unembed(generated[chosen.to(generated.device)]).cpu(), random)
    last = discriminator.run(read, segments=segments, mask=allowed).last
    scores = discriminator.detect(last[candidates.to(last.device)]).float().cpu()
    return read[candidates], scores, (read != rows.ids)[candidates]
