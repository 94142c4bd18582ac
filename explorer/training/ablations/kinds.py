"""`bert-mini` with one part of its training left out (Devlin et al. 2019, section 5.1 and appendix C.2).

Text, order of the rows, first weights and optimiser are the same throughout. Of the training one thing
differs, but for `LeftToRight`: its counterpart is `WithoutNext`.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from explorer.analysis.ablations import ALWAYS_MASK, LEFT_TO_RIGHT, WHOLE, WITHOUT_NEXT
from explorer.models.bert import Bert
from explorer.training.bert.mini import MiniBert
from explorer.training.bert.word_loss import word_loss
from explorer.training.metrics.masked import BATCH, LENGTH
from explorer.training.text.rows import Rows, layout, pairs


class WithoutNext(MiniBert):
    """The same rows, half of them of two texts, but nobody asks whether the second follows."""

    follows = 0.0


class AlwaysMask(MiniBert):
    """Every word to be predicted shows as [MASK]; none is replaced by another, none stays."""

    shown = (1.0, 0.0)


class Leftward(Bert):
    """A BERT in which each position reads itself and those before it alone."""

    memory_efficient = False  # `at` would need the rows of each place

    def allowed(
        self, ids: Int[Tensor, "batch pos"], mask: Bool[Tensor, "batch pos"] | None
    ) -> Bool[Tensor, "#batch 1 #query_pos pos"]:
        length = ids.shape[1]
        before = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()[None, None]
        return before if mask is None else before & mask[:, None, None, :]


class LeftToRight(MiniBert):
    """Each position reads itself and those before it, and says what comes next; nothing is masked.

    As in the paper ("LTR & No NSP"), the next sentence is not asked for either. Every word is predicted,
    where the others predict 15 to 30 % of them.
    """

    watched = "next_word"
    network_class = Leftward

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        words, hits, count = self._next(rows)
        return words, {"next_word": words.detach(), "top1": hits / max(1, count)}

    def held_out(self, limit: int | None) -> dict[str, float]:
        """How often the next word is the first guess, in rows of 128 tokens; stops after `limit` tokens."""
        held = self.held_out_shards()
        if held is None:
            return {}
        right, judged, read = 0, 0, 0
        for i in range(len(held)):
            rows = pairs(held[i], LENGTH, self.frame, 0)
            for some in torch.arange(len(rows)).split(BATCH):
                if limit is not None and read >= limit:
                    break
                _, hits, count = self._next(rows.take(some))
                right, judged = right + int(hits), judged + count
                read += len(some) * LENGTH
        return {"next_word_top1": right / max(1, judged), "measured": float(read)}

    def _next(self, rows: Rows) -> tuple[Tensor, Tensor, int]:
        """The loss of each word given those before it, how many are the first guess, and of how many."""
        fill = self.network.mlm_head
        assert fill is not None, "a network in training has its heads"
        allowed, segments, words = layout(rows, self.frame)
        last = self.network(rows.ids, segments=segments, mask=allowed).last
        asked = words[:, 1:]
        states, truth = fill.state(last[:, :-1][asked]), rows.ids[:, 1:][asked]
        loss, hits = word_loss(states, fill.vectors(self.network.tokens.weight), fill.bias, truth)
        return loss, hits, len(truth)


TASKS: dict[str, type[MiniBert]] = {
    WHOLE: MiniBert,
    WITHOUT_NEXT: WithoutNext,
    ALWAYS_MASK: AlwaysMask,
    LEFT_TO_RIGHT: LeftToRight,
}
