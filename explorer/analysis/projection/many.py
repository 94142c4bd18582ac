"""More points than can be held: a plane fitted to a fair sample, on which all others are placed in passing.

A million vectors of 256 numbers are a gigabyte in float32, their places on a plane 8 MB. So PCA's axes are
found in some thousand points drawn at random, and every other point is only multiplied by them. How much of
the variance the plane shows is counted over all points. The density is counted too, in cells, and smoothed
by the Gaussian that `contours` puts on each point.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.projection.contours import NARROWEST, WIDEST, Density

FINE = (480, 360)  # cells that are counted before they are smoothed: a fifth of the narrowest Gaussian


@dataclass(frozen=True, eq=False)
class Plane:
    """Axes through a point: where vectors of length 1 are placed by `place_all`."""

    middle: Float[Tensor, "d_model"]
    axes: Float[Tensor, "d_model axis"]


@dataclass(frozen=True, eq=False)
class Places:
    """All points on a plane; `explained` is the share of their variance along each axis."""

    coordinates: Float[Tensor, "occurrence axis"]
    explained: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Cells:
    """How many points lie in each cell: `counts[j, i]` between x[i] and x[i + 1], y[j] and y[j + 1]."""

    x: Float[Tensor, "edge_x"]
    y: Float[Tensor, "edge_y"]
    counts: Int[Tensor, "row column"]


def fit_plane(sample: Float[Tensor, "occurrence d_model"], axes: int = 2) -> Plane:
    """PCA of a sample: its principal directions, the widest first. Axes that it does not have are 0.

    >>> plane = fit_plane(torch.tensor([[3.0, 1], [3, -1], [1, 0]]))
    >>> plane.axes.shape
    torch.Size([2, 2])
    """
    unit = F.normalize(sample.float(), dim=-1).double()
    middle = unit.mean(0)
    centred = unit - middle
    _, turn = torch.linalg.eigh(centred.T @ centred)
    turn = turn.flip(1)[:, :axes]
    # An eigenvector's sign is arbitrary: its largest part is made positive.
    largest = turn.gather(0, turn.abs().argmax(0, keepdim=True))[0]
    turn = F.pad(turn * torch.where(largest < 0, -1.0, 1.0), (0, axes - turn.shape[1]))
    return Plane(middle.float(), turn.float())


def place_all(plane: Plane, chunks: Iterable[Tensor]) -> Places:
    """The places of all vectors, which come some at a time [some, d_model] and are forgotten at once.

    >>> points = torch.randn(100, 8)
    >>> found = place_all(fit_plane(points), points.split(30))
    >>> found.coordinates.shape, 0 < sum(found.explained) < 1
    (torch.Size([100, 2]), True)
    """
    places, total, count = [torch.empty(0, plane.axes.shape[1])], torch.zeros_like(plane.middle), 0
    shift = plane.middle @ plane.axes
    for chunk in chunks:
        length = chunk.norm(dim=-1, keepdim=True).clamp(min=1e-12)
        places.append((chunk @ plane.axes) / length - shift)
        total += (length.reciprocal().T @ chunk)[0]
        count += len(chunk)
    found = torch.cat(places)
    # The mean square of vectors of length 1 is 1: their variance is what their mean leaves of it.
    variance = 1 - float((total.double() / max(count, 1)).square().sum())
    along = found.double().var(0, correction=0) if count else torch.zeros(found.shape[1])
    shares = (along / variance).tolist() if variance > 1e-9 else [0.0] * found.shape[1]
    return Places(found, tuple(shares))


def count(
    points: Float[Tensor, "occurrence 2"], box: tuple[float, float, float, float], columns: int, rows: int
) -> Cells:
    """How many points lie in each cell of a box (left, lower, right, upper); those outside are not counted.

    >>> count(torch.tensor([[0.5, 0.5], [-0.5, 0.5], [0.4, 0.6]]), (-1, -1, 1, 1), 2, 2).counts
    tensor([[0, 0],
            [1, 2]])
    """
    x, y = np.linspace(box[0], box[2], columns + 1), np.linspace(box[1], box[3], rows + 1)
    found, _, _ = np.histogram2d(points[:, 1].numpy(), points[:, 0].numpy(), bins=(y, x))
    kind = torch.float32
    return Cells(torch.tensor(x, dtype=kind), torch.tensor(y, dtype=kind), torch.from_numpy(found).long())


def smooth(points: Float[Tensor, "occurrence 2"], reach: tuple[float, float]) -> Density:
    """The density of any number of points, by the same rule as `contours.density`, from counts in cells."""
    spread = float(points.std(0).square().mean().sqrt()) if len(points) > 1 else 0.0
    scott = spread * max(len(points), 1) ** (-1 / 6)
    width = min(max(NARROWEST * max(reach), scott), WIDEST * max(reach))
    margin = 3 * width
    far = reach[0] + margin, reach[1] + margin
    cells = count(points, (-far[0], -far[1], *far), *FINE)
    x, y = (edges[:-1] + (edges[1] - edges[0]) / 2 for edges in (cells.x, cells.y))
    along, up = (torch.exp(-0.5 * ((at[:, None] - at) / width) ** 2) for at in (x, y))
    mass = up @ cells.counts.float() @ along
    return Density(x, y, mass / mass.sum().clamp(min=1e-30))
