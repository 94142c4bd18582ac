"""Linear discriminant analysis: the plane in which known senses lie farthest apart.

Fisher (1936), for several groups Rao (1948): directions w with the largest w^T B w / w^T S w, where
B is the covariance of the senses' means and S that within the senses, shrunk towards a sphere
(Friedman 1989) because there are more dimensions than dots:

    S = (1 - shrinkage) S_within + shrinkage * trace(S_within) / d_model * I

With as many dimensions such directions part any groups, meaningless ones too. So every dot is
placed by a fit that has not seen it, and the same is done to shuffled senses for comparison.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

SHRINKAGE = 0.9  # of 0.1 to 0.999, what places the library's sentences best when they are left out
SHUFFLED = 2000  # dots placed with shuffled senses, in 2 to 20 shuffles: the mean needs no more


@dataclass(frozen=True, eq=False)
class Discriminant:
    """Points in units of the (shrunk) standard deviation within a sense, and how far to trust them.

    The first `separating` axes part the senses (senses - 1 of them at most); the others are where
    the dots spread most apart from that. `accuracy` is the share of the `judged` dots that land
    nearest their own sense's mean, each left out of its fit; `shuffled` is the mean of the same over
    shuffled senses, and `shuffled_in_sample` what these reach where a fit includes the dots it places.
    """

    coordinates: Float[Tensor, "occurrence axis"]
    accuracy: float
    shuffled: float
    shuffled_in_sample: float
    judged: int
    separating: int


@dataclass(frozen=True, eq=False)
class _Fits:
    """Fits side by side: the directions that each found, and the senses' means along them."""

    directions: Float[Tensor, "fit span axis"]
    centre: Float[Tensor, "fit span"]
    means: Float[Tensor, "fit sense axis"]


@dataclass(frozen=True, eq=False)
class _Scatter:
    """Labelled points, turned so that their scatter within the senses is diagonal."""

    points: Float[Tensor, "point span"]
    label: Int[Tensor, "point"]
    means: Float[Tensor, "sense span"]
    counts: Float[Tensor, "sense"]
    within: Float[Tensor, "span"]
    turn: Float[Tensor, "span span"]


def discriminant(
    vectors: Float[Tensor, "occurrence d_model"],
    senses: Sequence[str | None],
    axes: int = 2,
    shrinkage: float = SHRINKAGE,
    shuffles: int | None = None,
    seed: int = 0,
) -> Discriminant | None:
    """The picture of unit vectors that parts their senses most, each dot left out of its own fit.

    A sense needs two examples to be one; occurrences of others, or of none, are placed by the fit
    to the rest. None with fewer than two senses.
    """
    names = separable(senses)
    if len(names) < 2:
        return None
    label = torch.tensor([names.index(s) if s in names else -1 for s in senses])
    known = label >= 0
    unit = F.normalize(vectors.double(), dim=-1)
    centred = unit - unit[known].mean(0)
    # All that happens, happens in the span of the labelled vectors: there are fewer of them than
    # dimensions, and outside of it the shrunk scatter is a sphere and the means do not differ.
    _, sizes, basis = torch.linalg.svd(centred[known], full_matrices=False)
    basis = basis[sizes > 1e-9 * max(1.0, float(sizes[0]))]
    points, d_model = centred @ basis.T, unit.shape[1]
    if len(basis) == 0:  # all vectors are the same
        return Discriminant(torch.zeros(len(unit), axes), 0.0, 0.0, 0.0, int(known.sum()), len(names) - 1)

    scatter = _scatter(points[known], label[known], len(names))
    whole = _fit(scatter, shrinkage, d_model)
    placed = torch.empty(len(unit), len(names) - 1, dtype=torch.float64)
    placed[known], guesses = _left_out(scatter, whole, shrinkage, d_model)
    placed[~known] = _place(points[~known] @ scatter.turn, whole)
    rest = _rest(points @ scatter.turn, known, scatter, whole, shrinkage, d_model, axes - placed.shape[1])

    if shuffles is None:
        shuffles = min(max(SHUFFLED // int(known.sum()), 2), 20)
    generator = torch.Generator().manual_seed(seed)
    apart, together = [], []
    for _ in range(shuffles):
        mixed = label[known][torch.randperm(int(known.sum()), generator=generator)]
        other = _scatter(points[known], mixed, len(names))
        fit = _fit(other, shrinkage, d_model)
        apart.append(float((_left_out(other, fit, shrinkage, d_model)[1] == mixed).double().mean()))
        seen = torch.cdist(_place(other.points, fit), fit.means[0]).argmin(1)
        together.append(float((seen == mixed).double().mean()))
    return Discriminant(
        coordinates=torch.cat([placed[:, :axes], rest], 1).float(),
        accuracy=float((guesses == label[known]).double().mean()),
        shuffled=sum(apart) / max(shuffles, 1),
        shuffled_in_sample=sum(together) / max(shuffles, 1),
        judged=int(known.sum()),
        separating=min(axes, placed.shape[1]),
    )


def separable(senses: Sequence[str | None]) -> list[str]:
    """The senses with two examples or more, in the order in which they appear."""
    return [s for s in dict.fromkeys(senses) if s and sum(s == other for other in senses) > 1]


def _scatter(points: Tensor, label: Tensor, senses: int) -> _Scatter:
    member = F.one_hot(label, senses).to(points)
    counts = member.sum(0)
    means = (member.T @ points) / counts[:, None]
    residuals = points - means[label]
    within, turn = torch.linalg.eigh(residuals.T @ residuals)
    return _Scatter(points @ turn, label, means @ turn, counts, within.clamp(min=0), turn)


def _fit(scatter: _Scatter, shrinkage: float, d_model: int) -> _Fits:
    """One fit to all points."""
    nothing = scatter.points.new_zeros(1, scatter.points.shape[1])
    return _directions(
        scatter, scatter.means[None], scatter.counts[None], nothing, nothing.new_zeros(1), shrinkage, d_model
    )


# Not scikit-learn's LDA under cross_val_predict: fitted anew without each dot, and 20 times over with
# shuffled senses, all layers of 12 dots take 5 s and of 56 dots 30 s; so they take 0.1 s and 0.2 s.
def _left_out(
    scatter: _Scatter, whole: _Fits, shrinkage: float, d_model: int
) -> tuple[Float[Tensor, "point axis"], Int[Tensor, "point"]]:
    """Every point, placed by the fit to all others, and the sense whose mean is nearest to it there.

    Each fit finds axes of its own: they are turned to lie on those of the fit to all points
    (orthogonal Procrustes on the senses' means), which keeps all distances.
    """
    own = F.one_hot(scatter.label, len(scatter.counts)).to(scatter.points)
    size = scatter.counts[scatter.label]
    away = scatter.points - scatter.means[scatter.label]
    means = scatter.means[None] - own[:, :, None] * (away / (size - 1)[:, None])[:, None, :]
    fits = _directions(
        scatter, means, scatter.counts[None] - own, away, size / (size - 1), shrinkage, d_model
    )
    placed = torch.einsum("ps,psk->pk", scatter.points - fits.centre, fits.directions)
    guesses = torch.cdist(placed[:, None], fits.means)[:, 0].argmin(1)
    left, _, right = torch.linalg.svd(fits.means.transpose(1, 2) @ whole.means)
    return torch.einsum("pk,pkj->pj", placed, left @ right), guesses


def _directions(
    scatter: _Scatter,
    means: Float[Tensor, "fit sense span"],
    counts: Float[Tensor, "fit sense"],
    away: Float[Tensor, "fit span"],
    weight: Float[Tensor, "fit"],
    shrinkage: float,
    d_model: int,
) -> _Fits:
    """Discriminant directions w with w^T S w = 1, where a point may have been taken out of S.

    Taking a point out of a sense of n changes the scatter by - n/(n-1) u u^T, u being the point
    minus the sense's mean: one matrix is inverted, and all others follow by Sherman and Morrison.
    The largest eigenvectors of S^-1 B come from a matrix no larger than the number of senses.
    """
    total = counts.sum(1, keepdim=True)
    centre = (counts[:, :, None] * means).sum(1) / total
    between = (counts / total).sqrt()[:, :, None] * (means - centre[:, None])  # B = between^T between
    trace = scatter.within.sum() - weight * away.square().sum(1)
    ball = (shrinkage * trace / d_model)[:, None] / total
    diagonal = ball + (1 - shrinkage) / total * scatter.within
    diagonal = diagonal.clamp(min=1e-12)
    taken = (1 - shrinkage) / total[:, 0] * weight
    tilted = away / diagonal
    gain = taken / (1 - taken * (away * tilted).sum(1))
    along = torch.einsum("fks,fs->fk", between, tilted)
    solved = between / diagonal[:, None] + (gain[:, None] * along)[:, :, None] * tilted[:, None]
    strength, vectors = torch.linalg.eigh(between @ solved.transpose(1, 2))
    strength, vectors = strength.flip(-1)[:, :-1], vectors.flip(-1)[:, :, :-1]
    directions = torch.einsum("fks,fkj->fsj", solved, vectors)
    directions = directions / strength.clamp(min=1e-18).sqrt()[:, None]
    return _Fits(directions, centre, (means - centre[:, None]) @ directions)


def _place(points: Tensor, fit: _Fits) -> Float[Tensor, "point axis"]:
    return (points - fit.centre[0]) @ fit.directions[0]


def _rest(
    points: Tensor, known: Tensor, scatter: _Scatter, whole: _Fits, shrinkage: float, d_model: int, axes: int
) -> Float[Tensor, "point axis"]:
    """The widest directions, in the same units, along which the senses' means do not differ at all."""
    if axes < 1:
        return points.new_empty(len(points), 0)
    total = scatter.counts.sum()
    sphere = shrinkage * scatter.within.sum() / d_model / total
    scale = (sphere + (1 - shrinkage) / total * scatter.within).clamp(min=1e-12).sqrt()
    white, across = (points - whole.centre[0]) / scale, whole.directions[0] * scale[:, None]
    left = white - (white @ across) @ across.T
    _, _, wide = torch.linalg.svd(left[known], full_matrices=False)
    found = left @ wide[:axes].T
    return F.pad(found, (0, axes - found.shape[1]))
