"""A probe that reads a label off a vector: multinomial logistic regression, or with one hidden layer.

The vector is a word's hidden state; for the relation of an arc (an edge probe: Tenney et al., "What do
you learn from context?", ICLR 2019) it is the state of the dependent and that of its head, side by side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.analysis.probing.fitting import RECIPE, Recipe, fit
from explorer.errors import ExplorerError

HIDDEN = 128  # units of the MLP probe
MLP_RECIPE = Recipe(rate=0.002)


@dataclass(frozen=True, eq=False)
class LinearProbe:
    """One score for each label: weight @ vector + bias; a softmax makes them probabilities."""

    labels: tuple[str, ...]
    weight: Float[Tensor, "label feature"]
    bias: Float[Tensor, "label"]

    def __post_init__(self) -> None:
        if self.weight.shape[:1] != self.bias.shape or len(self.labels) != len(self.bias):
            raise ExplorerError("The probe's labels and its weights do not fit together.")

    def probabilities(self, vectors: Float[Tensor, "*word feature"]) -> Float[Tensor, "*word label"]:
        """How probable the probe finds each label of each vector. Raises ExplorerError for other sizes."""
        if vectors.shape[-1] != self.weight.shape[1]:
            raise ExplorerError(
                f"The probe reads vectors of {self.weight.shape[1]} numbers, and these have "
                f"{vectors.shape[-1]}.",
                "Use the probe of this model and this layer.",
            )
        return F.linear(vectors, self.weight, self.bias).softmax(-1)


class Standard:
    """Each feature with mean 0 and spread 1, by the training vectors; a feature that never moves stays 0."""

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
    recipe: Recipe = RECIPE,
) -> LinearProbe:
    """Logistic regression on standardised vectors; the probe returned reads the vectors as they are.

    >>> vectors = torch.cat([torch.randn(50, 4) + 4, torch.randn(50, 4) - 4])
    >>> probe = fit_linear(vectors, torch.tensor([0] * 50 + [1] * 50), ["above", "below"], Recipe(epochs=40))
    >>> probe.probabilities(torch.full((4,), 3.0)).argmax().item()
    0
    """
    standard = Standard(vectors)
    weight = torch.zeros(len(labels), vectors.shape[1], requires_grad=True)
    bias = torch.zeros(len(labels), requires_grad=True)
    ready = standard(vectors)
    fit(
        [weight, bias],
        lambda at: F.cross_entropy(F.linear(ready[at], weight, bias), targets[at]),
        len(ready),
        recipe,
    )
    with torch.no_grad():
        plain = weight * standard.scale
        return LinearProbe(tuple(labels), plain, bias - plain @ standard.mean)


class MlpProbe(nn.Module):
    """A probe with one hidden layer of ReLU units: it can compute, where the linear one only reads off."""

    def __init__(self, standard: Standard, features: int, labels: int) -> None:
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
    recipe: Recipe = MLP_RECIPE,
) -> MlpProbe:
    """The probe with a hidden layer, begun from the recipe's seed and not from the process's."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        probe = MlpProbe(Standard(vectors), vectors.shape[1], labels)
    ready = probe.standard(vectors)
    fit(
        probe.parameters(),
        lambda at: F.cross_entropy(probe.layers(ready[at]), targets[at]),
        len(ready),
        recipe,
    )
    return probe.requires_grad_(False)


def edge_vectors(
    states: Float[Tensor, "word d_model"], dependents: Sequence[int], heads: Sequence[int]
) -> Float[Tensor, "arc both"]:
    """What an edge probe reads of each arc: the dependent's state, then its head's.

    >>> edge_vectors(torch.eye(3), [0, 1], [1, 2]).tolist()
    [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]]
    """
    return torch.cat([states[list(dependents)], states[list(heads)]], -1)


def accuracy(guesses: Int[Tensor, "word"], targets: Int[Tensor, "word"]) -> float:
    """The share of right labels."""
    return (guesses == targets).double().mean().item()


def f1(guesses: Int[Tensor, "word"], targets: Int[Tensor, "word"], outside: int) -> float:
    """Micro-averaged F1 of all labels but `outside`, word by word; 0 where nothing is found or to be found.

    >>> f1(torch.tensor([1, 0, 2]), torch.tensor([1, 1, 0]), outside=0)  # one of two found, one of two right
    0.5
    """
    right = ((guesses == targets) & (targets != outside)).sum().item()
    found, wanted = (guesses != outside).sum().item(), (targets != outside).sum().item()
    return 2 * right / (found + wanted) if right else 0.0
