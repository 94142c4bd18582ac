"""Choosing the next token of many texts at once, each by its own settings and its own draw."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sampling import Sampling, chances_of_each, drawn
from explorer.errors import ExplorerError


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
    """What every row's wish comes to; a row's result has the same bits in any company.

    Raises ExplorerError where the scores are not numbers, as those of a broken checkpoint may be.
    """
    own = logits.softmax(-1)
    if own[:, 0].isnan().any():  # one such score spoils its whole row
        raise ExplorerError(
            "The model's scores are not numbers, so that no token can be chosen.",
            "Its weights may be damaged, or too large for their type: load them again, or another model.",
        )
    ids, chance = _taken(logits, wishes)
    probabilities = own.gather(1, torch.tensor(ids)[:, None])[:, 0].tolist()
    best: list[list[tuple[int, float]]] = [[] for _ in wishes]
    for k in {wish.candidates for wish in wishes}:
        top = own.topk(min(k, own.shape[1]))
        for row, (wish, found, values) in enumerate(zip(wishes, top.indices.tolist(), top.values.tolist())):
            if wish.candidates == k:
                best[row] = list(zip(found, values))
    return [
        Chosen(
            id,
            probabilities[row],
            chance(row, [id])[0],
            _rank(own[row], id, probabilities[row], best[row]),
            [(i, p, c) for (i, p), c in zip(best[row], chance(row, [i for i, _ in best[row]]))],
        )
        for row, id in enumerate(ids)
    ]


def _taken(
    logits: Float[Tensor, "batch d_vocab"], wishes: Sequence[Wish]
) -> tuple[list[int], Callable[[int, list[int]], list[float]]]:
    """Every row's token, and how to look up the chances of some tokens of a row."""
    drawing = [row for row, wish in enumerate(wishes) if not wish.sampling.takes_the_best]
    best = logits.argmax(-1).tolist() if len(drawing) < len(wishes) else [0] * len(wishes)
    ids, spread = list(best), {}
    if drawing:
        rows = logits if len(drawing) == len(wishes) else logits[drawing]
        spreads = chances_of_each(rows, [wishes[row].sampling for row in drawing])
        found = drawn(spreads, [wishes[row].draw for row in drawing]).tolist()
        for row, id, own in zip(drawing, found, spreads, strict=True):
            ids[row], spread[row] = id, own
    for row, wish in enumerate(wishes):
        ids[row] = ids[row] if wish.given is None else wish.given

    def chance(row: int, of: list[int]) -> list[float]:
        return spread[row][of].tolist() if row in spread else [float(id == best[row]) for id in of]

    return ids, chance


def _rank(own: Float[Tensor, "d_vocab"], id: int, probability: float, best: list[tuple[int, float]]) -> int:
    """One more than there are tokens of a higher probability."""
    if best and probability >= best[-1][1]:  # all of those are among the best
        return 1 + sum(p > probability for _, p in best)
    return int((own > own[id]).sum()) + 1
