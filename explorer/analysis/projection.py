"""Many dimensions to two: PCA, t-SNE, UMAP.

PCA keeps the directions of largest variance and is the same every time. t-SNE (van der Maaten
and Hinton 2008) and UMAP (McInnes, Healy, Melville 2018) keep neighbours and bend the rest:
their distances and sizes mean little. Both start from the PCA picture.
"""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis import umap_warmup
from explorer.errors import ExplorerError

Method = Literal["pca", "tsne", "umap"]
FEWEST = {"pca": 0, "tsne": 4, "umap": 4}  # points below which a method has nothing to fit


@dataclass(frozen=True, eq=False)
class Projection:
    """Points on a plane, centred on the origin.

    `method` is the one that was used, and `note` says why where it is not the one asked for.
    `explained` is the share of variance along each axis, for PCA only.
    """

    coordinates: Float[Tensor, "occurrence 2"]
    method: Method
    explained: tuple[float, float] | None = None
    note: str = ""


def project(
    vectors: Float[Tensor, "occurrence d_model"], method: Method = "pca", seed: int = 0
) -> Projection:
    """Vectors, brought to length 1, to points on a plane. The same input gives the same points.

    Works for any number of vectors, none included: where there are too few for t-SNE or UMAP,
    or all are the same, the result is PCA's and its `note` says so. UMAP compiles itself at its
    first use, which can take half a minute: see `warm_umap`. Raises ExplorerError for another method.
    """
    if method not in get_args(Method):
        raise ExplorerError(f"There is no projection “{method}”.", f"Choose {', '.join(get_args(Method))}.")
    unit = F.normalize(vectors.float(), dim=-1)
    flat = _pca(unit)
    if method == "pca":
        return flat
    label = {"tsne": "t-SNE", "umap": "UMAP"}[method]
    if len(vectors) < FEWEST[method]:
        return replace(flat, note=f"{label} needs {FEWEST[method]} points or more: this is PCA.")
    if float(flat.coordinates.std(0)[0]) < 1e-6:
        return replace(flat, note=f"All vectors are the same: there is nothing for {label} to spread.")
    fit = _tsne if method == "tsne" else _umap
    points = torch.from_numpy(fit(unit.numpy(), flat.coordinates.numpy(), seed))
    return Projection(points - points.mean(0), method)


def project_layers(
    vectors: Float[Tensor, "occurrence layer+1 d_model"], method: Method = "pca", seed: int = 0
) -> list[Projection]:
    """One projection per layer, each turned to lie on the one before, so that dots glide and do not jump."""
    projections: list[Projection] = []
    for layer in range(vectors.shape[1]):
        current = project(vectors[:, layer], method, seed)
        projections.append(align(projections[-1], current) if projections else current)
    return projections


def align(previous: Projection, current: Projection) -> Projection:
    """The current points turned, and mirrored if need be, to lie as near the previous as they can.

    Orthogonal Procrustes (Schönemann 1966): with current^T previous = U S V^T the best turn is
    U V^T. Distances stay. Point i must be the same occurrence in both; where the numbers of
    points differ, the current points are returned as they are.
    """
    if previous.coordinates.shape != current.coordinates.shape or len(current.coordinates) == 0:
        return current
    left, _, right = torch.linalg.svd(current.coordinates.T @ previous.coordinates)
    return replace(current, coordinates=current.coordinates @ left @ right)


def warm_umap() -> None:
    """Import and compile UMAP; for a background thread, so that no visitor waits for it."""
    umap_warmup.warm()


def umap_ready() -> bool:
    """Whether UMAP answers at once in this process."""
    return umap_warmup.ready()


def _pca(unit: Float[Tensor, "occurrence d_model"]) -> Projection:
    points = unit.new_zeros(len(unit), 2)
    if len(unit) < 2:
        return Projection(points, "pca", (0.0, 0.0))
    left, sizes, right = torch.linalg.svd((unit - unit.mean(0)).double(), full_matrices=False)
    # A singular vector's sign is arbitrary: its largest loading is made positive.
    largest = right.gather(1, right.abs().argmax(1, keepdim=True))
    scores = left * sizes * torch.where(largest[:, 0] < 0, -1.0, 1.0)
    axes = min(2, scores.shape[1])
    points[:, :axes] = scores[:, :axes].float()
    total = float(sizes.square().sum())
    # Rounding alone leaves a variance of about 1e-14 between equal vectors.
    shares = (sizes.square() / total).tolist() if total > 1e-12 * len(unit) else [0.0, 0.0]
    return Projection(points, "pca", (shares[0], shares[1] if axes > 1 else 0.0))


def _tsne(unit: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    from sklearn.manifold import TSNE  # a second to import: not before it is asked for
    from threadpoolctl import threadpool_limits

    perplexity = min(30.0, max(1.0, (len(unit) - 1) / 3))
    start = start / start[:, 0].std() * 1e-4  # small, as t-SNE wants its start
    fit = TSNE(perplexity=perplexity, init=start, random_state=seed, n_jobs=1)
    # Its threads wait for each other a thousand times over: on a busy machine 0.1 s became 18 s.
    with threadpool_limits(1, user_api="openmp"):
        return fit.fit_transform(unit).astype(np.float32)


def _umap(unit: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    return umap_warmup.fit(unit, start / np.abs(start).max() * 10, seed)
