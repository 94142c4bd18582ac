"""Masked words and next sentences on held-out text: BERT's two training tasks."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.bert.masking import hide
from training.text.rows import UNKNOWN, Rows, frame_of, layout, pairs
from training.text.shards import Shard

LENGTH = 128
BATCH = 32  # rows; the random masks depend on it


@dataclass(frozen=True)
class Masked:
    """Shares of `masked` positions; `next_sentence` is a share of `judged` pairs, None without that head.

    `nats` is the mean cross-entropy; `tokens` is the number of tokens read, with special tokens.
    """

    nats: float
    top1: float
    top5: float
    masked: int
    next_sentence: float | None
    judged: int
    tokens: int

    @property
    def figures(self) -> dict[str, float]:
        """Figures on the masked words, by their names in records."""
        return {
            "masked_nats": self.nats,
            "masked_top1": self.top1,
            "masked_top5": self.top5,
            "measured": float(self.tokens),
        }


def masked_words(
    model: LanguageModel,
    shards: Iterable[Shard],
    limit: int | None = None,
    length: int = LENGTH,
    first: int = 0,
) -> Masked:
    """Accuracy of the first guess and of the first five for masked words, on rows of `length` tokens.

    15 % of the words with seed 0, all shown as [MASK]; a tie counts as wrong. Half of the rows are pairs (see
    `text.rows.pairs`). The masks are drawn on the CPU, so they are the same on every device. It stops after
    `limit` tokens. Only words from position `first` of their row on count. Raises AbilityError for a model
    that does not fill blanks, TextError if there is no text.
    """
    model.require(Ability.FILL, "guess masked words")
    length = min(length, model.config.positions)
    frame = frame_of(model.tokenizer.backend)
    ranks, nats, verdicts, tokens = [], 0.0, [], 0
    for shard in shards:
        rows = pairs(shard, length, frame, 0)
        for batch in torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).split(BATCH):
            if limit is not None and tokens >= limit:
                break
            some = rows.take(batch)
            rank, loss, right = _read(model, some, frame, int(batch[0]), first)
            ranks.append(rank)
            verdicts.append(right)
            nats += loss
            _, end, _ = some.columns
            tokens += int(end.sum())
    if not sum(map(len, ranks)):
        raise TextError("There is no held-out text to measure on.", "Give a file with enough text in it.")
    rank, right = torch.cat(ranks), torch.cat(verdicts)
    return Masked(
        nats=nats / len(rank),
        top1=float((rank == 1).float().mean()),
        top5=float((rank <= 5).float().mean()),
        masked=len(rank),
        next_sentence=float(right.float().mean()) if len(right) else None,
        judged=len(right),
        tokens=tokens,
    )


def ranks_of(scores: Float[Tensor, "pos d_vocab"], truth: Int[Tensor, "pos"]) -> Int[Tensor, "pos"]:
    """Rank of the true token, 1 for the best; tied tokens come first."""
    return (scores >= scores.gather(1, truth[:, None])).sum(1)


def _read(
    model: LanguageModel, rows: Rows, frame: tuple[int, int, int], seed: int, first: int
) -> tuple[Tensor, float, Tensor]:
    """Ranks of a batch's masked words, their loss in nats, and for each verdict if it is right."""
    allowed, segments, candidates = layout(rows, frame)
    _, _, after = rows.columns
    generator = torch.Generator().manual_seed(seed)
    mask, d_vocab, device = model.tokenizer.special_id("mask"), model.config.d_vocab, model.device
    read, chosen = hide(rows.ids, candidates, mask, d_vocab, generator, hidden=1.0, random=0.0)
    chosen[:, :first] = False
    with torch.no_grad():
        last = model.network(read.to(device), segments=segments.to(device), mask=allowed.to(device)).last
        scores, truth = model.unembed(last[chosen.to(device)]), rows.ids[chosen].to(device)
        loss = F.cross_entropy(scores, truth, reduction="sum").item()
        judged = after != UNKNOWN
        if Ability.NEXT_SENTENCE not in model.abilities:
            return ranks_of(scores, truth).cpu(), loss, torch.empty(0, dtype=torch.bool)
        verdict = model.next_sentence(last[judged.to(device)]).cpu()
    follows = after[judged, None]
    right = (verdict.gather(1, follows) > verdict.gather(1, 1 - follows))[:, 0]
    return ranks_of(scores, truth).cpu(), loss, right
