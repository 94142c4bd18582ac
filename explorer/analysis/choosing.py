"""Choosing the next token of many texts at once, each by its own settings and its own draw."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sampling import Sampling, chances_of_each, drawn


class Wish(NamedTuple):
    """How a token is to be chosen: by a draw in [0, 1), or given by hand; and how many rivals to name."""

    sampling: Sampling
    draw: float
    candidates: int
    given: int | None = None


class Chosen(NamedTuple):
    """The token chosen, as the model saw it, and the most probable ones with their chances, best first."""

    id: int
    probability: float
    chance: float
    rank: int
    best: list[tuple[int, float, float]]


def choose(logits: Float[Tensor, "batch d_vocab"], wishes: Sequence[Wish]) -> list[Chosen]:
    """What every row's wish comes to; a row's result has the same bits in any company."""
    own = logits.softmax(-1)
    spread = chances_of_each(logits, [wish.sampling for wish in wishes])
    ids = drawn(spread, [wish.draw for wish in wishes])
    for row, wish in enumerate(wishes):
        if wish.given is not None:
            ids[row] = wish.given
    numbers = torch.cat([own.gather(1, ids[:, None]), spread.gather(1, ids[:, None])], dim=1).tolist()
    best: list[list[tuple[int, float, float]]] = [[] for _ in wishes]
    for k in {wish.candidates for wish in wishes}:
        top = own.topk(min(k, own.shape[1]))
        columns = top.indices.tolist(), top.values.tolist(), spread.gather(1, top.indices).tolist()
        for row, wish in enumerate(wishes):
            if wish.candidates == k:
                best[row] = list(zip(*(column[row] for column in columns)))
    return [
        Chosen(id, probability, chance, _rank(own[row], id, probability, best[row]), best[row])
        for row, (id, (probability, chance)) in enumerate(zip(ids.tolist(), numbers, strict=True))
    ]


def _rank(
    own: Float[Tensor, "d_vocab"], id: int, probability: float, best: list[tuple[int, float, float]]
) -> int:
    """One more than there are tokens of a higher probability."""
    if best and probability >= best[-1][1]:  # all of those are among the best
        return 1 + sum(p > probability for _, p, _ in best)
    return int((own > own[id]).sum()) + 1
