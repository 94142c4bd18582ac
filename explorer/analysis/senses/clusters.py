"""Groups of occurrences that nobody has named: k-means, as many as give the highest silhouette.

scikit-learn's k-means on unit vectors. The number of groups is the one with the highest mean
silhouette (Rousseeuw 1987):

    s(i) = (b - a) / max(a, b)    a: mean distance to the own group, b: to the nearest other one

k-means finds groups in any set of points, in noise as well: there the silhouette is near 0.
scikit-learn takes 1.5 to 3 s to import, so it is imported when groups are first asked for.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.projection.methods import principal

MOST = 6
LEAST_SILHOUETTE = 0.08  # points drawn around one centre stay below it
RESTARTS = 10
DIRECTIONS = 50  # k-means looks at this many principal directions


@dataclass(frozen=True, eq=False)
class Groups:
    """A group for each occurrence, numbered from 0, the largest first; and their mean silhouette."""

    member: list[int]
    silhouette: float

    @property
    def count(self) -> int:
        """How many groups there are."""
        return max(self.member) + 1


def groups(vectors: Float[Tensor, "occurrence d_model"], most: int = MOST, seed: int = 0) -> Groups | None:
    """The groups that unit vectors fall into, 2 to `most`; None where none stand out.

    The same input gives the same groups.
    """
    unit = F.normalize(vectors.float(), dim=-1)
    if len(unit) < 4:
        return None
    points, _ = principal(unit, DIRECTIONS)
    apart = torch.cdist(unit, unit)
    found = [kmeans(points, k, seed) for k in range(2, min(most, len(unit) - 1) + 1)]
    best = max(found, key=lambda member: silhouette(apart, member))
    merit = silhouette(apart, best)
    if merit < LEAST_SILHOUETTE:
        return None
    sizes = torch.bincount(best)
    order = sorted(range(len(sizes)), key=lambda g: (-int(sizes[g]), int((best == g).nonzero()[0])))
    return Groups([order.index(g) for g in best.tolist()], merit)


def kmeans(points: Float[Tensor, "point axis"], k: int, seed: int = 0) -> Int[Tensor, "point"]:
    """The best of several runs of k-means: each point's group, numbered from 0.

    There are fewer than k groups where fewer points differ.
    """
    from sklearn.cluster import KMeans

    from explorer.analysis.one_thread import one_thread

    distinct = len(points.round(decimals=5).unique(dim=0))  # equal but for rounding is equal
    fit = KMeans(min(k, distinct), n_init=RESTARTS, random_state=seed)
    with one_thread():
        found = fit.fit_predict(points.numpy())
    groups: Tensor
    _, groups = torch.from_numpy(found).long().unique(return_inverse=True)
    return groups


def silhouette(apart: Float[Tensor, "point point"], member: Int[Tensor, "point"]) -> float:
    """The mean silhouette of groups, from all distances; a point alone in its group counts 0.

    0 where all points are in one group, or each in its own.
    """
    from sklearn.metrics import silhouette_score

    if not 2 <= len(member.unique()) < len(member):
        return 0.0
    apart = apart.clone().fill_diagonal_(0)  # rounding leaves more than 0 there, which is refused
    return float(silhouette_score(apart.numpy(), member.numpy(), metric="precomputed"))
