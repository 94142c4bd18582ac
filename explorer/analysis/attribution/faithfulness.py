"""A test of faithfulness: the prediction without the tokens that a method names first.

If a method names the tokens that mattered, the prediction falls faster without them than without random ones
(comprehensiveness: DeYoung et al., "ERASER", ACL 2020). Tokens are removed as for deletion, which therefore
has a head start in this test.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attribution.prediction import Prediction
from explorer.analysis.attribution.removal import nats_without
from explorer.errors import at_least_one

COUNTS = (0, 1, 2, 4, 8)  # how many tokens are removed
DRAWS = 6  # random orders


@dataclass(frozen=True, eq=False)
class Curves:
    """The prediction in nats without the first `counts[i]` tokens of each method's order.

    `random` has a row for each random order.
    """

    counts: tuple[int, ...]
    methods: dict[str, Float[Tensor, "count"]]
    random: Float[Tensor, "draw count"]


def faithfulness(
    prediction: Prediction,
    methods: Mapping[str, Float[Tensor, "judged"]],
    counts: Sequence[int] = COUNTS,
    draws: int = DRAWS,
    seed: int = 0,
) -> Curves:
    """The prediction without the tokens of the largest values of each method, and without random ones.

    At least one judged token remains. Raises ExplorerError for fewer draws than one.

    >>> from explorer.analysis.attribution.prediction import word_prediction
    >>> from explorer.analysis.attribution.removal import deletion
    >>> prediction = word_prediction(explorer.load("bert"), "The two dogs [MASK] asleep.", "were", "was")
    >>> curves = faithfulness(prediction, {"deletion": deletion(prediction)}, draws=2)
    >>> curves.counts, curves.random.shape
    ((0, 1, 2, 4), torch.Size([2, 4]))
    """
    at_least_one(draws=draws)
    judged = prediction.judged
    counts = tuple(count for count in counts if count < len(judged))
    generator = torch.Generator().manual_seed(seed)
    orders = [values.argsort(descending=True, stable=True) for values in methods.values()]
    orders += [torch.randperm(len(judged), generator=generator) for _ in range(draws)]
    selections = [
        frozenset(judged[i] for i in order[:count].tolist()) for order in orders for count in counts
    ]
    table = nats_without(prediction, selections).view(len(orders), len(counts))
    return Curves(counts, dict(zip(methods, table)), table[len(methods) :])
