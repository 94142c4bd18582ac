"""The layers that hold a fact: scalar mix, centre of gravity, and expected layer.

Tenney, Das, Pavlick, "BERT Rediscovers the Classical NLP Pipeline" (ACL 2019). A probe on a weighted sum of
layers learns the weights with its labels. The centre of gravity is the mean layer, weighted by these. For the
expected layer a probe is trained on the layers up to each one: it is the mean layer, weighted by the gain of
each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.probing.fitting import CONFIG, TrainingConfig, fit
from explorer.errors import ExplorerError

Layers = Callable[[Int[Tensor, "batch"]], Float[Tensor, "batch depth feature"]]


@dataclass(frozen=True, eq=False)
class MixedProbe:
    """A linear probe on a mix of layers; `shares` are the layers' weights and sum to 1."""

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
    config: TrainingConfig = CONFIG,
) -> MixedProbe:
    """Learn the mix and the probe together; `layers(indices)` are the standardised states of a batch.

    The sum has no scale of its own (the paper's gamma), since the probe's weights have one.
    """
    logits = torch.zeros(depth, requires_grad=True)
    weight = torch.zeros(labels, features, requires_grad=True)
    bias = torch.zeros(labels, requires_grad=True)

    def loss(batch: Tensor) -> Tensor:
        mix = torch.einsum("l,bld->bd", logits.softmax(0), layers(batch))
        return F.cross_entropy(F.linear(mix, weight, bias), targets[batch])

    fit([logits, weight, bias], loss, len(targets), config)
    return MixedProbe(logits.softmax(0).detach(), weight.detach(), bias.detach())


def centre_of_gravity(shares: Sequence[float]) -> float:
    """The mean layer, weighted by the mix; 0 is the embedding.

    >>> centre_of_gravity([0.25, 0.5, 0.25])
    1.0
    """
    return sum(layer * share for layer, share in enumerate(shares)) / sum(shares)


def expected_layer(scores: Sequence[float]) -> float | None:
    """The mean layer, weighted by what each adds to the score of the layers below; None if there is no gain.

    `scores[l]` is that of a probe on layers 0 to l. As in the paper, a decrease is a negative gain, so that
    the mean may lie outside the layers if gains are small.

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
