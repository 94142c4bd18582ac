"""`bert-mini` with one part of its training left out (Devlin et al. 2019, section 5.1 and appendix C.2).

Text, order of the rows, initial weights and optimiser are the same throughout. One part of the training
differs; `LeftToRight` is to be compared with `WithoutNext`.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from explorer.analysis.ablations import ALWAYS_MASK, LEFT_TO_RIGHT, WHOLE, WITHOUT_NEXT
from explorer.models.bert import Bert
from training.bert.mini import MiniBert
from training.bert.word_loss import word_loss
from training.metrics.masked import LENGTH, held_out_rows
from training.text.rows import Rows, layout


class WithoutNext(MiniBert):
    """The same rows, half of them of two texts, without the next-sentence task."""

    follows = 0.0


class AlwaysMask(MiniBert):
    """Every word to be predicted becomes [MASK]; none is replaced by another word or kept."""

    replacements = (1.0, 0.0)


class Leftward(Bert):
    """A BERT whose positions attend only to themselves and earlier ones."""

    memory_efficient = False  # `at` would need a mask for each position

    def allowed(
        self, ids: Int[Tensor, "batch pos"], mask: Bool[Tensor, "batch pos"] | None
    ) -> Bool[Tensor, "#batch 1 #query_pos pos"]:
        length = ids.shape[1]
        before = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()[None, None]
        return before if mask is None else before & mask[:, None, None, :]


class LeftToRight(MiniBert):
    """Each position predicts the next word from itself and earlier ones; nothing is masked.

    As in the paper ("LTR & No NSP") there is no next-sentence task. Every word is predicted; the other
    variants predict 15 to 30 %.
    """

    curve_figure = "next_word"
    network_class = Leftward

    def loss(self, rows: Rows, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        words, hits, count = self._next(rows)
        return words, {"next_word": words.detach(), "top1": hits / max(1, count)}

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Accuracy of the first guess for the next word, in rows of 128 tokens, until `limit` tokens."""
        shards = self.held_out_shards()
        if shards is None:
            return {}
        right, judged = 0, 0
        for rows, _ in held_out_rows(shards, LENGTH, self.frame, limit):
            _, hits, count = self._next(rows)
            right, judged = right + int(hits), judged + count
        return {"next_word_top1": right / max(1, judged)}

    def _next(self, rows: Rows) -> tuple[Tensor, Tensor, int]:
        """Mean loss of each word given earlier ones, number of right first guesses, and number of words."""
        fill = self.network.mlm_head
        assert fill is not None, "a network in training has its heads"
        allowed, segments, words = layout(rows, self.frame)
        last = self.network(rows.ids, segments=segments, mask=allowed).last
        targets = words[:, 1:]
        states, truth = fill.state(last[:, :-1][targets]), rows.ids[:, 1:][targets]
        loss, hits = word_loss(states, fill.vectors(self.network.tokens.weight), fill.bias, truth)
        return loss, hits, len(truth)


TASKS: dict[str, type[MiniBert]] = {
    WHOLE: MiniBert,
    WITHOUT_NEXT: WithoutNext,
    ALWAYS_MASK: AlwaysMask,
    LEFT_TO_RIGHT: LeftToRight,
}
