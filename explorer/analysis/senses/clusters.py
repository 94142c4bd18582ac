"""Groups of occurrences without labels: k-means, with the number of groups that has the highest silhouette.

scikit-learn's k-means on unit vectors. The number of groups is the one with the highest mean silhouette
(Rousseeuw 1987):

    s(i) = (b - a) / max(a, b)    a: mean distance to the own group, b: to the nearest other one

k-means works with Euclidean distances, and so does the choice of their number. The silhouette of the result
is by cosine (distance 1 - cosine), as everywhere else.

k-means finds groups in any set of points, even in noise: there the silhouette is near 0.
scikit-learn takes 1.5 to 3 s to import, so it is imported when groups are first needed.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.projection.methods import principal

MOST = 6
LEAST_SILHOUETTE = 0.08  # points drawn around a single centre stay below it
RESTARTS = 10
DIRECTIONS = 50  # principal directions that k-means uses


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each occurrence, numbered from 0, the largest first, and the mean silhouette by cosine."""

    member: list[int]
    silhouette: float

    @property
    def count(self) -> int:
        """The number of groups."""
        return max(self.member) + 1


def groups(vectors: Float[Tensor, "occurrence d_model"], most: int = MOST, seed: int = 0) -> Groups | None:
    """The groups of unit vectors, 2 to `most`; None if no grouping is clear.

    The same input gives the same groups.
    """
    unit = F.normalize(vectors.float(), dim=-1)
    if len(unit) < 4:
        return None
    points, _ = principal(unit, DIRECTIONS)
    distances = torch.cdist(unit, unit)
    partitions = [kmeans(points, k, seed) for k in range(2, min(most, len(unit) - 1) + 1)]
    scores = [silhouette(distances, member) for member in partitions]
    score = max(scores)
    best = partitions[scores.index(score)]
    if score < LEAST_SILHOUETTE:
        return None
    sizes = torch.bincount(best)
    order = sorted(range(len(sizes)), key=lambda g: (-int(sizes[g]), int((best == g).nonzero()[0])))
    return Groups([order.index(g) for g in best.tolist()], silhouette((1 - unit @ unit.T).clamp_min(0), best))


def kmeans(points: Float[Tensor, "point axis"], k: int, seed: int = 0) -> Int[Tensor, "point"]:
    """The best of several runs of k-means: each point's group, numbered from 0.

    There are fewer than k groups if there are fewer different points.
    """
    from sklearn.cluster import KMeans

    from explorer.analysis.one_thread import one_thread

    distinct = len(points.round(decimals=5).unique(dim=0))  # points that differ only by rounding are equal
    fit = KMeans(min(k, distinct), n_init=RESTARTS, random_state=seed)
    with one_thread():
        labels = fit.fit_predict(points.numpy())
    groups: Tensor
    _, groups = torch.from_numpy(labels).long().unique(return_inverse=True)
    return groups


def silhouette(distances: Float[Tensor, "point point"], member: Int[Tensor, "point"]) -> float:
    """The mean silhouette of groups, from all distances; a point alone in its group counts 0.

    0 if all points are in one group, or each in its own.
    """
    _, member = member.unique(return_inverse=True)
    if not 2 <= int(member.max()) + 1 < len(member):
        return 0.0
    distances = distances.double().clone().fill_diagonal_(0)
    is_in = F.one_hot(member).double()
    sizes, sums = is_in.sum(0), distances @ is_in  # of each occurrence to each group
    own = sums.gather(1, member[:, None])[:, 0] / (sizes[member] - 1).clamp_min(1)
    nearest = (sums / sizes).masked_fill(is_in.bool(), torch.inf).amin(1)
    scores = ((nearest - own) / torch.maximum(nearest, own)).nan_to_num(0.0)
    return float(scores.where(sizes[member] > 1, 0).mean())
