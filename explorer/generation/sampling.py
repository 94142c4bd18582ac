"""The sampling pipeline: from a model's logits to one token.

    logits -> / temperature -> softmax -> keep the top k -> keep the smallest set with probability p -> draw

Top-k: Fan, Lewis, Dauphin, "Hierarchical Neural Story Generation" (ACL 2018). Top-p is nucleus
sampling: Holtzman, Buys, Du, Forbes, Choi, "The Curious Case of Neural Text Degeneration"
(ICLR 2020). Every function treats each row of a batch independently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import ExplorerError


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen from the model's probabilities.

    `temperature` sharpens below 1 and flattens above it; 0 means greedy, always the most
    probable token. `top_k` and `top_p` are off when None. The same seed gives the same text.

    Raises ExplorerError for invalid values.

    >>> Sampling(temperature=0).takes_the_best, Sampling(top_k=40).cuts
    (True, True)
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    max_new_tokens: int = 40
    greedy: bool = False

    def __post_init__(self) -> None:
        def check(good: bool, name: str, value: object, hint: str) -> None:
            if not good:
                raise ExplorerError(f"{name} cannot be {value}.", hint)

        warm = isfinite(self.temperature) and self.temperature >= 0
        check(warm, "The temperature", self.temperature, "Choose 0 (greedy) or a number above 0.")
        check(self.top_k is None or self.top_k >= 1, "Top-k", self.top_k, "Choose 1 or more, or None.")
        some = self.top_p is None or 0 < self.top_p <= 1
        check(some, "Top-p", self.top_p, "Choose a number above 0 and up to 1, or None.")
        check(0 <= self.seed < 2**63, "The seed", self.seed, "Choose a whole number from 0 up.")
        check(self.max_new_tokens >= 1, "The length", self.max_new_tokens, "Choose 1 token or more.")

    @property
    def takes_the_best(self) -> bool:
        """Whether sampling is greedy: the most probable token is taken at every step."""
        return self.greedy or self.temperature == 0

    @property
    def cuts(self) -> bool:
        """Whether top-k or top-p may cut tokens."""
        return self.top_k is not None or (self.top_p or 1.0) < 1.0


class SamplingRequest(NamedTuple):
    """How to choose a token: by a random number in [0, 1), or `forced`; and how many candidates to return."""

    sampling: Sampling
    draw: float
    candidates: int
    forced: int | None = None


class SampledToken(NamedTuple):
    """The chosen token, and the most probable ones as (id, probability, chance), best first."""

    id: int
    probability: float
    chance: float
    rank: int
    best: list[tuple[int, float, float]]


def sample(logits: Float[Tensor, "batch d_vocab"], requests: Sequence[SamplingRequest]) -> list[SampledToken]:
    """The token for each row, by its request.

    Raises ExplorerError if the logits are not numbers, as those of a damaged checkpoint may be.
    """
    logits = logits.cpu()
    spread = chances_of_each(logits, [request.sampling for request in requests])
    own = logits.softmax(-1)
    draws = inverse_cdf_sample(spread, [request.draw for request in requests])
    ids = [id if r.forced is None else r.forced for id, r in zip(draws, requests, strict=True)]
    top = _best(logits, max(request.candidates for request in requests))
    columns_of = [[id, *best] for id, best in zip(ids, top, strict=True)]
    index = np.arange(len(columns_of))[:, None], np.array(columns_of)
    scores_of = logits.numpy()
    columns = [numbers[index].tolist() for numbers in (scores_of, own.numpy(), spread.numpy())]
    sampled = []
    for row, (request, id, best, *column) in enumerate(zip(requests, ids, top, *columns, strict=True)):
        (score, *scores), (probability, *probabilities), (chance, *chances) = column
        if isnan(probability):
            raise ExplorerError(
                "The model's scores are not numbers, so that no token can be chosen.",
                "Its weights may be damaged, or too large for their type: load them again, or another model.",
            )
        # Its index among the best, if it is one of them: counting takes longer.
        rank = scores.index(score) if score in scores else int(np.count_nonzero(scores_of[row] > score))
        rivals = list(zip(best, probabilities, chances, strict=True))[: request.candidates]
        sampled.append(SampledToken(id, probability, chance, rank + 1, rivals))
    return sampled


def _best(logits: Float[Tensor, "batch d_vocab"], count: int) -> list[list[int]]:
    """The ids of the highest scores of every row, best first; of equal scores the lower id comes first."""
    values, indices = logits.topk(min(count + 1, logits.shape[1]))
    ids = indices.tolist()
    for row, scores in enumerate(values.tolist()):
        if len(set(scores)) < len(scores):  # `topk` does not order ties
            ids[row] = logits[row].sort(descending=True, stable=True).indices.tolist()
    return [row[:count] for row in ids]


def chances(logits: Float[Tensor, "d_vocab"], sampling: Sampling) -> Float[Tensor, "d_vocab"]:
    """The distribution of the next token; it sums to 1, and cut tokens have 0.

    Temperature first, then top-k, then top-p over the remaining tokens: the fewest, most probable first, that
    together reach p.

    >>> [round(chance, 2) for chance in chances(torch.tensor([0.0, 2.0, 1.0]), Sampling(top_k=2)).tolist()]
    [0.0, 0.73, 0.27]
    """
    return chances_of_each(logits[None], [sampling])[0]


def chances_of_each(
    logits: Float[Tensor, "batch d_vocab"], samplings: Sequence[Sampling]
) -> Float[Tensor, "batch d_vocab"]:
    """The chances of every row, each with its own settings."""
    spread = softmax(logits, samplings)
    for row, sampling in enumerate(samplings):
        if sampling.takes_the_best:
            spread[row].zero_()[logits[row].argmax()] = 1.0
        elif sampling.cuts:
            _truncate(spread[row], sampling)
    return spread


def inverse_cdf_sample(chances: Float[Tensor, "batch d_vocab"], draws: Sequence[float]) -> list[int]:
    """For each row, the first id at which the cumulative sum exceeds the draw; never one with chance 0."""
    ids = []
    for row, draw in zip(chances.cpu(), draws, strict=True):  # a single row fits in the processor's cache
        cumulative = row.double().cumsum(0).numpy()  # numpy searches faster for a single number
        # A draw close to 1 could be rounded up to the total, beyond the last token.
        id = int(cumulative.searchsorted(min(draw, 1 - 2**-52) * cumulative[-1], side="right"))
        ids.append(min(id, len(row) - 1))  # too high if the chances are not numbers
    return ids


def softmax(
    logits: Float[Tensor, "batch d_vocab"], samplings: Sequence[Sampling]
) -> Float[Tensor, "batch d_vocab"]:
    """Softmax of the logits divided by each row's temperature (1 for greedy sampling)."""
    # A tiny temperature must not make a score infinite.
    temperatures = [1.0 if s.takes_the_best else max(s.temperature, 1e-20) for s in samplings]
    if len(set(temperatures)) == 1:
        return (logits / temperatures[0]).softmax(-1)
    return (logits / torch.tensor(temperatures, device=logits.device)[:, None]).softmax(-1)


def _truncate(spread: Float[Tensor, "d_vocab"], sampling: Sampling) -> None:
    """Top-k, then top-p, then renormalise, in place."""
    k, p = min(sampling.top_k or len(spread), len(spread)), sampling.top_p or 1.0
    values, ids = _head(spread, k, p)
    if p < 1.0:
        exact = values.double()
        shares = exact / exact.sum() if sampling.top_k else exact
        count = int((shares.cumsum(0) - shares < p).sum())
        values, ids = values[:count], ids[:count]
    spread.zero_().index_put_((ids,), values / values.sum())


def _head(
    spread: Float[Tensor, "d_vocab"], k: int, p: float
) -> tuple[Float[Tensor, "rank"], Int[Tensor, "rank"]]:
    """The k largest values in order, or as many of them as reach p, which is faster than sorting all."""
    if k < len(spread):
        return spread.topk(k)
    size = 64
    while size < k:
        best = spread.topk(size)
        if float(best.values.double().sum()) >= p:
            return best
        size *= 8
    return spread.sort(descending=True)
