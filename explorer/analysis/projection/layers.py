"""Maps of all layers for a slider: dots glide from layer to layer and do not jump.

Each map is rotated or reflected to lie as near as possible to the one before. This changes no distances.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection.lda import Discriminant, discriminant, separable
from explorer.analysis.projection.methods import Method, Projection, project

MapMethod = Literal["pca", "tsne", "umap", "lda"]
Map = TypeVar("Map", Projection, Discriminant)  # both have coordinates
FLAT = 1e-5  # the width of a map, of its length, below which it is a line but for rounding


def layer_maps(
    vectors: Float[Tensor, "occurrence layer d_model"],
    method: MapMethod = "pca",
    axes: int = 2,
    senses: Sequence[str | None] = (),
    only: int | None = None,
    flat: list[Projection] | None = None,
) -> list[Projection | Discriminant | None]:
    """The map of every layer by one method, all rotated so that PCA's widest direction is horizontal.

    LDA separates the known `senses`; without two senses of two occurrences each, the maps are PCA's. With
    `only`, t-SNE and UMAP compute only that layer's map, and the others are None. `flat` are PCA's maps, if
    they are computed already.

    >>> maps = layer_maps(torch.randn(6, 2, 8), "lda", senses=["a", "a", "a", "b", "b", "b"])
    >>> [layer.coordinates.shape for layer in maps]
    [torch.Size([6, 2]), torch.Size([6, 2])]
    """
    if method == "lda" and len(separable(senses)) > 1:
        return list(_lda_maps(vectors, senses, axes))
    flat = flat or flat_maps(vectors, axes)
    if method == "pca" or method == "lda":
        return list(flat)
    return _nonlinear_maps(vectors, method, axes, flat, only)


def flat_maps(vectors: Float[Tensor, "occurrence layer d_model"], axes: int = 2) -> list[Projection]:
    """PCA of every layer. With three axes, the front view is the map with two.

    >>> [layer.method for layer in flat_maps(torch.randn(5, 3, 8))]  # 5 occurrences, 3 layers
    ['pca', 'pca', 'pca']
    """
    plane = level(project_layers(vectors))
    if axes == 2:
        return plane
    solid: list[Projection] = []
    for layer, below in enumerate(plane):
        room = project(vectors[:, layer], axes=axes)
        deep = room.coordinates[:, 2:]
        if solid and (deep * solid[-1].coordinates[:, 2:]).sum() < 0:
            deep = -deep
        solid.append(replace(room, coordinates=torch.cat([below.coordinates, deep], 1)))
    return solid


def project_layers(
    vectors: Float[Tensor, "occurrence layer d_model"], method: Method = "pca", seed: int = 0, axes: int = 2
) -> list[Projection]:
    """One projection per layer, each rotated onto the one before, so that dots glide and do not jump.

    t-SNE and UMAP also start each layer from the points of the layer before.
    """
    maps: list[Projection] = []
    for layer in range(vectors.shape[1]):
        start = maps[-1].coordinates if maps else None
        current = project(vectors[:, layer], method, seed, axes, start)
        maps.append(align(maps[-1], current) if maps else current)
    return maps


def align(previous: Map, current: Map) -> Map:
    """The current points rotated, and reflected if need be, to lie as near as possible to the previous ones.

    Orthogonal Procrustes (Schönemann 1966): with current^T previous = U S V^T the best rotation is U V^T.
    Distances do not change. Point i must be the same occurrence in both; if the numbers of points or axes
    differ, the current points are returned unchanged.

    >>> square = torch.tensor([[1.0, 1], [1, -1], [-1, -1], [-1, 1]])
    >>> turned = square @ torch.tensor([[0.0, 1], [-1, 0]])
    >>> torch.allclose(align(Projection(square, "pca"), Projection(turned, "pca")).coordinates, square)
    True
    """
    if previous.coordinates.shape != current.coordinates.shape or len(current.coordinates) == 0:
        return current
    left, sizes, right = torch.linalg.svd(current.coordinates.T @ previous.coordinates)
    if sizes[-1] < FLAT * sizes[0] and torch.linalg.det(left @ right) < 0:
        left[:, -1] *= -1  # one of them lies on a line: rounding would decide whether to reflect the other
    return replace(current, coordinates=current.coordinates @ left @ right)


def mirror(previous: Map, current: Map) -> Map:
    """The current points with axes flipped, but not rotated, to lie as near as possible to the previous ones.

    For axes that each have a meaning.
    """
    if previous.coordinates.shape != current.coordinates.shape:
        return current
    agree = (previous.coordinates * current.coordinates).sum(0)
    return replace(current, coordinates=current.coordinates * torch.where(agree < 0, -1.0, 1.0))


def level(maps: list[Projection]) -> list[Projection]:
    """All layers rotated together, so that their widest direction is horizontal and the next vertical."""
    points = torch.cat([plane.coordinates for plane in maps]).double()
    # The SVD of the axes' products, not of the points: the left singular vectors of 16,000 points take a
    # gigabyte.
    _, _, turn = torch.linalg.svd(points.T @ points)
    turn = turn.float()
    # A singular vector's sign is arbitrary: its largest component is made positive.
    turn = turn * torch.where(turn.gather(1, turn.abs().argmax(1, keepdim=True)) < 0, -1.0, 1.0)
    return [replace(plane, coordinates=plane.coordinates @ turn.T) for plane in maps]


def _nonlinear_maps(
    vectors: Tensor, method: Method, axes: int, flat: list[Projection], only: int | None
) -> list[Projection | Discriminant | None]:
    """t-SNE or UMAP, rotated as a whole onto PCA's maps, and scaled to one size, since their scale means
    nothing."""
    chosen = list(range(vectors.shape[1])) if only is None else [only]
    projections = project_layers(vectors[:, chosen], method, axes=axes)
    target = Projection(torch.cat([flat[layer].coordinates for layer in chosen]), "pca")
    whole = Projection(torch.cat([plane.coordinates for plane in projections]), "pca")
    aligned = align(target, whole).coordinates.split([len(vectors)] * len(chosen))
    maps: list[Projection | Discriminant | None] = [None] * vectors.shape[1]
    for layer, plane, points in zip(chosen, projections, aligned):
        if plane.method != "pca":
            points = points / points.norm(dim=1).max().clamp(min=1e-9)
        maps[layer] = replace(plane, coordinates=points)
    return maps


def _lda_maps(vectors: Tensor, senses: Sequence[str | None], axes: int) -> list[Discriminant]:
    """LDA of every layer, each rotated or reflected onto the one before."""
    maps = [result for layer in vectors.unbind(1) if (result := discriminant(layer, senses, axes))]
    # Axes that separate senses may be rotated among themselves, but not mixed with the others.
    follow = align if maps[-1].separating == axes else mirror
    for i in range(1, len(maps)):
        maps[i] = follow(maps[i - 1], maps[i])
    return maps
