"""Choosing the next token of many texts at once, each by its own settings and its own draw."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np
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
    from explorer.analysis.draws import survey

    logits = logits.contiguous()
    ids, spread = _taken(logits, wishes)
    most = min(max(wish.candidates for wish in wishes), logits.shape[1])
    found = [part.tolist() for part in survey(logits.numpy(), np.array(ids), most)]
    if any(isnan(probability) for probability in found[0]):
        raise ExplorerError(
            "The model's scores are not numbers, so that no token can be chosen.",
            "Its weights may be damaged, or too large for their type: load them again, or another model.",
        )
    chosen = []
    for row, (wish, id, probability, rank, best, theirs) in enumerate(zip(wishes, ids, *found, strict=True)):
        best, theirs = best[: wish.candidates], theirs[: wish.candidates]
        if row in spread:
            chance, *chances = spread[row][[id, *best]].tolist()
        else:
            top = int(logits[row].argmax())
            chance, *chances = (float(one == top) for one in (id, *best))
        chosen.append(Chosen(id, probability, chance, rank, list(zip(best, theirs, chances, strict=True))))
    return chosen


def _taken(
    logits: Float[Tensor, "batch d_vocab"], wishes: Sequence[Wish]
) -> tuple[list[int], dict[int, np.ndarray]]:
    """Every row's token, and the chances of all tokens for the rows in which one is drawn."""
    drawing = [row for row, wish in enumerate(wishes) if not wish.sampling.takes_the_best]
    ids, spread = [0] * len(wishes), {}
    if len(drawing) < len(wishes):
        ids = logits.argmax(-1).tolist()
    if drawing:
        rows = logits if len(drawing) == len(wishes) else logits[drawing]
        chances = chances_of_each(rows, [wishes[row].sampling for row in drawing])
        found = drawn(chances, [wishes[row].draw for row in drawing]).tolist()
        for row, id, own in zip(drawing, found, chances.numpy(), strict=True):
            ids[row], spread[row] = id, own
    return [id if wish.given is None else wish.given for id, wish in zip(ids, wishes, strict=True)], spread
