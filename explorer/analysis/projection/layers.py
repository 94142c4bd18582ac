"""Maps of one layer after another, which a slider plays: dots glide from layer to layer and do not jump.

Each map is turned, or mirrored, to lie as near as it can to the one before. That changes no distance.
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


def layer_maps(
    vectors: Float[Tensor, "occurrence layer d_model"],
    method: MapMethod = "pca",
    axes: int = 2,
    senses: Sequence[str | None] = (),
    only: int | None = None,
    flat: list[Projection] | None = None,
) -> list[Projection | Discriminant | None]:
    """The map of every layer by one method, all turned so that PCA's widest direction lies across.

    LDA separates the known `senses`; where there are not two of two occurrences each, the maps are PCA's.
    With `only`, t-SNE and UMAP make that layer's map alone, and the others are None. `flat` are PCA's
    maps, where they have been made already.

    >>> made = layer_maps(torch.randn(6, 2, 8), "lda", senses=["a", "a", "a", "b", "b", "b"])
    >>> [one.coordinates.shape for one in made]
    [torch.Size([6, 2]), torch.Size([6, 2])]
    """
    if method == "lda" and len(separable(senses)) > 1:
        return list(_separating(vectors, senses, axes))
    flat = flat or flat_maps(vectors, axes)
    if method == "pca" or method == "lda":
        return list(flat)
    return _bent(vectors, method, axes, flat, only)


def flat_maps(vectors: Float[Tensor, "occurrence layer d_model"], axes: int = 2) -> list[Projection]:
    """PCA of every layer. With three axes the map seen from its front is the one with two.

    >>> [made.method for made in flat_maps(torch.randn(5, 3, 8))]  # 5 occurrences, 3 layers
    ['pca', 'pca', 'pca']
    """
    plane = level(project_layers(vectors))
    if axes == 2:
        return plane
    made: list[Projection] = []
    for layer, below in enumerate(plane):
        room = project(vectors[:, layer], axes=axes)
        deep = room.coordinates[:, 2:]
        if made and (deep * made[-1].coordinates[:, 2:]).sum() < 0:
            deep = -deep
        made.append(replace(room, coordinates=torch.cat([below.coordinates, deep], 1)))
    return made


def project_layers(
    vectors: Float[Tensor, "occurrence layer d_model"], method: Method = "pca", seed: int = 0, axes: int = 2
) -> list[Projection]:
    """One projection per layer, each turned to lie on the one before, so that dots glide and do not jump.

    t-SNE and UMAP also begin each layer where the layer before ended.

    >>> made = project_layers(torch.randn(5, 3, 8))  # 5 occurrences, 3 layers
    >>> len(made), made[0].coordinates.shape
    (3, torch.Size([5, 2]))
    """
    made: list[Projection] = []
    for layer in range(vectors.shape[1]):
        start = made[-1].coordinates if made else None
        current = project(vectors[:, layer], method, seed, axes, start)
        made.append(align(made[-1], current) if made else current)
    return made


def align(previous: Map, current: Map) -> Map:
    """The current points turned, and mirrored if need be, to lie as near the previous as they can.

    Orthogonal Procrustes (Schönemann 1966): with current^T previous = U S V^T the best turn is
    U V^T. Distances stay. Point i must be the same occurrence in both; where the numbers of
    points or axes differ, the current points are returned as they are.

    >>> square = torch.tensor([[1.0, 1], [1, -1], [-1, -1], [-1, 1]])
    >>> turned = square @ torch.tensor([[0.0, 1], [-1, 0]])
    >>> torch.allclose(align(Projection(square, "pca"), Projection(turned, "pca")).coordinates, square)
    True
    """
    if previous.coordinates.shape != current.coordinates.shape or len(current.coordinates) == 0:
        return current
    left, _, right = torch.linalg.svd(current.coordinates.T @ previous.coordinates)
    return replace(current, coordinates=current.coordinates @ left @ right)


def mirror(previous: Map, current: Map) -> Map:
    """The current points with axes flipped, but not turned, to lie as near the previous as they can.

    For axes that each have a meaning.

    >>> first, flipped = (Projection(torch.tensor([[x, 1.0], [-x, -1]]), "pca") for x in (2.0, -2.0))
    >>> mirror(first, flipped).coordinates.tolist()
    [[2.0, 1.0], [-2.0, -1.0]]
    """
    if previous.coordinates.shape != current.coordinates.shape:
        return current
    agree = (previous.coordinates * current.coordinates).sum(0)
    return replace(current, coordinates=current.coordinates * torch.where(agree < 0, -1.0, 1.0))


def level(made: list[Projection]) -> list[Projection]:
    """All layers turned alike, so that their widest direction lies across the picture, the next up.

    >>> tall = Projection(torch.tensor([[0.0, 3], [0, -3], [1, 0], [-1, 0]]), "pca")
    >>> level([tall])[0].coordinates.abs().amax(0).round(decimals=3)
    tensor([3., 1.])
    """
    points = torch.cat([plane.coordinates for plane in made]).double()
    # Of the axes' products, not of the points: all left singular vectors of 16,000 points are a gigabyte.
    _, _, turn = torch.linalg.svd(points.T @ points)
    turn = turn.float()
    # A singular vector's sign is arbitrary: its largest part is made positive.
    turn = turn * torch.where(turn.gather(1, turn.abs().argmax(1, keepdim=True)) < 0, -1.0, 1.0)
    return [replace(plane, coordinates=plane.coordinates @ turn.T) for plane in made]


def _bent(
    vectors: Tensor, method: Method, axes: int, flat: list[Projection], only: int | None
) -> list[Projection | Discriminant | None]:
    """t-SNE or UMAP, turned as a whole onto PCA's maps; their scale means nothing: all are as large."""
    chosen = list(range(vectors.shape[1])) if only is None else [only]
    made = project_layers(vectors[:, chosen], method, axes=axes)
    onto = Projection(torch.cat([flat[layer].coordinates for layer in chosen]), "pca")
    whole = Projection(torch.cat([plane.coordinates for plane in made]), "pca")
    turned = align(onto, whole).coordinates.split([len(vectors)] * len(chosen))
    maps: list[Projection | Discriminant | None] = [None] * vectors.shape[1]
    for layer, plane, points in zip(chosen, made, turned):
        if plane.method != "pca":
            points = points / points.norm(dim=1).max().clamp(min=1e-9)
        maps[layer] = replace(plane, coordinates=points)
    return maps


def _separating(vectors: Tensor, senses: Sequence[str | None], axes: int) -> list[Discriminant]:
    """LDA of every layer, each turned or mirrored onto the one before."""
    made = [found for layer in vectors.unbind(1) if (found := discriminant(layer, senses, axes))]
    # Axes that separate senses may be turned among themselves, but not into those that do not.
    follow = align if made[-1].separating == axes else mirror
    for i in range(1, len(made)):
        made[i] = follow(made[i - 1], made[i])
    return made
