"""Zero-shot transfer: a classifier trained in one language and tested in another.

The classifier of a layer is logistic regression on the texts' vectors there. They are standardised with the
mean and the standard deviation of the training texts only, so that nothing is learnt from the test texts.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.locale import _

FOLDS = 5
# The weight of the L2 penalty, divided by the root of the number of texts, as in `finetuning.frozen`: it was
# chosen on English film reviews, not on the test sets here.
DECAY = 2.0


@dataclass(frozen=True)
class ZeroShotResult:
    """The predictions of a layer's classifier in the other language.

    `predictions` are its labels of the texts, `right` whether each is correct; `home` is the accuracy in the
    language of training, by cross-validation.

    >>> result = ZeroShotResult(predictions=("yes", "no"), right=(True, False), home=1.0)
    >>> result.accuracy, result.interval[0] < 0.5 < result.interval[1]
    (0.5, True)
    """

    predictions: tuple[str, ...]
    right: tuple[bool, ...]
    home: float

    @property
    def accuracy(self) -> float:
        """The share of correct labels."""
        return sum(self.right) / len(self.right)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy."""
        return wilson(sum(self.right), len(self.right))


def classify(
    training: Float[Tensor, "text d_model"],
    labels: Sequence[str],
    tests: Float[Tensor, "other d_model"],
    truth: Sequence[str],
    groups: Sequence[int] | None = None,
) -> ZeroShotResult:
    """Train on vectors of one language and test on those of another; the result is deterministic.

    Texts of one of the `groups` are similar: cross-validation never splits a group. Raises ExplorerError for
    fewer than two classes, or a class in a single group.

    >>> training = torch.tensor([[1.0], [1.2], [-1.0], [-1.2]])
    >>> tests = torch.tensor([[0.5], [-3.0]])
    >>> classify(training, ["yes", "yes", "no", "no"], tests, ["yes", "yes"]).predictions
    ('yes', 'no')
    """
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict  # a second to import

    from explorer.analysis.one_thread import one_thread

    groups = list(range(len(labels))) if groups is None else list(groups)
    folds = min(FOLDS, _fewest_groups(labels, groups))
    rows, test_rows, names = training.double().numpy(), tests.double().numpy(), list(labels)
    with one_thread():
        predictions = tuple(map(str, _classifier(len(rows)).fit(rows, names).predict(test_rows)))
        at_home = cross_val_predict(
            _classifier(len(rows)), rows, names, groups=groups, cv=StratifiedGroupKFold(folds)
        )
    hits = [str(guess) == label for guess, label in zip(at_home, labels, strict=True)]
    right = tuple(guess == label for guess, label in zip(predictions, truth, strict=True))
    return ZeroShotResult(predictions, right, sum(hits) / len(hits))


def classify_by_layer(
    training: Float[Tensor, "text depth d_model"],
    labels: Sequence[str],
    tests: Float[Tensor, "other depth d_model"],
    truth: Sequence[str],
    groups: Sequence[int] | None = None,
) -> list[ZeroShotResult]:
    """The result of a classifier for each layer, the embedding first (see `classify`).

    >>> training = torch.tensor([[1.0], [1.2], [-1.0], [-1.2]])
    >>> layers = torch.stack([training.flip(0), training], dim=1)
    >>> labels, tests = ["yes", "yes", "no", "no"], torch.ones(1, 2, 1)
    >>> [result.predictions for result in classify_by_layer(layers, labels, tests, ["yes"])]
    [('no',), ('yes',)]
    """
    layers = zip(training.unbind(1), tests.unbind(1), strict=True)
    return [classify(layer, labels, test_layer, truth, groups) for layer, test_layer in layers]


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson 1927), which is valid near 0 and 1 too.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    from scipy.stats import binomtest

    interval = binomtest(right, total).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def _fewest_groups(labels: Sequence[str], groups: Sequence[int]) -> int:
    counts = Counter(label for label, group in set(zip(labels, groups, strict=True)))
    if len(counts) < 2 or min(counts.values()) < 2:
        raise ExplorerError(
            _("A classifier needs two classes, and two texts of each."), _("Add texts of another class.")
        )
    return min(counts.values())


def _classifier(texts: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=1 / (DECAY * texts**0.5), max_iter=1000))
