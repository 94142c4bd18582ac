"""Masked words and next sentences on held-out text: the two things that BERT is trained for."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import repeat

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
BATCH = 32  # rows; the masks depend on it


@dataclass(frozen=True)
class Masked:
    """Shares are of `masked` positions; `next_sentence` is of `judged` pairs, None without that head.

    `nats` is the mean cross-entropy; `tokens` counts what was read, special tokens included.
    """

    nats: float
    top1: float
    top5: float
    masked: int
    next_sentence: float | None
    judged: int
    tokens: int

    @property
    def guessed(self) -> dict[str, float]:
        """How well hidden words were guessed, by the names that records use."""
        return {"masked_nats": self.nats, "masked_top1": self.top1, "masked_top5": self.top5}


def masked_words(
    model: LanguageModel,
    shards: Iterable[Shard],
    limit: int | None = None,
    parts: Iterable[Shard] | None = None,
    length: int = LENGTH,
    first: int = 0,
) -> Masked:
    """How often the hidden word is the first guess, or one of five, on some rows of `length` tokens.

    15 % of the words, seed 0, all shown as [MASK]; a tie counts as wrong. Half of the rows are
    pairs: a false second text comes from another document, that of eight whose sentences are
    most nearly as long. The masks are drawn on the CPU, so that every device sees the same ones.
    Stops after `limit` tokens. `parts` are the same shards with a 1 for every token that goes on with a
    word (`bert.segmented`): then a word is masked as a whole or not at all. Only words at position
    `first` of their row or later count. Raises AbilityError for a model that does not fill blanks,
    TextError where there is no text.
    """
    model.require(Ability.FILL, "guess masked words")
    length = min(length, model.config.positions)
    frame = frame_of(model.tokenizer.backend)
    ranks, nats, verdicts, tokens = [], 0.0, [], 0
    joined: Iterable[Shard | None] = repeat(None) if parts is None else parts
    for shard, marks in zip(shards, joined):
        rows = pairs(shard, length, frame, 0)
        if marks is not None:
            rows = replace(rows, joined=pairs(marks, length, (0, 0, 0), 0).ids.bool())
        for batch in torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).split(BATCH):
            if limit is not None and tokens >= limit:
                break
            part = rows.take(batch)
            rank, loss, right = _read(model, part, frame, int(batch[0]), first)
            ranks.append(rank)
            verdicts.append(right)
            nats += loss
            _, end, _ = part.columns
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
    """The rank of the true token, 1 for the best; it comes after all that tie with it."""
    return (scores >= scores.gather(1, truth[:, None])).sum(1)


def _read(
    model: LanguageModel, rows: Rows, frame: tuple[int, int, int], seed: int, first: int
) -> tuple[Tensor, float, Tensor]:
    """One batch: the ranks of its masked words, their loss in nats, and which verdicts are right."""
    allowed, segments, candidates = layout(rows, frame)
    _, _, after = rows.columns
    generator = torch.Generator().manual_seed(seed)
    mask, d_vocab, device = model.tokenizer.special_id("mask"), model.config.d_vocab, model.device
    read, chosen = hide(
        rows.ids, candidates, mask, d_vocab, generator, hidden=1.0, random=0.0, joined=rows.joined
    )
    asked = chosen.clone()
    asked[:, :first] = False
    with torch.no_grad():
        last = model.network(read.to(device), segments=segments.to(device), mask=allowed.to(device)).last
        scores, truth = model.unembed(last[asked.to(device)]), rows.ids[asked].to(device)
        loss = F.cross_entropy(scores, truth, reduction="sum").item()
        judged = after != UNKNOWN
        if Ability.NEXT_SENTENCE not in model.abilities:
            return ranks_of(scores, truth).cpu(), loss, torch.empty(0, dtype=torch.bool)
        verdict = model.next_sentence(last[judged.to(device)]).cpu()
    follows = after[judged, None]
    right = (verdict.gather(1, follows) > verdict.gather(1, 1 - follows))[:, 0]
    return ranks_of(scores, truth).cpu(), loss, right
