"""Where a fact sits among the layers: the scalar mix, its centre of gravity, and the expected layer.

Tenney, Das, Pavlick, "BERT Rediscovers the Classical NLP Pipeline" (ACL 2019). A probe reads a weighted
sum of layers, and learns the weights with its labels. The centre of gravity is the mean layer by these
weights. The expected layer asks instead at which layer examples become right: a probe for the layers up
to each one, and the mean layer by what each adds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.probing.fitting import RECIPE, Recipe, fit
from explorer.errors import ExplorerError

Layers = Callable[[Int[Tensor, "batch"]], Float[Tensor, "batch depth feature"]]


@dataclass(frozen=True, eq=False)
class MixedProbe:
    """A linear probe on a mix of layers; `shares` say how much each layer counts and sum to 1."""

    shares: Float[Tensor, "depth"]
    weight: Float[Tensor, "label feature"]
    bias: Float[Tensor, "label"]

    def scores(self, layers: Float[Tensor, "word depth feature"]) -> Float[Tensor, "word label"]:
        """The score of each label of each word."""
        return F.linear(torch.einsum("l,wld->wd", self.shares, layers), self.weight, self.bias)


def fit_mix(
    layers: Layers,
    depth: int,
    features: int,
    targets: Int[Tensor, "word"],
    labels: int,
    recipe: Recipe = RECIPE,
) -> MixedProbe:
    """Learn the mix and the probe together; `layers(indices)` are the standardised states of a batch.

    The sum needs no scale of its own here (the paper's gamma), for the probe's weights have one.
    """
    choice = torch.zeros(depth, requires_grad=True)
    weight = torch.zeros(labels, features, requires_grad=True)
    bias = torch.zeros(labels, requires_grad=True)

    def loss(at: Tensor) -> Tensor:
        mixed = torch.einsum("l,bld->bd", choice.softmax(0), layers(at))
        return F.cross_entropy(F.linear(mixed, weight, bias), targets[at])

    fit([choice, weight, bias], loss, len(targets), recipe)
    return MixedProbe(choice.softmax(0).detach(), weight.detach(), bias.detach())


def centre_of_gravity(shares: Sequence[float]) -> float:
    """The mean layer, each with its weight in the mix; 0 is the embedding.

    >>> centre_of_gravity([0.25, 0.5, 0.25])
    1.0
    """
    return sum(layer * share for layer, share in enumerate(shares)) / sum(shares)


def expected_layer(scores: Sequence[float]) -> float | None:
    """The mean layer by what each adds to the score of the layers below; None where none adds anything.

    `scores[l]` is that of a probe on layers 0 to l. As in the paper, a loss counts as what it is, a
    negative gain, so that the mean may lie outside of the layers where gains are small.

    >>> expected_layer([0.5, 0.8, 0.9])  # layer 1 adds 0.3, layer 2 adds 0.1
    1.25
    """
    if len(scores) < 2:
        raise ExplorerError("One layer has no expected layer.", "Choose a model with several.")
    gains = [after - before for before, after in pairwise(scores)]
    total = sum(gains)
    if total <= 0:
        return None
    return round(sum(layer * gain for layer, gain in enumerate(gains, 1)) / total, 10)
