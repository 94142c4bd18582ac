"""Where a vector belongs: the nearest sense, how far out, and its place on a picture of others."""

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis.projection.layers import level, project_layers
from explorer.analysis.projection.methods import project
from explorer.analysis.senses.classify import classify, place_on_map, share_shown
from explorer.analysis.senses.duplicates import duplicates

ANGLES = torch.tensor([0.0, 0.2, 0.4, 1.4, 1.6])  # of unit vectors: three of a, two of b
SENSES = ["a", "a", "a", "b", "b"]


def at(*angles: float) -> torch.Tensor:
    turn = torch.tensor(angles)
    return torch.stack([turn.cos(), turn.sin()], -1)


def test_the_nearest_sense_by_the_angle_to_its_middle():
    classified = classify(at(0.5)[0] * 7, at(*ANGLES.tolist()), SENSES)
    assert [near.sense for near in classified.senses] == ["a", "b"]
    assert classified.senses[0].cosine == pytest.approx(float(torch.tensor(0.3).cos()), abs=1e-6)
    assert classified.senses[1].cosine == pytest.approx(float(torch.tensor(1.0).cos()), abs=1e-6)
    margin = float(torch.tensor(0.3).cos() - torch.tensor(1.0).cos())
    assert classified.margin == pytest.approx(margin, abs=1e-6)
    assert [i for i, _ in classified.occurrences] == [2, 1, 0, 3, 4]


@pytest.mark.parametrize(("angle", "farther"), [(0.51, 0), (0.45, 2), (0.2, 2)])
def test_an_outsider_lies_farther_out_than_any_of_the_sense(angle, farther):
    # From the mean of the other two of a, its own lie 0.3, 0 and 0.3 away.
    near = classify(at(angle)[0], at(*ANGLES.tolist()), SENSES).senses[0]
    assert (near.sense, near.farther, near.size) == ("a", farther, 3)


def test_without_senses_there_are_still_neighbours():
    classified = classify(at(0.1)[0], at(0.0, 1.0), [None, None])
    assert classified.senses == [] and classified.margin is None and classified.occurrences[0][0] == 0
    assert classify(at(0.1)[0], at(0.0, 1.0), ["a", None]).margin is None


def test_a_picture_puts_its_own_points_where_they_are():
    vectors = torch.randn(9, 17, generator=torch.Generator().manual_seed(0))
    picture = project(vectors).coordinates
    for vector, point in zip(vectors, picture):
        assert torch.allclose(place_on_map(vector * 3, vectors, picture), point, atol=1e-5)


def test_pictures_that_were_turned_are_met_as_well():
    vectors = torch.randn(30, 3, 7, generator=torch.Generator().manual_seed(1))
    for layer, plane in enumerate(level(project_layers(vectors))):
        middle = F.normalize(vectors[:, layer], dim=-1).mean(0)
        placed = place_on_map(vectors[4, layer], vectors[:, layer], plane.coordinates)
        assert torch.allclose(placed, plane.coordinates[4], atol=1e-5)
        assert place_on_map(middle, vectors[:, layer], plane.coordinates).isfinite().all()


def test_what_lies_off_the_plane_does_not_show():
    flat = torch.cat([torch.randn(8, 2, generator=torch.Generator().manual_seed(2)), torch.zeros(8, 3)], 1)
    picture = project(flat).coordinates
    off = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0])
    assert share_shown(off, flat, place_on_map(off, flat, picture)) < 0.6
    assert share_shown(flat[0], flat, picture[0]) == pytest.approx(1.0, abs=1e-4)


def test_equal_vectors_have_one_place():
    same = torch.ones(4, 5)
    assert place_on_map(torch.randn(5), same, project(same).coordinates).abs().max() < 1e-4
    assert share_shown(torch.ones(5), same, torch.zeros(2)) == 1.0


def test_equal_vectors_are_one_group_whatever_their_length():
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 1e-7], [0.0, 3.0], [1.0, 1.0]])
    assert duplicates(vectors) == [[0, 2], [1, 3], [4]]
    assert duplicates(torch.empty(0, 3)) == []
