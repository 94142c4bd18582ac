"""Replaced words on held-out text: a discriminator's training task (Clark et al. 2020).

A generator replaces 15 % of the words by samples at temperature 1. A sample that is the true word counts as
original, as in training.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.analysis.prediction.drawing import draw
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.bert.masking import hide
from training.metrics.masked import BATCH, LENGTH
from training.text.rows import Rows, frame_of, layout, pairs
from training.text.shards import Shard


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Judged words: the token that was read, its score, and whether it was replaced.

    Special tokens are never replaced and are left out; `read` includes them.
    """

    tokens: Int[Tensor, "word"]
    scores: Float[Tensor, "word"]
    replaced: Bool[Tensor, "word"]
    read: int

    @property
    def nats(self) -> float:
        """Mean cross-entropy of the verdicts, in nats per word."""
        return float(F.binary_cross_entropy_with_logits(self.scores, self.replaced.float()))

    @property
    def f1(self) -> float:
        """F1 of "replaced" for scores above 0 (a probability above one half)."""
        return f1(self.scores > 0, self.replaced)


def f1(predicted: Bool[Tensor, "word"], true: Bool[Tensor, "word"]) -> float:
    """Harmonic mean of precision and recall; 0 without hits.

    >>> f1(torch.tensor([True, True, False]), torch.tensor([True, False, True]))
    0.5
    """
    hits, wrong = int((predicted & true).sum()), int((predicted != true).sum())
    return 2 * hits / (2 * hits + wrong) if hits else 0.0


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
    parts, tokens = [], 0
    for shard in shards:
        rows = pairs(shard, length, frame, 0)
        for batch in torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).split(BATCH):
            if limit is not None and tokens >= limit:
                break
            part = rows.take(batch)
            parts.append(_judged(generator, discriminator, part, frame, int(batch[0])))
            _, end, _ = part.columns
            tokens += int(end.sum())
    if not parts:
        raise TextError("There is no held-out text to measure on.", "Give a file with text in it.")
    read, scores, replaced = (torch.cat(column) for column in zip(*parts, strict=True))
    return Verdicts(read, scores, replaced, tokens)


def _judged(
    generator: LanguageModel,
    discriminator: LanguageModel,
    rows: Rows,
    frame: tuple[int, int, int],
    seed: int,
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
