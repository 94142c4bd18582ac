"""Linear discriminant analysis: the plane that best separates known senses.

Fisher (1936), for several groups Rao (1948): directions w with the largest w^T B w / w^T S w, where B is the
covariance of the senses' means and S that within the senses, shrunk towards a sphere (Friedman 1989) because
there are more dimensions than dots:

    S = (1 - shrinkage) S_within + shrinkage * trace(S_within) / d_model * I

With so many dimensions such directions separate any groups, even meaningless ones. So every dot is placed by
a fit without it, and the same is done with shuffled senses for comparison.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

SHRINKAGE = 0.9  # of 0.1 to 0.999, the best leave-one-out accuracy on our own sentences
ROUNDING = 1e-6  # unit vectors in float32 that are the same may differ by as much
LEAST_SHARE = 0.01  # of all spread; senses that are narrower would fill the map with a hair's breadth
SHUFFLED = 2000  # dots placed with shuffled senses, in 2 to 20 shuffles: enough for a mean


@dataclass(frozen=True, eq=False)
class Discriminant:
    """Points in units of the (shrunk) standard deviation within a sense, and how far to trust them.

    The first `separating` axes separate the senses (at most senses - 1 of them); the others are the
    directions of largest variance among the rest. `accuracy` is the share of the `judged` dots that are
    nearest to their own sense's mean, each placed by a fit without it; `shuffled` is the mean of that over
    shuffled senses, and `shuffled_in_sample` the same with fits that include the dots they place.
    """

    coordinates: Float[Tensor, "occurrence axis"]
    accuracy: float
    shuffled: float
    shuffled_in_sample: float
    judged: int
    separating: int


@dataclass(frozen=True, eq=False)
class _Fits:
    """Several fits: the directions of each, and the senses' means along them."""

    directions: Float[Tensor, "fit span axis"]
    centre: Float[Tensor, "fit span"]
    means: Float[Tensor, "fit sense axis"]


@dataclass(frozen=True, eq=False)
class _Scatter:
    """Labelled points, rotated so that their scatter within the senses is diagonal."""

    points: Float[Tensor, "point span"]
    label: Int[Tensor, "point"]
    means: Float[Tensor, "sense span"]
    counts: Float[Tensor, "sense"]
    within: Float[Tensor, "span"]
    turn: Float[Tensor, "span span"]

    @property
    def spread(self) -> float:
        """The sum of squared distances from 0, the points' centre: within the senses and between them."""
        return float(self.points.square().sum())


def discriminant(
    vectors: Float[Tensor, "occurrence d_model"],
    senses: Sequence[str | None],
    axes: int = 2,
    shrinkage: float = SHRINKAGE,
    shuffles: int | None = None,
    seed: int = 0,
) -> Discriminant | None:
    """Leave-one-out LDA projection of unit vectors that best separates the senses.

    A sense counts if it has two examples; all other occurrences are placed by the fit to these. None if fewer
    than two senses count.
    """
    names = separable(senses)
    if len(names) < 2:
        return None
    label = torch.tensor([names.index(s) if s in names else -1 for s in senses])
    labelled = label >= 0
    unit = F.normalize(vectors.double(), dim=-1)
    centred = unit - unit[labelled].mean(0)
    # Everything is computed in the span of the labelled vectors, which are fewer than the dimensions: outside
    # of it the shrunk scatter is a sphere and the means do not differ.
    _, sizes, basis = torch.linalg.svd(centred[labelled], full_matrices=False)
    basis = basis[sizes > ROUNDING * max(1.0, float(sizes[0]))]
    points, d_model = centred @ basis.T, unit.shape[1]
    if len(basis) == 0:  # all vectors are the same
        return Discriminant(torch.zeros(len(unit), axes), 0.0, 0.0, 0.0, int(labelled.sum()), len(names) - 1)

    scatter = _scatter(points[labelled], label[labelled], len(names))
    whole = _fit(scatter, shrinkage, d_model)
    placed = torch.empty(len(unit), len(names) - 1, dtype=torch.float64)
    placed[labelled], guesses = _leave_one_out(scatter, whole, shrinkage, d_model)
    placed[~labelled] = _place(points[~labelled] @ scatter.turn, whole)
    rest = _rest(points @ scatter.turn, labelled, scatter, whole, shrinkage, d_model, axes - placed.shape[1])

    if shuffles is None:
        shuffles = min(max(SHUFFLED // int(labelled.sum()), 2), 20)
    generator = torch.Generator().manual_seed(seed)
    left_out, in_sample = [], []
    for _ in range(shuffles):
        mixed = label[labelled][torch.randperm(int(labelled.sum()), generator=generator)]
        other = _scatter(points[labelled], mixed, len(names))
        fit = _fit(other, shrinkage, d_model)
        left_out.append(float((_leave_one_out(other, fit, shrinkage, d_model)[1] == mixed).double().mean()))
        in_sample_guesses = torch.cdist(_place(other.points, fit), fit.means[0]).argmin(1)
        in_sample.append(float((in_sample_guesses == mixed).double().mean()))
    return Discriminant(
        coordinates=torch.cat([placed[:, :axes], rest], 1).float(),
        accuracy=float((guesses == label[labelled]).double().mean()),
        shuffled=sum(left_out) / max(shuffles, 1),
        shuffled_in_sample=sum(in_sample) / max(shuffles, 1),
        judged=int(labelled.sum()),
        separating=min(axes, placed.shape[1]),
    )


def separable(senses: Sequence[str | None]) -> list[str]:
    """The senses with two examples or more, in the order in which they appear."""
    return [s for s in dict.fromkeys(senses) if s and list(senses).count(s) > 1]


def _scatter(points: Tensor, label: Tensor, senses: int) -> _Scatter:
    member = F.one_hot(label, senses).to(points)
    counts = member.sum(0)
    means = (member.T @ points) / counts[:, None]
    residuals = points - means[label]
    within, turn = torch.linalg.eigh(residuals.T @ residuals)
    return _Scatter(points @ turn, label, means @ turn, counts, within.clamp(min=0), turn)


def _fit(scatter: _Scatter, shrinkage: float, d_model: int) -> _Fits:
    zero = scatter.points.new_zeros(1, scatter.points.shape[1])
    return _directions(
        scatter, scatter.means[None], scatter.counts[None], zero, zero.new_zeros(1), shrinkage, d_model
    )


# Not scikit-learn's LDA with cross_val_predict: refitted without each dot, and that 20 times with shuffled
# senses, all layers of 56 dots would take 30 s instead of 0.2 s.
def _leave_one_out(
    scatter: _Scatter, whole: _Fits, shrinkage: float, d_model: int
) -> tuple[Float[Tensor, "point axis"], Int[Tensor, "point"]]:
    """Every point, placed by the fit to all others, and the sense with the nearest mean there.

    Each fit has axes of its own: they are rotated onto those of the fit to all points (orthogonal Procrustes
    on the senses' means), which keeps all distances.
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
    """Discriminant directions w with w^T S w = 1, for each fit without a point of its own.

    Removing a point from a sense of n changes the scatter by - n/(n-1) u u^T, where u is the point minus the
    sense's mean: one matrix is inverted, and all others follow by the Sherman-Morrison formula. The largest
    eigenvectors of S^-1 B come from a matrix no larger than the number of senses.
    """
    total = counts.sum(1, keepdim=True)
    centre = (counts[:, :, None] * means).sum(1) / total
    between = (counts / total).sqrt()[:, :, None] * (means - centre[:, None])  # B = between^T between
    trace = scatter.within.sum() - weight * away.square().sum(1)
    # Where all spread within the senses is that of the point left out, none remains: 0/0 without a least.
    ball = (shrinkage * trace.clamp(min=LEAST_SHARE * scatter.spread) / d_model)[:, None] / total
    diagonal = ball + (1 - shrinkage) / total * scatter.within
    removed = (1 - shrinkage) / total[:, 0] * weight
    tilted = away / diagonal
    gain = removed / (1 - removed * (away * tilted).sum(1))
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
    points: Tensor,
    labelled: Tensor,
    scatter: _Scatter,
    whole: _Fits,
    shrinkage: float,
    d_model: int,
    axes: int,
) -> Float[Tensor, "point axis"]:
    """The widest directions, in the same units, along which the senses' means do not differ."""
    if axes < 1:
        return points.new_empty(len(points), 0)
    total = scatter.counts.sum()
    sphere = shrinkage * max(float(scatter.within.sum()), LEAST_SHARE * scatter.spread) / d_model / total
    scale = (sphere + (1 - shrinkage) / total * scatter.within).sqrt()
    white, across = (points - whole.centre[0]) / scale, whole.directions[0] * scale[:, None]
    left = white - (white @ across) @ across.T
    _, _, wide = torch.linalg.svd(left[labelled], full_matrices=False)
    scores = left @ wide[:axes].T
    return F.pad(scores, (0, axes - scores.shape[1]))
