"""Densities sum to one, and a line holds the share of it that it says."""

from itertools import pairwise

import pytest
import torch

from explorer.analysis.projection.contours import SHARES, density, outlines, threshold

REACH = (1.0, 0.7)


def within(line, cells):
    """The places inside a closed line: their way to the right crosses it an odd number of times."""
    odd = torch.zeros(len(cells), dtype=torch.bool)
    for (x0, y0), (x1, y1) in pairwise(line):
        crosses = (cells[:, 1] < y0) != (cells[:, 1] < y1)
        if y0 != y1:
            odd ^= crosses & (cells[:, 0] < x0 + (cells[:, 1] - y0) / (y1 - y0) * (x1 - x0))
    return odd


def some(n, seed=0, spread=0.2):
    return torch.randn(n, 2, generator=torch.Generator().manual_seed(seed)) * spread


@pytest.mark.parametrize("n", [1, 2, 12, 500])
def test_masses_sum_to_one_and_lie_where_the_dots_lie(n):
    points = some(n)
    found = density(points, REACH)
    assert float(found.mass.sum()) == pytest.approx(1, abs=1e-5) and (found.mass >= 0).all()
    middle = torch.stack([(found.mass.sum(0) * found.x).sum(), (found.mass.sum(1) * found.y).sum()])
    torch.testing.assert_close(middle, points.mean(0), atol=0.03, rtol=0)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("n", [1, 2, 12, 300])
def test_a_line_encloses_its_share(n, share):
    found = density(some(n), REACH)
    cells = torch.cartesian_prod(found.y, found.x).flip(1)
    inside = torch.zeros(len(cells), dtype=torch.bool)
    for line in outlines(found, share):
        assert line[0] == line[-1] and len(line) > 4
        inside ^= within(line, cells)  # a hole is a line in a line
    held = float(found.mass.flatten()[inside].sum())
    assert held == pytest.approx(share, abs=0.05)


def test_lines_run_with_what_they_enclose_on_their_left():
    line = outlines(density(some(1), REACH), 0.9)[0]
    assert sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise(line)) > 0


def test_two_heaps_have_a_line_each():
    heaps = torch.cat([some(20, spread=0.03) - 0.5, some(20, 1, spread=0.03) + 0.5])
    assert len(outlines(density(heaps[:20], REACH), 0.9)) == 1
    assert len(outlines(density(torch.cat([heaps[:1], heaps[20:21]]) * 4, (4.0, 2.8)), 0.5)) <= 2
    wide = density(heaps, REACH)
    assert threshold(wide, 0.5) > threshold(wide, 0.9) > 0


def test_dots_beyond_the_picture_leave_closed_lines():
    for line in outlines(density(some(9, spread=2.0), REACH), 0.9):
        assert line[0] == line[-1]
