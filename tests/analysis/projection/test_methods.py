"""PCA against its definition; every method at every size."""

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis.projection import methods, umap_warmup
from explorer.analysis.projection.methods import principal, project
from explorer.errors import ExplorerError


def some(n, d=13, seed=0):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


def test_pca_is_the_eigenvectors_of_the_covariance():
    vectors = some(9)
    found = project(vectors)
    unit = F.normalize(vectors, dim=-1)
    centred = (unit - unit.mean(0)).double()
    values, axes = torch.linalg.eigh(centred.T @ centred)
    expected = centred @ axes[:, [-1, -2]]
    for axis in range(2):
        match = found.coordinates[:, axis].double() @ expected[:, axis]
        assert abs(float(match)) == pytest.approx(float(expected[:, axis].norm() ** 2), rel=1e-5)
        assert found.explained[axis] == pytest.approx(float(values[-1 - axis] / values.sum()), rel=1e-5)
    torch.testing.assert_close(found.coordinates.mean(0), torch.zeros(2), atol=1e-6, rtol=0)


def test_pca_looks_at_directions_only_and_has_a_steady_sign():
    vectors = some(8)
    scaled = vectors * torch.rand(8, 1, generator=torch.Generator().manual_seed(1)).add(0.1)
    torch.testing.assert_close(
        project(vectors).coordinates, project(scaled).coordinates, atol=1e-5, rtol=1e-4
    )


@pytest.mark.parametrize("method", ["pca", "tsne"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 12])
def test_any_number_of_points(method, n):
    found = project(some(n), method)
    assert found.coordinates.shape == (n, 2) and found.coordinates.isfinite().all()
    assert torch.equal(found.coordinates, project(some(n), method).coordinates)
    assert (found.method == method) == (found.note == "")


@pytest.mark.parametrize("method", ["pca", "tsne", "umap"])
def test_equal_vectors_fall_together(method):
    found = project(torch.ones(6, 5), method)
    assert found.coordinates.abs().max() < 1e-5
    assert found.explained == (0.0, 0.0)
    assert (found.note == "") == (method == "pca")


@pytest.mark.slow  # numba compiles it for half a minute where that was not done before
def test_umap_is_ready_once_it_is_warm_and_leaves_pytorch_its_threads():
    before = torch.get_num_threads()
    umap_warmup.warm_umap()
    assert project(some(7), "umap").method == "umap"
    assert umap_warmup.umap_ready() and torch.get_num_threads() == before


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_umap_of_a_few_points_is_pca_and_says_so(n):
    found = project(some(n), "umap")
    assert found.method == "pca" and "UMAP" in found.note and found.coordinates.shape == (n, 2)


def test_umap_gets_a_start_that_fits_it(monkeypatch):
    def fit(vectors, start, seed):
        assert vectors.shape == (7, 13) and start.shape == (7, 2) and seed == 3
        assert abs(start).max() == pytest.approx(10)
        return start + 5

    monkeypatch.setattr(methods, "fit_umap", fit)
    found = project(some(7), "umap", seed=3)
    torch.testing.assert_close(found.coordinates.mean(0), torch.zeros(2), atol=1e-5, rtol=0)


def test_an_unknown_method_names_the_known():
    with pytest.raises(ExplorerError) as error:
        project(some(3), "isomap")
    assert "umap" in error.value.hint


@pytest.mark.parametrize(("n", "d"), [(7, 13), (13, 7), (40, 3), (3, 40)])
def test_principal_directions_are_the_same_whichever_way_they_are_solved(n, d):
    points = some(n, d)
    found, shares = principal(points, 3)
    centred = (points - points.mean(0)).double()
    left, sizes, _ = torch.linalg.svd(centred, full_matrices=False)
    have = min(3, len(sizes))
    expected = (left * sizes)[:, :have]
    torch.testing.assert_close(found[:, :have].abs().double(), expected.abs(), atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(
        shares[:have].double(), sizes[:have] ** 2 / sizes.square().sum(), atol=1e-6, rtol=1e-5
    )
    assert found[:, have:].abs().sum() == 0


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_three_axes(method):
    found = project(some(12), method, axes=3)
    assert found.coordinates.shape == (12, 3) and found.coordinates.isfinite().all()
    if method == "pca":
        torch.testing.assert_close(found.coordinates[:, :2], project(some(12)).coordinates)
        assert len(found.explained) == 3 and sum(found.explained) < 1


def test_trustworthiness_counts_the_dots_that_are_near_on_the_map_alone():
    """1 - 2/(n k (2n - 3k - 1)) times their ranks among the vectors - k, summed."""
    vectors, k = F.normalize(torch.randn(40, 12, generator=torch.Generator().manual_seed(3)), dim=-1), 5
    found = project(vectors, "tsne")
    places = found.coordinates
    ranks = torch.cdist(vectors, vectors).argsort(1).argsort(1)
    near = torch.cdist(places, places).argsort(1)[:, 1 : k + 1]
    penalty = (ranks.gather(1, near) - k).clamp_min(0).sum()
    assert found.trustworthiness == pytest.approx(1 - 2 / (40 * k * (80 - 3 * k - 1)) * float(penalty))
    assert project(vectors).trustworthiness is None
