"""From a model's logits to one token: the steps that are set (`sampling_steps`), softmax, and the draw.

Every row of a batch is treated independently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.generation.sampling_steps import CUT, STEPS, State, greedy
from explorer.generation.watermark import Watermark
from explorer.locale import _
from explorer.tokenizers.base import Tokenizer

DEFAULTS = dict.fromkeys(STEPS) | {"temperature": 1.0}
CHOICE = ("repetition_penalty", "grammar", "watermark")  # they can change which token is the best


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen from the model's probabilities.

    `temperature` sharpens below 1 and flattens above it; 0 means greedy, always the most probable token.
    `top_k`, `top_p`, `min_p` and `typical_p` cut tokens, `repetition_penalty` above 1 holds back those that
    are in the text already, a `grammar` is a regular expression that the written text matches, and a
    `watermark` can be found in it; each is off when None, and `sampling_steps` says what it does. `order`
    names the steps in the order in which they are taken. The same seed gives the same text.

    Raises ExplorerError for invalid values.

    >>> Sampling(temperature=0).takes_the_best, Sampling(top_k=40).steps
    (True, ('temperature', 'top_k'))
    >>> Sampling(top_k=40, order=["top_k", "temperature"]).steps
    ('top_k', 'temperature')
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    max_new_tokens: int = 40
    greedy: bool = False
    min_p: float | None = None
    typical_p: float | None = None
    repetition_penalty: float | None = None
    grammar: str | None = None
    watermark: Watermark | None = None
    order: Sequence[str] = tuple(STEPS)

    def __post_init__(self) -> None:
        def check(good: bool, name: str, value: object, hint: str) -> None:
            if not good:
                raise ExplorerError(f"{name} cannot be {value}.", hint)

        warm = isfinite(self.temperature) and self.temperature >= 0
        check(warm, "The temperature", self.temperature, "Choose 0 (greedy) or a number above 0.")
        check(self.top_k is None or self.top_k >= 1, "Top-k", self.top_k, "Choose 1 or more, or None.")
        for name, value in (("Top-p", self.top_p), ("Typical-p", self.typical_p)):
            check(
                value is None or 0 < value <= 1, name, value, "Choose a number above 0 and up to 1, or None."
            )
        some = self.min_p is None or 0 <= self.min_p <= 1
        check(some, "Min-p", self.min_p, "Choose a number from 0 to 1, or None.")
        positive = self.repetition_penalty is None or 0 < self.repetition_penalty < inf
        hint = "Choose a number above 0, such as 1.2, or None."
        check(positive, "The repetition penalty", self.repetition_penalty, hint)
        order = (self.order,) if isinstance(self.order, str) else tuple(self.order)
        object.__setattr__(self, "order", order)
        known = len(set(order)) == len(order) and set(order) <= STEPS.keys()
        names = ", ".join(STEPS)
        check(known, "The order of the steps", " -> ".join(map(str, order)), f"Name each once: {names}.")
        left = [name for name in STEPS if name not in order and getattr(self, name) != DEFAULTS[name]]
        check(not left, "The order of the steps", " -> ".join(order), f"Name {', '.join(left)} too, or None.")
        check(0 <= self.seed < 2**63, "The seed", self.seed, "Choose a whole number from 0 up.")
        check(self.max_new_tokens >= 1, "The length", self.max_new_tokens, "Choose 1 token or more.")

    @property
    def takes_the_best(self) -> bool:
        """Whether sampling is greedy: the most probable token is taken at every step."""
        return self.greedy or self.temperature == 0

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that are taken, in order; greedy needs those alone that can change what is best."""
        names = [name for name in self.order if name in CHOICE] if self.takes_the_best else self.order
        return tuple(name for name in names if getattr(self, name) is not None)


class SamplingRequest(NamedTuple):
    """How to choose a token: by a random number in [0, 1), or `forced`; and how many candidates to return.

    `ids` are those of the text so far, as `chances` needs them with `written` and the `tokenizer`.
    """

    sampling: Sampling
    draw: float
    candidates: int
    forced: int | None = None
    ids: Sequence[int] = ()
    written: int = 0
    tokenizer: Tokenizer | None = None


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
    spread = torch.stack(
        [
            chances(row, r.sampling, r.ids, r.written, r.tokenizer)
            for row, r in zip(logits, requests, strict=True)
        ]
    )
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
        (score, *scores), (probability, *probabilities), (chance, *best_chances) = column
        if isnan(probability):
            raise ExplorerError(
                _("The model's scores are not numbers, so that no token can be chosen."),
                _(
                    "Its weights may be damaged, or too large for their type: "
                    "load them again, or another model."
                ),
            )
        # Its index among the best, if it is one of them: counting takes longer.
        rank = scores.index(score) if score in scores else int(np.count_nonzero(scores_of[row] > score))
        rivals = list(zip(best, probabilities, best_chances, strict=True))[: request.candidates]
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


def scores_after_steps(
    logits: Float[Tensor, "d_vocab"],
    sampling: Sampling,
    ids: Sequence[int] = (),
    written: int = 0,
    tokenizer: Tokenizer | None = None,
) -> dict[str, Float[Tensor, "d_vocab"]]:
    """The scores after each step that is taken, in order, -inf for a token that is cut; greedy is the last.

    >>> after = scores_after_steps(torch.tensor([0.0, 2.0, 1.0]), Sampling(temperature=0.5, top_k=2))
    >>> after["top_k"].tolist()
    [-inf, 4.0, 2.0]
    """
    scores, after = logits, {}
    for name in sampling.steps:
        state = State(getattr(sampling, name), ids, written, tokenizer)
        after[name] = scores = STEPS[name](scores, state)
    return after | {"greedy": greedy(scores)} if sampling.takes_the_best else after


def chances(
    logits: Float[Tensor, "d_vocab"],
    sampling: Sampling,
    ids: Sequence[int] = (),
    written: int = 0,
    tokenizer: Tokenizer | None = None,
) -> Float[Tensor, "d_vocab"]:
    """The distribution of the next token; it sums to 1, and cut tokens have 0.

    `ids` are those of the text so far, which a repetition penalty, a grammar and a watermark need; a grammar
    holds for the last ones, as many as `written`. Raises ExplorerError if the steps have cut every token.

    >>> [round(chance, 2) for chance in chances(torch.tensor([0.0, 2.0, 1.0]), Sampling(top_k=2)).tolist()]
    [0.0, 0.73, 0.27]
    """
    scores = [logits, *scores_after_steps(logits, sampling, ids, written, tokenizer).values()][-1]
    if float(scores.max()) == CUT:
        message = _("The steps before the draw have cut every token, so that none is left.")
        raise ExplorerError(message, _("Put the grammar first, or cut less."))
    return scores.softmax(-1)


def inverse_cdf_sample(chances: Float[Tensor, "batch d_vocab"], draws: Sequence[float]) -> list[int]:
    """For each row, the first id at which the cumulative sum exceeds the draw; never one with chance 0."""
    ids = []
    for row, draw in zip(chances.cpu(), draws, strict=True):  # a single row fits in the processor's cache
        cumulative = row.double().cumsum(0).numpy()  # numpy searches faster for a single number
        # A draw close to 1 could be rounded up to the total, beyond the last token.
        id = int(cumulative.searchsorted(min(draw, 1 - 2**-52) * cumulative[-1], side="right"))
        ids.append(min(id, len(row) - 1))  # too high if the chances are not numbers
    return ids
