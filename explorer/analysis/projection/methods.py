"""Dimension reduction to two or three axes: PCA, t-SNE, UMAP.

PCA keeps the directions of largest variance and is deterministic. t-SNE (van der Maaten and Hinton 2008) and
UMAP (McInnes, Healy, Melville 2018) preserve neighbours: their distances and cluster sizes mean little. Both
start from given points: PCA's, or those of the layer before.
"""

from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.projection.umap_warmup import fit as fit_umap
from explorer.errors import ExplorerError
from explorer.locale import _

Method = Literal["pca", "tsne", "umap"]
LABELS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
FEWEST = {"pca": 0, "tsne": 4, "umap": 4}  # points below which a method has nothing to fit
NEAREST = 5  # dots whose nearness is judged
SAME = 1e-6  # a spread below which vectors differ only by rounding
ROUNDS = 500  # of t-SNE; the next 500 would lower its loss by a hundredth


@dataclass(frozen=True, eq=False)
class Projection:
    """Points on two or three axes, centred on the origin.

    `method` is the one that was used; if it is not the `requested` one, `note` says why. `explained` is the
    share of variance along each axis, for PCA only; `trustworthiness`, for the others, says how far the five
    nearest dots of each are near among the vectors too: 1 if all are (Venna and Kaski 2001).
    """

    coordinates: Float[Tensor, "occurrence axis"]
    method: Method
    explained: tuple[float, ...] | None = None
    requested: str = ""
    trustworthiness: float | None = None

    @property
    def note(self) -> str:
        """Why another method was used than the requested one; empty if it was that."""
        if not self.requested:
            return ""
        name, least = LABELS[self.requested], FEWEST[self.requested]
        if len(self.coordinates) < least:
            return _("{name} needs {count} points or more: this is PCA.", name=name, count=least)
        return _("All vectors are the same: there is nothing for {name} to spread.", name=name)


def project(
    vectors: Float[Tensor, "occurrence d_model"],
    method: str = "pca",
    seed: int = 0,
    axes: int = 2,
    start: Float[Tensor, "occurrence axis"] | None = None,
) -> Projection:
    """Projection of vectors, scaled to length 1, onto `axes` axes. The same input gives the same points.

    t-SNE and UMAP start from `start`, or else from PCA's points. Any number of vectors is allowed, even 0: if
    there are too few for t-SNE or UMAP, or all are equal, the result is PCA's and its `note` says so. UMAP is
    compiled at its first use, which can take half a minute: see `warm_umap`. Raises ExplorerError for an
    unknown method.

    >>> projection = project(torch.eye(3), "tsne")  # too few for t-SNE
    >>> projection.method, projection.note
    ('pca', 't-SNE needs 4 points or more: this is PCA.')
    """
    if method not in get_args(Method):
        raise ExplorerError(f"There is no projection “{method}”.", f"Choose {', '.join(get_args(Method))}.")
    unit = F.normalize(vectors.float(), dim=-1)
    flat = _pca(unit, axes)
    if method == "pca":
        return flat
    if len(vectors) < FEWEST[method] or float(flat.coordinates.std(0)[0]) < SAME:
        return replace(flat, requested=method)
    if start is None or float(start.std(0)[0]) < SAME:
        start = flat.coordinates
    fit = _tsne if method == "tsne" else _umap
    from sklearn.manifold import trustworthiness

    points = torch.from_numpy(fit(unit.numpy(), start.numpy(), seed))
    kept = float(trustworthiness(unit, points, n_neighbors=min(NEAREST, (len(points) - 1) // 2)))
    return Projection(points - points.mean(0), cast(Method, method), trustworthiness=kept)


# Not scikit-learn's PCA: the first map would wait 1.5 to 3 s for its import.
def principal(
    points: Float[Tensor, "occurrence d_model"], axes: int
) -> tuple[Float[Tensor, "occurrence axis"], Float[Tensor, "axis"]]:
    """The points along their principal directions, widest first, and the share of variance along each.

    Solves the smaller of two problems, the points' inner products or their covariance. Axes beyond the
    points' rank are 0.
    """
    coordinates, shares = points.new_zeros(len(points), axes), torch.zeros(axes)
    if len(points) < 2:
        return coordinates, shares
    centred = (points - points.mean(0)).double()
    few = len(points) <= points.shape[1]
    sizes, turn = torch.linalg.eigh(centred @ centred.T if few else centred.T @ centred)
    rank = min(axes, len(sizes))
    sizes, turn = sizes.clamp(min=0).flip(0), turn.flip(1)[:, :rank]
    scores = turn * sizes[:rank].sqrt() if few else centred @ turn
    loadings = centred.T @ turn if few else turn
    # An eigenvector's sign is arbitrary: its largest loading is made positive.
    largest = loadings.gather(0, loadings.abs().argmax(0, keepdim=True))[0]
    coordinates[:, :rank] = (scores * torch.where(largest < 0, -1.0, 1.0)).to(points)
    # Rounding alone leaves a variance of about 1e-14 between equal vectors.
    if (total := float(sizes.sum())) > 1e-12 * len(points):
        shares[:rank] = (sizes[:rank] / total).float()
    return coordinates, shares


def _pca(unit: Float[Tensor, "occurrence d_model"], axes: int) -> Projection:
    points, shares = principal(unit, axes)
    return Projection(points, "pca", tuple(shares.tolist()))


def _tsne(unit: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    from sklearn.manifold import TSNE  # imported here, since it takes a second

    from explorer.analysis.one_thread import one_thread

    perplexity = min(30.0, max(1.0, (len(unit) - 1) / 3))
    start = start / start[:, 0].std() * 1e-4  # t-SNE needs a small start
    fit = TSNE(
        start.shape[1], perplexity=perplexity, init=start, max_iter=ROUNDS, random_state=seed, n_jobs=1
    )
    # Its threads wait for each other thousands of times: on a busy machine 0.1 s became 18 s.
    with one_thread():
        places: np.ndarray = fit.fit_transform(unit).astype(np.float32)
    return places


def _umap(unit: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    return fit_umap(unit, start / np.abs(start).max() * 10, seed)
