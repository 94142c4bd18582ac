"""Probes that predict a label from a vector: multinomial logistic regression, or an MLP with one hidden
layer.

The vector is a word's hidden state; for the relation of an arc (an edge probe: Tenney et al., "What do you
learn from context?", ICLR 2019) it is the concatenation of the dependent's state and its head's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.analysis.probing.fitting import CONFIG, TrainingConfig, fit
from explorer.errors import ExplorerError

HIDDEN = 128  # units of the MLP probe
MLP_CONFIG = TrainingConfig(rate=0.002)


@dataclass(frozen=True, eq=False)
class LinearProbe:
    """A linear classifier: softmax(weight @ vector + bias) over the labels."""

    labels: tuple[str, ...]
    weight: Float[Tensor, "label feature"]
    bias: Float[Tensor, "label"]

    def __post_init__(self) -> None:
        if self.weight.shape[:1] != self.bias.shape or len(self.labels) != len(self.bias):
            raise ExplorerError("The probe's labels and its weights do not fit together.")

    def probabilities(self, vectors: Float[Tensor, "*word feature"]) -> Float[Tensor, "*word label"]:
        """The probability of each label for each vector. Raises ExplorerError if their size does not fit."""
        if vectors.shape[-1] != self.weight.shape[1]:
            raise ExplorerError(
                f"The probe reads vectors of {self.weight.shape[1]} numbers, and these have "
                f"{vectors.shape[-1]}.",
                "Use the probe of this model and this layer.",
            )
        return F.linear(vectors, self.weight, self.bias).softmax(-1)


class Standardiser:
    """Scales each feature to mean 0 and standard deviation 1 on the training vectors; a constant one to 0."""

    def __init__(self, vectors: Float[Tensor, "word feature"]) -> None:
        self.mean = vectors.mean(0)
        spread = vectors.std(0)
        self.scale = torch.where(spread > 1e-6, 1 / spread.clamp_min(1e-6), torch.zeros_like(spread))

    def __call__(self, vectors: Float[Tensor, "*word feature"]) -> Float[Tensor, "*word feature"]:
        return (vectors - self.mean) * self.scale


def fit_linear(
    vectors: Float[Tensor, "word feature"],
    targets: Int[Tensor, "word"],
    labels: Sequence[str],
    config: TrainingConfig = CONFIG,
) -> LinearProbe:
    """Logistic regression on standardised vectors; the returned probe takes unscaled vectors.

    >>> vectors = torch.cat([torch.randn(50, 4) + 4, torch.randn(50, 4) - 4])
    >>> targets = torch.tensor([0] * 50 + [1] * 50)
    >>> probe = fit_linear(vectors, targets, ["above", "below"], TrainingConfig(epochs=40))
    >>> probe.probabilities(torch.full((4,), 3.0)).argmax().item()
    0
    """
    standard = Standardiser(vectors)
    weight = torch.zeros(len(labels), vectors.shape[1], requires_grad=True)
    bias = torch.zeros(len(labels), requires_grad=True)
    scaled = standard(vectors)
    fit(
        [weight, bias],
        lambda batch: F.cross_entropy(F.linear(scaled[batch], weight, bias), targets[batch]),
        len(scaled),
        config,
    )
    with torch.no_grad():
        unscaled = weight * standard.scale
        return LinearProbe(tuple(labels), unscaled, bias - unscaled @ standard.mean)


class MlpProbe(nn.Module):
    """A probe with one hidden layer of ReLU units, which can compute more than a linear one."""

    def __init__(self, standard: Standardiser, features: int, labels: int) -> None:
        super().__init__()
        self.standard = standard
        self.layers = nn.Sequential(nn.Linear(features, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, labels))

    def forward(self, vectors: Float[Tensor, "*word feature"]) -> Float[Tensor, "*word label"]:
        """The score of each label."""
        scores: Tensor = self.layers(self.standard(vectors))
        return scores


def fit_mlp(
    vectors: Float[Tensor, "word feature"],
    targets: Int[Tensor, "word"],
    labels: int,
    config: TrainingConfig = MLP_CONFIG,
) -> MlpProbe:
    """An MLP probe, initialised from the seed of `config`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        probe = MlpProbe(Standardiser(vectors), vectors.shape[1], labels)
    scaled = probe.standard(vectors)
    fit(
        probe.parameters(),
        lambda batch: F.cross_entropy(probe.layers(scaled[batch]), targets[batch]),
        len(scaled),
        config,
    )
    return probe.requires_grad_(False)


def edge_vectors(
    states: Float[Tensor, "word d_model"], dependents: Sequence[int], heads: Sequence[int]
) -> Float[Tensor, "arc both"]:
    """The input of an edge probe for each arc: the dependent's state, then its head's.

    >>> edge_vectors(torch.eye(3), [0, 1], [1, 2]).tolist()
    [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]]
    """
    return torch.cat([states[list(dependents)], states[list(heads)]], -1)


def accuracy(guesses: Int[Tensor, "word"], targets: Int[Tensor, "word"]) -> float:
    """The share of correct labels."""
    return (guesses == targets).double().mean().item()


def f1(guesses: Int[Tensor, "word"], targets: Int[Tensor, "word"], outside: int) -> float:
    """Micro-averaged F1 over words, of all labels except `outside`; 0 if there are no such labels.

    >>> f1(torch.tensor([1, 0, 2]), torch.tensor([1, 1, 0]), outside=0)  # precision and recall are 1/2
    0.5
    """
    right = ((guesses == targets) & (targets != outside)).sum().item()
    predicted_count, target_count = (guesses != outside).sum().item(), (targets != outside).sum().item()
    return 2 * right / (predicted_count + target_count) if right else 0.0
