"""One vector from many layers: a choice of layers, or a weighted sum of them.

Devlin et al. (2019, section 5.3, table 7) compare six ways to use BERT's layers as features; in ELMo (Peters
et al. 2018, equation 1) the task learns a weight for each layer.
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
    """A way to get one vector from the layers.

    `published` is its F1 in table 7: named entities of CoNLL-2003's development set, found by an LSTM on
    these features of BERT-base."""

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
    """Whether a model is used like ELMo: by a weighted sum of all its layers, the lowest included."""
    return isinstance(model.config, ElmoConfig)


def layers_of(name: str, last: int) -> range:
    """The layers of a choice, in a model with the last layer `last`; 0 is the embedding.

    >>> layers_of("sum4", 12), layers_of("sum", 12)
    (range(9, 13), range(1, 13))

    Raises ExplorerError for an unknown choice.
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


def pool(
    vectors: Float[Tensor, "occurrence depth d_model"], name: str, weights: Sequence[float] | None = None
) -> Float[Tensor, "occurrence d_features"]:
    """One vector for each occurrence, by one of the six choices.

    The sums take a weight for each of their layers, equal by default; the layers side by side are
    concatenated. Raises ExplorerError for an unknown choice, or a wrong number of weights.
    """
    layers = layers_of(name, vectors.shape[1] - 1)
    layer_vectors = vectors[:, list(layers)]
    if name in ("sum4", "sum"):
        return mix_layers(layer_vectors, [1.0] * len(layers) if weights is None else weights)
    return layer_vectors.flatten(1)


def mix_layers(
    vectors: Float[Tensor, "occurrence layer d_model"], weights: Sequence[float], gamma: float = 1.0
) -> Float[Tensor, "occurrence d_model"]:
    """ELMo's mix of layers: gamma * sum over j of s_j h_j, where s_j = weight_j / sum of the weights.

    In the paper s is the softmax of learnt parameters, which is the same with weight_j = exp(parameter_j). If
    all weights are 0, so is the mix. Raises ExplorerError if there is not one weight for each layer.
    """
    if len(weights) != vectors.shape[1]:
        raise ExplorerError(f"{len(weights)} weights for {vectors.shape[1]} layers.", "Give one for each.")
    return gamma * torch.einsum("nld,l->nd", vectors, torch.tensor(normalise(weights)))


def normalise(weights: Sequence[float]) -> list[float]:
    """Weights that sum to 1, or are all 0."""
    total = sum(weights)
    return [weight / total if total else 0.0 for weight in weights]
