"""A plane fitted to some, the others placed in passing: what PCA and a Gaussian on every point would give."""

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis.projection import contours
from explorer.analysis.projection.many import count, fit_plane, place_all, smooth
from explorer.analysis.projection.methods import principal


def cloud(count=3000, d_model=24, seed=0):
    made = torch.Generator().manual_seed(seed)
    centres = torch.randn(3, d_model, generator=made) * 2
    which = torch.randint(3, (count,), generator=made)
    return centres[which] + torch.randn(count, d_model, generator=made) + 1


@pytest.mark.parametrize("axes", [2, 3])
def test_fitted_to_all_it_is_pca(axes):
    vectors = cloud()
    expected, shares = principal(F.normalize(vectors, dim=-1), axes)
    found = place_all(fit_plane(vectors, axes), vectors.split(700))
    torch.testing.assert_close(found.coordinates, expected, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(torch.tensor(found.explained), shares, atol=1e-4, rtol=1e-4)


def test_fitted_to_some_it_says_what_it_shows_of_all():
    vectors = cloud()
    best = principal(F.normalize(vectors, dim=-1), 2)[1].sum()
    shown = sum(place_all(fit_plane(vectors[:300]), vectors.split(1000)).explained)
    assert 0.97 * best < shown < best
    # The first cloud alone has other axes: the share is that of all points, not of those fitted.
    poor = sum(place_all(fit_plane(vectors[:3]), vectors.split(1000)).explained)
    assert poor < 0.9 * best


def test_the_density_is_that_of_a_gaussian_on_every_point():
    vectors = cloud()
    points = place_all(fit_plane(vectors), [vectors]).coordinates
    reach = tuple(points.abs().amax(0).tolist())
    exact, fast = contours.density(points, reach), smooth(points, reach)
    for share in (0.9, 0.5):
        areas = [float((one.mass >= contours.threshold(one, share)).float().mean()) for one in (exact, fast)]
        assert areas[1] == pytest.approx(areas[0], rel=0.05)
    peak = [
        (one.x[one.mass.amax(0).argmax()].item(), one.y[one.mass.amax(1).argmax()].item())
        for one in (exact, fast)
    ]
    assert peak[0] == pytest.approx(peak[1], abs=0.05)


def test_every_point_in_the_box_is_counted_once():
    points = cloud()[:, :2]
    cells = count(points, (-50, -50, 50, 50), 7, 5)
    assert cells.counts.sum() == len(points) and cells.counts.shape == (5, 7)
    inside = ((points[:, 0] >= 0) & (points[:, 0] < 1) & (points[:, 1] >= 1) & (points[:, 1] < 2)).sum()
    assert count(points, (0, 1, 1, 2), 1, 1).counts.item() == inside


@pytest.mark.parametrize(
    "vectors", [torch.empty(0, 8), torch.ones(1, 8), torch.ones(5, 8), torch.zeros(4, 8)]
)
def test_nothing_to_spread(vectors):
    plane = fit_plane(vectors, 3) if len(vectors) else fit_plane(torch.ones(1, 8), 3)
    found = place_all(plane, [vectors])
    assert found.coordinates.shape == (len(vectors), 3) and (found.coordinates.abs() < 1e-6).all()
    assert found.explained == (0.0, 0.0, 0.0)
    assert torch.isfinite(smooth(found.coordinates[:, :2], (1e-3, 1e-3)).mass).all()
