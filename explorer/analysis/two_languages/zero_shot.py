"""Zero-shot transfer: a classifier that has learnt in one language is asked in another.

A classifier of a layer is logistic regression on the texts' vectors there. They are standardised with the
mean and the spread of the texts that it learns from alone, so that nothing is taken from those it is asked.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError

FOLDS = 5
# The penalty on squared weights over the root of the number of texts, as `finetuning.frozen` has it: it was
# chosen on English film reviews, and so on nothing that is asked here.
DECAY = 2.0


@dataclass(frozen=True)
class Asked:
    """What the classifier of one layer says in the other language.

    `said` is the label that it gives each text, `right` whether that is its own; `home` the share of
    right labels in the language learnt from, by cross-validation.

    >>> found = Asked(said=("yes", "no"), right=(True, False), home=1.0)
    >>> found.accuracy, found.interval[0] < 0.5 < found.interval[1]
    (0.5, True)
    """

    said: tuple[str, ...]
    right: tuple[bool, ...]
    home: float

    @property
    def accuracy(self) -> float:
        """The share of right labels."""
        return sum(self.right) / len(self.right)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy, over other texts of the same kind."""
        return wilson(sum(self.right), len(self.right))


def ask(
    learnt: Float[Tensor, "text d_model"],
    labels: Sequence[str],
    asked: Float[Tensor, "other d_model"],
    truth: Sequence[str],
    groups: Sequence[int] | None = None,
) -> Asked:
    """Learn from vectors of one language, ask about those of another. Nothing is drawn at random.

    Texts of one of the `groups` are much alike: cross-validation learns from all of them or none.
    Raises ExplorerError for fewer than two classes, or a class in a single group.

    >>> import torch
    >>> known = torch.tensor([[1.0], [1.2], [-1.0], [-1.2]])
    >>> ask(known, ["yes", "yes", "no", "no"], torch.tensor([[0.5], [-3.0]]), ["yes", "yes"]).said
    ('yes', 'no')
    """
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict  # a second to import

    from explorer.analysis.one_thread import one_thread

    of_their_own = list(range(len(labels))) if groups is None else list(groups)
    folds = min(FOLDS, _fewest(labels, of_their_own))
    rows, others, names = learnt.double().numpy(), asked.double().numpy(), list(labels)
    with one_thread():
        said = tuple(str(one) for one in _classifier(len(rows)).fit(rows, names).predict(others))
        at_home = cross_val_predict(
            _classifier(len(rows)), rows, names, groups=of_their_own, cv=StratifiedGroupKFold(folds)
        )
    hits = [str(one) == label for one, label in zip(at_home, labels, strict=True)]
    right = tuple(one == label for one, label in zip(said, truth, strict=True))
    return Asked(said, right, sum(hits) / len(hits))


def by_layer(
    learnt: Float[Tensor, "text depth d_model"],
    labels: Sequence[str],
    asked: Float[Tensor, "other depth d_model"],
    truth: Sequence[str],
    groups: Sequence[int] | None = None,
) -> list[Asked]:
    """A classifier for each layer, the embedding first (see `ask`).

    >>> import torch
    >>> known = torch.tensor([[1.0], [1.2], [-1.0], [-1.2]])
    >>> layers = torch.stack([known.flip(0), known], dim=1)
    >>> asked = torch.ones(1, 2, 1)
    >>> [found.said for found in by_layer(layers, ["yes", "yes", "no", "no"], asked, ["yes"])]
    [('no',), ('yes',)]
    """
    layers = zip(learnt.unbind(1), asked.unbind(1), strict=True)
    return [ask(one, labels, other, truth, groups) for one, other in layers]


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson 1927), which keeps its promise near 0 and 1 too.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    from scipy.stats import binomtest

    found = binomtest(right, of).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


def _fewest(labels: Sequence[str], groups: Sequence[int]) -> int:
    """The groups of the class that has fewest."""
    held = Counter(label for label, _ in set(zip(labels, groups, strict=True)))
    if len(held) < 2 or min(held.values()) < 2:
        raise ExplorerError(
            "A classifier needs two classes, and two texts of each.", "Add texts of another class."
        )
    return min(held.values())


def _classifier(texts: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=1 / (DECAY * texts**0.5), max_iter=1000))
