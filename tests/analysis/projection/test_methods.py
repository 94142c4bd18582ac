"""PCA against its definition; every method at every size; alignment that keeps distances."""

import math
from itertools import pairwise

import pytest
import scipy.linalg
import torch
import torch.nn.functional as F

from explorer.analysis.projection import umap_warmup
from explorer.analysis.projection.methods import (
    Projection,
    align,
    level,
    mirror,
    principal,
    project,
    project_layers,
)
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


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_umap_of_a_few_points_is_pca_and_says_so(n):
    found = project(some(n), "umap")
    assert found.method == "pca" and "UMAP" in found.note and found.coordinates.shape == (n, 2)


def test_umap_gets_a_start_that_fits_it(monkeypatch):
    def fit(vectors, start, seed):
        assert vectors.shape == (7, 13) and start.shape == (7, 2) and seed == 3
        assert abs(start).max() == pytest.approx(10)
        return start + 5

    monkeypatch.setattr(umap_warmup, "fit", fit)
    found = project(some(7), "umap", seed=3)
    torch.testing.assert_close(found.coordinates.mean(0), torch.zeros(2), atol=1e-5, rtol=0)


def test_an_unknown_method_names_the_known():
    with pytest.raises(ExplorerError) as error:
        project(some(3), "isomap")
    assert "umap" in error.value.hint


def turned(points, angle, mirror):
    turn = torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return points @ turn @ torch.diag(torch.tensor([1.0, -1.0 if mirror else 1.0]))


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("angle", [0.0, 1.0, 3.0])
def test_align_undoes_a_turn(angle, mirror):
    points = project(some(6)).coordinates
    found = align(Projection(points, "pca"), Projection(turned(points, angle, mirror), "pca"))
    torch.testing.assert_close(found.coordinates, points, atol=1e-5, rtol=1e-4)


def test_align_keeps_distances_and_leaves_other_sets_alone():
    previous, current = project(some(6)), project(some(6, seed=1))
    found = align(previous, current)
    torch.testing.assert_close(torch.pdist(found.coordinates), torch.pdist(current.coordinates))
    nearer = (found.coordinates - previous.coordinates).norm()
    assert nearer <= (current.coordinates - previous.coordinates).norm() + 1e-6
    assert align(project(some(5)), current) is current
    assert len(align(project(some(0)), project(some(0))).coordinates) == 0


def test_layers_follow_each_other():
    steps = torch.stack([some(8) + 0.05 * some(8, seed=s) for s in range(4)], dim=1)
    found = project_layers(steps)
    assert len(found) == 4
    for before, after in pairwise(found):
        assert (after.coordinates - before.coordinates).norm() < 0.3 * before.coordinates.norm()


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


def test_align_is_scipys_procrustes():
    previous, current = project(some(9), axes=3), project(some(9, seed=1), axes=3)
    turn, _ = scipy.linalg.orthogonal_procrustes(current.coordinates.numpy(), previous.coordinates.numpy())
    expected = current.coordinates @ torch.from_numpy(turn)
    torch.testing.assert_close(align(previous, current).coordinates, expected, atol=1e-5, rtol=1e-4)


def test_mirror_flips_and_never_turns():
    points = project(some(6)).coordinates
    flipped = Projection(points * torch.tensor([-1.0, 1.0]), "pca")
    torch.testing.assert_close(mirror(Projection(points, "pca"), flipped).coordinates, points)
    turned_away = mirror(Projection(points, "pca"), Projection(turned(points, 1.0, False), "pca"))
    torch.testing.assert_close(turned_away.coordinates.abs(), turned(points, 1.0, False).abs())


def test_level_lays_the_widest_direction_across_and_keeps_distances():
    made = [Projection(turned(some(9, 2) * torch.tensor([9.0, 1.0]), 1.0, False), "pca") for _ in range(2)]
    found = level(made)
    assert found[0].coordinates[:, 0].std() > 2 * found[0].coordinates[:, 1].std()
    torch.testing.assert_close(torch.pdist(found[1].coordinates), torch.pdist(made[1].coordinates))


def test_curved_pictures_begin_where_the_layer_before_ended(monkeypatch):
    starts = []

    def fit(vectors, start, seed):
        starts.append(torch.from_numpy(start))
        return start + 1

    monkeypatch.setattr(umap_warmup, "fit", fit)
    steps = torch.stack([torch.ones(6, 13), some(6), some(6, seed=1)], dim=1)
    made = project_layers(steps, "umap")
    assert made[0].note and made[0].method == "pca", "one dot is one dot"
    first = project(some(6)).coordinates
    torch.testing.assert_close(starts[0], first / first.abs().max() * 10, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(starts[1], starts[0], atol=1e-3, rtol=1e-3)
    assert len(made) == 3
