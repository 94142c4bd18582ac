"""Maps of layers: alignment keeps distances, and dots glide from one layer to the next."""

import math
from itertools import pairwise

import pytest
import scipy.linalg
import torch

from explorer.analysis.projection import methods
from explorer.analysis.projection.layers import align, level, mirror, project_layers
from explorer.analysis.projection.methods import Projection, project
from tests.analysis.projection.test_methods import some


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


def test_rounding_does_not_decide_whether_a_map_is_reflected_onto_a_line():
    current = Projection(some(9)[:, :2], "pca")
    line = torch.stack([torch.linspace(-1, 1, 9), torch.zeros(9)], 1)
    noise = torch.stack([torch.zeros(9), 1e-7 * some(9)[:, 0]], 1)
    onto = [align(Projection(line + way * noise, "pca"), current).coordinates for way in (1, -1)]
    torch.testing.assert_close(*onto)


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

    monkeypatch.setattr(methods, "fit_umap", fit)
    steps = torch.stack([torch.ones(6, 13), some(6), some(6, seed=1)], dim=1)
    made = project_layers(steps, "umap")
    assert made[0].note and made[0].method == "pca", "one dot is one dot"
    first = project(some(6)).coordinates
    torch.testing.assert_close(starts[0], first / first.abs().max() * 10, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(starts[1], starts[0], atol=1e-3, rtol=1e-3)
    assert len(made) == 3
