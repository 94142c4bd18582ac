"""The density of dots on a map, and lines around the densest regions.

The sum of a Gaussian on every dot is computed on a grid (kernel density estimation, Parzen 1962). A line
encloses the smallest area with a given share of the density (a highest-density region, Hyndman 1996).
"""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

COLUMNS, ROWS = 96, 72
SHARES = (0.9, 0.5)  # of the density, that a line encloses
# Bounds on the Gaussian's width, as shares of half the picture's width: narrower, every dot would get a ring
# of its own; wider, a single outlier would enlarge its whole group.
NARROWEST, WIDEST = 0.035, 0.1

Line = list[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Density:
    """A grid of masses that sum to 1: `mass[j, i]` is that at (x[i], y[j])."""

    x: Float[Tensor, "column"]
    y: Float[Tensor, "row"]
    mass: Float[Tensor, "row column"]


def density(
    points: Float[Tensor, "occurrence 2"],
    reach: tuple[float, float],
    columns: int = COLUMNS,
    rows: int = ROWS,
) -> Density:
    """The density of points over a picture from -reach to +reach, with a margin."""
    width = bandwidth(points, reach)
    margin = 3 * width
    x = torch.linspace(-reach[0] - margin, reach[0] + margin, columns)
    y = torch.linspace(-reach[1] - margin, reach[1] + margin, rows)
    along = torch.exp(-0.5 * ((x[None] - points[:, :1]) / width) ** 2)
    up = torch.exp(-0.5 * ((y[None] - points[:, 1:2]) / width) ** 2)
    mass = up.T @ along
    return Density(x, y, mass / mass.sum().clamp(min=1e-30))


def threshold(density: Density, share: float) -> float:
    """The least mass of a cell in the smallest region that holds a share of the density."""
    cells = density.mass.flatten().sort(descending=True).values
    cumulative = cells.cumsum(0)
    return float(cells[int((cumulative < share).sum().clamp(max=len(cells) - 1))])


def outlines(density: Density, share: float) -> list[Line]:
    """Closed lines around the smallest region with a share of the density; the last point is the first."""
    from contourpy import contour_generator

    # A border of zeros, so that every line closes inside the grid.
    grid = np.pad(density.mass.numpy().astype(np.float64), 1)
    x, y = _padded(density.x.numpy()), _padded(density.y.numpy())
    lines = cast(list[np.ndarray], contour_generator(x, y, grid).lines(threshold(density, share)))
    return [[(float(x), float(y)) for x, y in line] for line in lines]


def bandwidth(points: Float[Tensor, "occurrence 2"], reach: tuple[float, float]) -> float:
    """The width of the round Gaussian: Scott's rule (1992), n^(-1/6) times the points' spread, within
    bounds."""
    spread = float(points.std(0).square().mean().sqrt()) if len(points) > 1 else 0.0
    scott = spread / math.pow(max(len(points), 1), 1 / 6)
    return min(max(NARROWEST * max(reach), scott), WIDEST * max(reach))


def _padded(places: np.ndarray) -> np.ndarray:
    return np.concatenate([[2 * places[0] - places[1]], places, [2 * places[-1] - places[-2]]])
