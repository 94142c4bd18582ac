"""LDA against scikit-learn refitted without each dot, and what it must not be able to do."""

import numpy as np
import pytest
import scipy.linalg
import torch
import torch.nn.functional as F
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from explorer.analysis.projection.lda import SHRINKAGE, discriminant, separable


def some(senses, apart=1.0, d=31, seed=0):
    """Vectors with more dimensions than there are dots, around one centre per sense."""
    generator = torch.Generator().manual_seed(seed)
    centres = {s: torch.randn(d, generator=generator) * apart for s in dict.fromkeys(senses) if s}
    noise = torch.randn(len(senses), d, generator=generator)
    return noise + torch.stack([centres.get(s, torch.zeros(d)) for s in senses])


def refitted(vectors, senses, i, shrinkage):
    """Dot i and the means of the senses on the axes of scikit-learn's fit to all other dots."""
    unit = F.normalize(vectors.double(), dim=-1).numpy()
    rest = np.array([j for j in range(len(senses)) if j != i])
    labels = np.array(senses)
    model = LinearDiscriminantAnalysis("lsqr", shrinkage=shrinkage).fit(unit[rest], labels[rest])
    centre = model.priors_ @ model.means_
    away = model.means_ - centre
    between = away.T @ np.diag(model.priors_) @ away
    _, axes = scipy.linalg.eigh(between, model.covariance_)
    axes = axes[:, ::-1][:, : len(model.classes_) - 1]
    return (unit[i] - centre) @ axes, away @ axes, list(model.classes_)


@pytest.mark.parametrize("shrinkage", [0.2, SHRINKAGE])
@pytest.mark.parametrize("kinds", [2, 3, 4])
def test_each_dot_stands_where_a_fit_without_it_puts_it(kinds, shrinkage):
    senses = [f"s{i % kinds}" for i in range(13)]
    vectors = some(senses)
    found = discriminant(vectors, senses, axes=kinds - 1, shrinkage=shrinkage, shuffles=0)
    assert found.coordinates.shape == (13, kinds - 1) and found.separating == kinds - 1
    hits = 0
    for i in range(13):
        place, means, names = refitted(vectors, senses, i, shrinkage)
        # A turn of the axes is free; the distance to the middle is not.
        assert float(found.coordinates[i].norm()) == pytest.approx(float(np.linalg.norm(place)), rel=1e-4)
        nearest = names[np.linalg.norm(means - place, axis=1).argmin()]
        hits += nearest == senses[i]
    assert found.accuracy == pytest.approx(hits / 13) and found.judged == 13


def test_with_two_senses_the_first_axis_is_theirs_and_the_second_tells_them_nothing():
    senses = ["a", "b"] * 9
    found = discriminant(some(senses, apart=2.0), senses, shuffles=0)
    first, second = found.coordinates.T
    a = torch.tensor([s == "a" for s in senses])
    assert found.separating == 1
    assert abs(float(first[a].mean() - first[~a].mean())) > 3
    assert abs(float(second[a].mean() - second[~a].mean())) < 1e-5
    assert float(second.std()) > 0.1


def test_noise_is_not_parted_unless_the_fit_has_seen_it():
    senses = [f"s{i % 3}" for i in range(42)]
    found = discriminant(some(senses, apart=0.0, d=101), senses)
    assert found.accuracy < 0.55 and found.shuffled < 0.45, "chance is a third"
    assert found.shuffled_in_sample > 0.9, "and the careless picture would look like knowledge"
    known = discriminant(some(senses, apart=1.0, d=101), senses)
    assert known.accuracy > 0.9 and known.shuffled < 0.45


def test_a_dot_without_a_sense_is_placed_by_the_others_and_changes_nothing():
    senses = ["a", "b", "c"] * 5
    vectors = some(senses, apart=2.0)
    centre = vectors[0::3].mean(0)
    alone = discriminant(vectors, senses, shuffles=0)
    more = discriminant(
        torch.cat([vectors, centre[None], centre[None]]), [*senses, None, "lonely"], shuffles=0
    )
    torch.testing.assert_close(more.coordinates[:15], alone.coordinates, atol=1e-4, rtol=1e-4)
    assert more.judged == 15
    means = torch.stack([alone.coordinates[i::3].mean(0) for i in range(3)])
    for place in more.coordinates[15:]:
        assert int((means - place).norm(dim=1).argmin()) == 0


@pytest.mark.parametrize("senses", [[], ["a", "a"], ["a", "a", "b"], [None] * 4, ["a", "b", "c", "d"]])
def test_two_senses_of_two_dots_are_the_least(senses):
    assert discriminant(torch.randn(len(senses), 5), senses) is None


@pytest.mark.parametrize("axes", [2, 3])
def test_equal_vectors_and_few_dimensions_are_taken(axes):
    senses = ["a", "a", "b", "b"]
    assert discriminant(torch.ones(4, 6), senses, axes).coordinates.abs().max() == 0
    for d in (1, 2, 6):
        found = discriminant(torch.randn(4, d, generator=torch.Generator().manual_seed(d)), senses, axes)
        assert found.coordinates.shape == (4, axes) and found.coordinates.isfinite().all()


def test_the_same_input_gives_the_same_picture():
    senses = ["a", "b"] * 6
    one, other = (discriminant(some(senses), senses) for _ in range(2))
    assert torch.equal(one.coordinates, other.coordinates) and one.shuffled == other.shuffled


def test_a_sense_has_two_examples():
    assert separable(["b", "a", None, "b", "a", "c"]) == ["b", "a"]
