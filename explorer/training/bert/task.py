"""Training a BERT on masked words and next sentences (Devlin et al. 2019, section 3.1).

`continued.py`, `mini.py` and `chinese.py` say where its weights begin: from an encoder trained by others,
and from zero.
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from tokenizers import Tokenizer as Backend
from torch import Tensor

from explorer.models.bert import Bert
from explorer.training.bert.masking import HIDDEN, RANDOM, copies, hide, twins
from explorer.training.bert.word_loss import unlikely_loss
from explorer.training.bert.wordpieces import WordPieceTask, write_wordpieces
from explorer.training.metrics.live import live
from explorer.training.metrics.masked import masked_words
from explorer.training.run.task import Recipe
from explorer.training.text.corpus import Corpus
from explorer.training.text.rows import UNKNOWN, Rows, by_length, layout

# The next-sentence loss weighs little beside the masked words': with a weight of 1 the gradient's norm
# grew, all of which clipping takes out of the masked words' share too.
FOLLOWS = 0.25
# The most frequent tokens ("the", "of", "##s", a comma) stand several times in most rows, and copying
# them teaches nothing wrong: what is hidden everywhere in a short row are the others.
FREQUENT = 200
# Groups of rows of like length that a step reads one after the other, each cut to its longest row: with
# half of the rows cut short, a quarter of the positions were padding.
GROUPS = 8


class BertTask(WordPieceTask):
    """BERT's loss, held-out measure and files (see `task.Task`)."""

    name: str
    network: Bert
    watched = "masked"
    shown: tuple[float, float] = (HIDDEN, RANDOM)  # shares of the chosen words that [MASK] or another covers
    follows = FOLLOWS

    def __init__(
        self, backend: Backend, corpus: Corpus, held_out: Corpus | None, folder: Path, recipe: Recipe
    ) -> None:
        super().__init__(backend, corpus, held_out, folder, recipe)
        self._content = torch.ones(backend.get_vocab_size(), dtype=torch.bool)
        self._content[self.counts().topk(min(FREQUENT, backend.get_vocab_size())).indices] = False

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        generator = torch.Generator(rows.ids.device).manual_seed(step)
        _, end, after = rows.columns
        fill = self.network.mlm_head
        assert fill is not None, "a network in training has its heads"
        allowed, segments, candidates = layout(rows, self.frame)
        read, chosen = hide(
            rows.ids,
            candidates,
            self.mask,
            len(fill.bias),
            generator,
            *self.shown,
            rate=self.rate(progress),
            joined=rows.joined,
        )
        content = (end <= self.recipe.lone)[:, None] & self._content.to(rows.ids.device)[rows.ids]
        if self.recipe.lone:
            also = twins(rows.ids, chosen & content, candidates) & content
            read, candidates = read.masked_fill(also, self.mask), candidates & ~also
        last = encoded(self.network, read, segments, allowed)
        head = fill.state(last[chosen]), fill.vectors(self.network.tokens.weight), fill.bias, rows.ids[chosen]
        visible = content & candidates & (read == rows.ids)
        wrong = copies(rows.ids, chosen, visible) if self.recipe.unlike else None
        loss, words, hits = unlikely_loss(*head, wrong, self.recipe.unlike)
        figures = {"masked": words, "top1": hits / max(1, len(head[-1]))}
        judged = after != UNKNOWN
        if self.follows and judged.any():
            follows = F.cross_entropy(self.network.next_sentence(last[judged]), after[judged])
            loss = loss + self.follows * follows
            figures["next"] = follows.detach()
        extra, seen = self.extra(last, rows, segments, allowed, candidates & ~chosen)
        return loss + extra, figures | seen

    def extra(
        self, last: Tensor, rows: Rows, segments: Tensor, allowed: Tensor, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """A further term of the loss, and figures of it; `plain` are the words shown as they are."""
        return last.new_zeros(()), {}

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Masked top-1 and top-5, and next-sentence accuracy (see `metrics.masked`)."""
        held = self.held_out_shards()
        if held is None:
            return {}
        found = masked_words(live(self.network, self.backend), (held[i] for i in range(len(held))), limit)
        return {
            **found.guessed,
            "next_sentence": found.next_sentence or 0.0,
            "measured": float(found.tokens),
        }

    def write_tokenizer(self, folder: Path) -> None:
        write_wordpieces(self.backend, self.network.config.positions, folder)


def encoded(
    network: Bert,
    ids: Int[Tensor, "row pos"],
    segments: Int[Tensor, "row pos"],
    allowed: Bool[Tensor, "row pos"],
) -> Float[Tensor, "row pos d_model"]:
    """The last hidden states; on a CPU rows of like length are read together, and where one is padding is 0.

    A graphics card would wait for each length, and what is compiled for it would be compiled for each anew.
    """
    if ids.is_cuda:
        last: Tensor = network(ids, segments=segments, mask=allowed).last
        return last
    groups, padded = by_length(allowed.sum(1), GROUPS), []
    for rows, longest in groups:
        part = [each[rows, :longest] for each in (ids, segments, allowed)]
        last = network(part[0], segments=part[1], mask=part[2]).last
        padded.append(F.pad(last, (0, 0, 0, ids.shape[1] - longest)))
    return torch.cat(padded)[torch.cat([rows for rows, _ in groups]).argsort()]
