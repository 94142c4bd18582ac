"""How densely dots lie on a map, and lines around the places where most of them are.

A Gaussian is put on every dot and their sum is read on a grid (kernel density estimation,
Parzen 1962). A line then encloses the smallest area that holds a given share of the whole
(a highest-density region, Hyndman 1996).
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
# The Gaussian's width, as a share of the picture's half width: narrower, it would ring every dot by
# itself; wider, a single far dot would swell its whole group.
NARROWEST, WIDEST = 0.035, 0.1

Line = list[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Density:
    """A grid of masses that sum to 1: `mass[j, i]` belongs to the place (x[i], y[j])."""

    x: Float[Tensor, "column"]
    y: Float[Tensor, "row"]
    mass: Float[Tensor, "row column"]


def density(
    points: Float[Tensor, "occurrence 2"],
    reach: tuple[float, float],
    columns: int = COLUMNS,
    rows: int = ROWS,
) -> Density:
    """The density of some points over a picture that goes from -reach to +reach, and a margin.

    The Gaussian is round; its width follows Scott's rule (1992), n^(-1/6) times the points' spread,
    within bounds that suit the picture.
    """
    width = min(max(NARROWEST * max(reach), _scott(points)), WIDEST * max(reach))
    margin = 3 * width
    x = torch.linspace(-reach[0] - margin, reach[0] + margin, columns)
    y = torch.linspace(-reach[1] - margin, reach[1] + margin, rows)
    along = torch.exp(-0.5 * ((x[None] - points[:, :1]) / width) ** 2)
    up = torch.exp(-0.5 * ((y[None] - points[:, 1:2]) / width) ** 2)
    mass = up.T @ along
    return Density(x, y, mass / mass.sum().clamp(min=1e-30))


def threshold(found: Density, share: float) -> float:
    """The mass that a cell must have for all such cells together to hold a share of the whole."""
    cells = found.mass.flatten().sort(descending=True).values
    held = cells.cumsum(0)
    return float(cells[int((held < share).sum().clamp(max=len(cells) - 1))])


def outlines(found: Density, share: float) -> list[Line]:
    """Closed lines around the cells that hold a share of the density, first point = last point."""
    from contourpy import contour_generator

    # A border of zeros, so that every line closes inside the grid.
    grid = np.pad(found.mass.numpy().astype(np.float64), 1)
    x, y = _padded(found.x.numpy()), _padded(found.y.numpy())
    lines = cast(list[np.ndarray], contour_generator(x, y, grid).lines(threshold(found, share)))
    return [[(float(x), float(y)) for x, y in line] for line in lines]


def _scott(points: Tensor) -> float:
    if len(points) < 2:
        return 0.0
    spread = float(points.std(0).square().mean().sqrt())
    return spread / math.pow(len(points), 1 / 6)


def _padded(places: np.ndarray) -> np.ndarray:
    return np.concatenate([[2 * places[0] - places[1]], places, [2 * places[-1] - places[-2]]])
