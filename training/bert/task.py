"""Training a BERT on masked words and next sentences (Devlin et al. 2019, section 3.1).

`continued`, `mini` and `chinese` say where its weights start: from a published encoder or at random.
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from tokenizers import Tokenizer as Backend
from torch import Tensor

from explorer.models.bert import Bert
from training.bert.word_loss import word_loss
from training.bert.wordpieces import WordPieceTask
from training.metrics.live import live
from training.run.schedule import Schedule
from training.text.corpus import Corpus
from training.text.rows import HIDDEN, RANDOM, UNKNOWN, Rows, by_length, hide, layout, twins

# The next-sentence loss has a small weight: with a weight of 1 the gradient's norm grew, and clipping then
# also reduces the masked words' share.
FOLLOWS = 0.25
# The most frequent tokens ("the", "of", "##s", a comma) occur several times in most rows, and copying them
# teaches nothing wrong. Only the others are hidden everywhere in a short row.
FREQUENT = 200
# Groups of rows of similar length that a step reads one after the other, each cut to its longest row: with
# half of the rows cut short, a quarter of the positions were padding.
GROUPS = 8


class BertTask(WordPieceTask):
    """BERT's loss, held-out measure and files (see `run.task.Task`)."""

    network: Bert
    curve_figure = "masked"
    replacements: tuple[float, float] = (HIDDEN, RANDOM)  # shares that become [MASK] and a random token
    follows = FOLLOWS

    def __init__(
        self, backend: Backend, corpus: Corpus, held_out: Corpus | None, folder: Path, schedule: Schedule
    ) -> None:
        super().__init__(backend, corpus, held_out, folder, schedule)
        self._content = torch.ones(backend.get_vocab_size(), dtype=torch.bool)
        self._content[self.counts().topk(min(FREQUENT, backend.get_vocab_size())).indices] = False

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator(rows.ids.device).manual_seed(step)
        _, end, after = rows.columns
        fill = self.network.mlm_head
        assert fill is not None, "a network in training has its heads"
        allowed, segments, candidates = layout(rows, self.frame)
        d_vocab, shares = len(fill.bias), (*self.replacements, self.rate(progress))
        read, chosen = hide(rows.ids, candidates, self.mask, d_vocab, generator, *shares)
        if self.schedule.hide_repeats:
            content = self._content.to(rows.ids.device)[rows.ids]
            content &= (end <= self.schedule.hide_repeats)[:, None]
            repeats = twins(rows.ids, chosen & content, candidates) & content
            read, candidates = read.masked_fill(repeats, self.mask), candidates & ~repeats
        last = last_states(self.network, read, segments, allowed)
        truth = rows.ids[chosen]
        vectors = fill.vectors(self.network.tokens.weight)
        loss, hits = word_loss(fill.state(last[chosen]), vectors, fill.bias, truth)
        figures = {"masked": loss.detach(), "top1": hits / max(1, len(truth))}
        judged = after != UNKNOWN
        if self.follows and judged.any():
            follows = F.cross_entropy(self.network.next_sentence(last[judged]), after[judged])
            loss = loss + self.follows * follows
            figures["next"] = follows.detach()
        further, further_figures = self.further_loss(last, rows, segments, allowed, candidates & ~chosen)
        return loss + further, figures | further_figures

    def further_loss(
        self, last: Tensor, rows: Rows, segments: Tensor, allowed: Tensor, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Another term of the loss and its figures; `plain` marks the words that are not masked."""
        return last.new_zeros(()), {}

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked words and next sentences (see `metrics.masked`)."""
        return self.held_out_words(live(self.network, self.backend), limit)


def last_states(
    network: Bert,
    ids: Int[Tensor, "row pos"],
    segments: Int[Tensor, "row pos"],
    allowed: Bool[Tensor, "row pos"],
) -> Float[Tensor, "row pos d_model"]:
    """Last hidden states; on a CPU rows of similar length are read together, and padding has zeros.

    A GPU would wait for each group.
    """
    if ids.is_cuda:
        last: Tensor = network(ids, segments=segments, mask=allowed).last
        return last
    groups, padded = by_length(allowed.sum(1), GROUPS), []
    for rows, longest in groups:
        group = [tensor[rows, :longest] for tensor in (ids, segments, allowed)]
        last = network(group[0], segments=group[1], mask=group[2]).last
        padded.append(F.pad(last, (0, 0, 0, ids.shape[1] - longest)))
    return torch.cat(padded)[torch.cat([rows for rows, _ in groups]).argsort()]
