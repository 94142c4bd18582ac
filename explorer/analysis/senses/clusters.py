"""Groups of occurrences that nobody has named: k-means, with as many groups as the silhouette likes.

k-means (Lloyd 1982) from k-means++ starts (Arthur and Vassilvitskii 2007) on unit vectors. The
number of groups is the one with the widest mean silhouette (Rousseeuw 1987):

    s(i) = (b - a) / max(a, b)    a: mean distance to the own group, b: to the nearest other one

Every set of points has such groups, noise as well: near 0 the silhouette says that they are none.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.projection.methods import principal

MOST = 6
LEAST_SILHOUETTE = 0.08  # points drawn around one centre stay below it
RESTARTS, ROUNDS = 5, 30
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
    """The best of several runs of k-means: each point's group. Groups may be fewer than k."""
    generator = torch.Generator().manual_seed(seed)
    centres = _starts(points, k, generator)
    member = torch.zeros(RESTARTS, len(points), dtype=torch.long)
    for _ in range(ROUNDS):
        nearest = torch.cdist(points.expand(RESTARTS, -1, -1), centres).argmin(-1)
        if torch.equal(nearest, member):
            break
        member = nearest
        own = F.one_hot(member, k).float()
        count = own.sum(1)[:, :, None]
        means = own.transpose(1, 2) @ points / count.clamp(min=1)
        centres = torch.where(count > 0, means, centres)
    spread = (points - centres.gather(1, member[:, :, None].expand(-1, -1, points.shape[1]))).square()
    return member[spread.sum((1, 2)).argmin()].unique(return_inverse=True)[1]


def silhouette(apart: Float[Tensor, "point point"], member: Int[Tensor, "point"]) -> float:
    """The mean silhouette of groups, from all distances; a point alone in its group counts 0."""
    own = F.one_hot(member).float()
    if own.shape[1] < 2:
        return 0.0
    count = own.sum(0)
    sums = apart @ own
    size = count[member]
    inside = sums.gather(1, member[:, None])[:, 0] / (size - 1).clamp(min=1)
    outside = (sums / count).masked_fill(own.bool(), torch.inf).amin(1)
    score = (outside - inside) / torch.maximum(inside, outside).clamp(min=1e-12)
    return float(torch.where(size > 1, score, 0.0).mean())


def _starts(points: Tensor, k: int, generator: torch.Generator) -> Float[Tensor, "run group axis"]:
    """k-means++: every next centre is drawn with a chance that grows with the square of its distance."""
    chosen = points[torch.randint(len(points), (RESTARTS, 1), generator=generator)]
    while chosen.shape[1] < k:
        far = torch.cdist(points.expand(RESTARTS, -1, -1), chosen).amin(-1).square() + 1e-12
        chosen = torch.cat([chosen, points[torch.multinomial(far, 1, generator=generator)]], 1)
    return chosen
