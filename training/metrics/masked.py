"""Masked words and next sentences on held-out text: BERT's two training tasks."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, Inputs, number
from training.rows import UNKNOWN, Rows, frame_of, hide, layout, pairs
from training.text import Shard, Shards

LENGTH = 128
BATCH = 32  # rows; the random masks depend on it


def held_out_blanks(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Masked words and next sentences of held-out text.

    The last figure is on the second half of longer rows, whose positions may have been trained less.
    """
    limit = inputs.limits["held-out"]
    shards = Shards(inputs.held_out_text(), model.tokenizer.backend)
    figures = masked_words(model, shards, limit)
    if model.config.positions < 2 * LENGTH:
        return figures
    try:
        far = masked_words(model, shards, limit, length=2 * LENGTH, first=LENGTH)[0]
    except TextError:  # no text has this length
        return figures
    label = f"{far.label}, from the {LENGTH + 1}th token of a text on"
    return [*figures, replace(far, key="masked_far_top1", label=label)]


def masked_words(
    model: LanguageModel,
    shards: Iterable[Shard],
    limit: int | None = None,
    length: int = LENGTH,
    first: int = 0,
) -> list[Figure]:
    """Accuracy of the first guess and of the first five for masked words, on rows of `length` tokens.

    15 % of the words with seed 0, all shown as [MASK]; a tie counts as wrong. Half of the rows are pairs (see
    `text.rows.pairs`). The masks are drawn on the CPU, so they are the same on every device. It stops after
    `limit` tokens. Only words from position `first` of their row on count. Raises AbilityError for a model
    that does not fill blanks, TextError if there is no text.
    """
    model.require(Ability.FILL, "guess masked words")
    length = min(length, model.config.positions)
    frame = frame_of(model.tokenizer.backend)
    ranks, nats, verdicts = [], 0.0, []
    for rows, seed in held_out_rows(shards, length, frame, limit):
        rank, loss, right = _read(model, rows, frame, seed, first)
        ranks.append(rank)
        verdicts.append(right)
        nats += loss
    if not sum(map(len, ranks)):
        raise TextError("There is no held-out text to measure on.", "Give a file with enough text in it.")
    rank, right = torch.cat(ranks), torch.cat(verdicts)
    top1, top5 = (float((rank <= most).float().mean()) for most in (1, 5))
    verdict = float(right.float().mean()) if len(right) else None
    basis, note = (len(rank), "masked positions"), "" if len(right) else "it has no next-sentence head"
    label = "next-sentence verdict is right (chance 50)"
    return [
        Figure("masked_top1", "the hidden token is the first guess", top1, *basis),
        Figure("masked_top5", "the hidden token is among the first five", top5, *basis),
        number("masked_nats", "cross-entropy, nats", nats / len(rank), *basis),
        Figure("next_sentence", label, verdict, len(right), "pairs of texts", note=note),
    ]


def held_out_rows(
    shards: Iterable[Shard], length: int, frame: tuple[int, int, int], limit: int | None
) -> Iterator[tuple[Rows, int]]:
    """Batches of rows in random order until `limit` tokens are read, each with a seed for its masks."""
    tokens = 0
    for shard in shards:
        rows = pairs(shard, length, frame, 0)
        for batch in torch.randperm(len(rows), generator=torch.Generator().manual_seed(0)).split(BATCH):
            if limit is not None and tokens >= limit:
                return
            some = rows.take(batch)
            _, end, _ = some.columns
            tokens += int(end.sum())
            yield some, int(batch[0])


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
