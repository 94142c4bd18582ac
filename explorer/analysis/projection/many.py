"""PCA of more points than fit in memory: a plane fitted to a random sample, on which all points are placed.

A million vectors of 256 numbers take a gigabyte in float32, their places on a plane 8 MB. So PCA's axes are
those of some thousand points drawn at random, and all points are only multiplied by them. The share of the
variance is that of all points. For the density, points are counted in cells, and the counts are smoothed by
the Gaussian of `contours`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.projection.contours import Density, bandwidth

CELLS = (480, 360)  # columns and rows before smoothing: a cell is a fifth of the narrowest Gaussian


@dataclass(frozen=True, eq=False)
class Plane:
    """Axes through a point; `place_all` places vectors of length 1 on them."""

    middle: Float[Tensor, "d_model"]
    axes: Float[Tensor, "d_model axis"]


@dataclass(frozen=True, eq=False)
class Places:
    """All points on a plane; `explained` is the share of their variance along each axis."""

    coordinates: Float[Tensor, "occurrence axis"]
    explained: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Cells:
    """The number of points in each cell: `counts[j, i]` between x[i] and x[i + 1], y[j] and y[j + 1]."""

    x: Float[Tensor, "edge_x"]
    y: Float[Tensor, "edge_y"]
    counts: Int[Tensor, "row column"]


def fit_plane(sample: Float[Tensor, "occurrence d_model"], axes: int = 2) -> Plane:
    """PCA of a sample: its principal directions, the widest first; axes beyond its rank are 0.

    >>> plane = fit_plane(torch.tensor([[3.0, 1], [3, -1], [1, 0]]))
    >>> plane.axes.shape
    torch.Size([2, 2])
    """
    unit = F.normalize(sample.float(), dim=-1).double()
    middle = unit.mean(0)
    centred = unit - middle
    _, turn = torch.linalg.eigh(centred.T @ centred)
    turn = turn.flip(1)[:, :axes]
    # An eigenvector's sign is arbitrary: its largest component is made positive.
    largest = turn.gather(0, turn.abs().argmax(0, keepdim=True))[0]
    turn = F.pad(turn * torch.where(largest < 0, -1.0, 1.0), (0, axes - turn.shape[1]))
    return Plane(middle.float(), turn.float())


def place_all(plane: Plane, chunks: Iterable[Tensor]) -> Places:
    """The places of all vectors, which come in chunks [some, d_model] and are not kept.

    >>> points = torch.randn(100, 8)
    >>> places = place_all(fit_plane(points), points.split(30))
    >>> places.coordinates.shape, 0 < sum(places.explained) < 1
    (torch.Size([100, 2]), True)
    """
    places, total, count = [torch.empty(0, plane.axes.shape[1])], torch.zeros_like(plane.middle), 0
    shift = plane.middle @ plane.axes
    for chunk in chunks:
        length = chunk.norm(dim=-1, keepdim=True).clamp(min=1e-12)
        places.append((chunk @ plane.axes) / length - shift)
        total += (length.reciprocal().T @ chunk)[0]
        count += len(chunk)
    coordinates = torch.cat(places)
    # The mean square of vectors of length 1 is 1; their variance is 1 minus the square of their mean.
    variance = 1 - float((total.double() / max(count, 1)).square().sum())
    along = coordinates.double().var(0, correction=0) if count else torch.zeros(coordinates.shape[1])
    shares = (along / variance).tolist() if variance > 1e-9 else [0.0] * coordinates.shape[1]
    return Places(coordinates, tuple(shares))


def count(
    points: Float[Tensor, "occurrence 2"], box: tuple[float, float, float, float], columns: int, rows: int
) -> Cells:
    """The number of points in each cell of a box (left, lower, right, upper); points outside are not counted.

    >>> count(torch.tensor([[0.5, 0.5], [-0.5, 0.5], [0.4, 0.6]]), (-1, -1, 1, 1), 2, 2).counts
    tensor([[0, 0],
            [1, 2]])
    """
    x, y = np.linspace(box[0], box[2], columns + 1), np.linspace(box[1], box[3], rows + 1)
    counts, _, _ = np.histogram2d(points[:, 1].numpy(), points[:, 0].numpy(), bins=(y, x))
    kind = torch.float32
    return Cells(torch.tensor(x, dtype=kind), torch.tensor(y, dtype=kind), torch.from_numpy(counts).long())


def smooth(points: Float[Tensor, "occurrence 2"], reach: tuple[float, float]) -> Density:
    """The density of any number of points, as by `contours.density`, from counts in cells."""
    width = bandwidth(points, reach)
    margin = 3 * width
    far = reach[0] + margin, reach[1] + margin
    cells = count(points, (-far[0], -far[1], *far), *CELLS)
    x, y = (edges[:-1] + (edges[1] - edges[0]) / 2 for edges in (cells.x, cells.y))
    along, up = (torch.exp(-0.5 * ((at[:, None] - at) / width) ** 2) for at in (x, y))
    mass = up @ cells.counts.float() @ along
    return Density(x, y, mass / mass.sum().clamp(min=1e-30))
