"""Which vector? Layers are many, and whoever uses a model's vectors must choose or mix.

BERT as a source of features (Devlin et al. 2019, section 5.3, table 7) was tried in six ways; ELMo
(Peters et al. 2018, equation 1) leaves the choice to the task, which learns how much each layer counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.models.base import Model
from explorer.models.elmo import ElmoConfig

FOUR = 4


@dataclass(frozen=True)
class Choice:
    """A way to one vector. `published` is what table 7 gives for it: F1 on the development set of
    CoNLL-2003, named entities found by an LSTM on these features of BERT-base."""

    name: str
    label: str
    published: float
    mixed: bool = False


CHOICES = (
    Choice("embedding", "Embedding", 91.0),
    Choice("second", "Second to last", 95.6),
    Choice("last", "Last layer", 94.9),
    Choice("sum4", "Last four, summed", 95.9, mixed=True),
    Choice("concat4", "Last four, side by side", 96.1),
    Choice("sum", "All layers, summed", 95.5, mixed=True),
)


def mixes_layers(model: Model) -> bool:
    """Whether a model is meant to be used as ELMo is, by a weighted sum of its layers, the lowest too."""
    return isinstance(model.config, ElmoConfig)


def layers_of(name: str, last: int) -> range:
    """The layers that a choice takes of a model whose last one is `last`; 0 is the embedding.

    >>> layers_of("sum4", 12), layers_of("sum", 12)
    (range(9, 13), range(1, 13))

    Raises ExplorerError for a choice that there is not.
    """
    lowest = min(1, last)
    ranges = {
        "embedding": range(1),
        "last": range(last, last + 1),
        "second": range(max(last - 1, 0), max(last, 1)),
        "sum4": range(max(last - FOUR + 1, lowest), last + 1),
        "concat4": range(max(last - FOUR + 1, lowest), last + 1),
        "sum": range(lowest, last + 1),
    }
    if name not in ranges:
        raise ExplorerError(f"There is no choice “{name}”.", f"Choose {', '.join(ranges)}.")
    return ranges[name]


def chosen(
    vectors: Float[Tensor, "occurrence depth d_model"], name: str, weights: Sequence[float] | None = None
) -> Float[Tensor, "occurrence d_features"]:
    """One vector for each occurrence, by one of the six choices.

    The sums take a weight for each of their layers, all alike where none are given; side by side,
    vectors become as many times as long. Raises ExplorerError for another choice, or for weights
    that do not fit.
    """
    layers = layers_of(name, vectors.shape[1] - 1)
    taken = vectors[:, list(layers)]
    if name in ("sum4", "sum"):
        return mixed(taken, [1.0] * len(layers) if weights is None else weights)
    return taken.flatten(1)


def mixed(
    vectors: Float[Tensor, "occurrence layer d_model"], weights: Sequence[float], gamma: float = 1.0
) -> Float[Tensor, "occurrence d_model"]:
    """ELMo's mix of layers: gamma * sum over j of s_j h_j, where s_j = weight_j / sum of the weights.

    The paper's s is the softmax of what a task learns: the same, with weight_j = exp of it. Where all
    weights are 0, so is the mix. Raises ExplorerError where there is not one weight for each layer.
    """
    if len(weights) != vectors.shape[1]:
        raise ExplorerError(f"{len(weights)} weights for {vectors.shape[1]} layers.", "Give one for each.")
    return gamma * torch.einsum("nld,l->nd", vectors, torch.tensor(normalised(weights)))


def normalised(weights: Sequence[float]) -> list[float]:
    """Weights that sum to 1, or are all 0."""
    total = sum(weights)
    return [weight / total if total else 0.0 for weight in weights]
