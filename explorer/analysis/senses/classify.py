"""Where one more occurrence of a word belongs among occurrences whose sense is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Near:
    """How near something is to a sense: its cosine to the mean of the sense's unit vectors.

    Of the `size` occurrences that the sense has, `farther` lie farther from the mean of the others.
    With none of them farther, it is an outsider to the sense, nearest or not.
    """

    sense: str
    cosine: float
    farther: int
    size: int


@dataclass(frozen=True)
class Placement:
    """The senses, nearest first, and the occurrences, nearest first, with their cosines."""

    senses: list[Near]
    occurrences: list[tuple[int, float]]

    @property
    def margin(self) -> float | None:
        """By how much the nearest sense is nearer than the next; None where there is no next."""
        return self.senses[0].cosine - self.senses[1].cosine if len(self.senses) > 1 else None


def place(
    new: Float[Tensor, "d_model"],
    vectors: Float[Tensor, "occurrence d_model"],
    senses: Sequence[str | None],
) -> Placement:
    """The senses and the occurrences that a vector lies nearest to, by cosine.

    cos(new, mean of the unit vectors of a sense), for each of its own the mean of the others
    """
    unit, one = F.normalize(vectors.float(), dim=-1), F.normalize(new.float(), dim=-1)
    near = []
    for sense in dict.fromkeys(filter(None, senses)):
        own = unit[[i for i, s in enumerate(senses) if s == sense]]
        whole = own.sum(0)
        cosine = float(F.cosine_similarity(one, whole, dim=0))
        others = F.cosine_similarity(own, whole - own, dim=-1) if len(own) > 1 else own.new_empty(0)
        near.append(Near(sense, cosine, int((others < cosine).sum()), len(own)))
    cosines = (unit @ one).tolist()
    order = sorted(range(len(cosines)), key=lambda i: (-round(cosines[i], 6), i))
    return Placement(sorted(near, key=lambda n: -n.cosine), [(i, cosines[i]) for i in order])


def shown(
    new: Float[Tensor, "d_model"],
    vectors: Float[Tensor, "occurrence d_model"],
    place: Float[Tensor, "axis"],
) -> float:
    """The share of a vector's squared distance from the others' mean that its place on their picture keeps.

    What it has that none of the others has lies off their plane: a far vector may fall among them.
    """
    unit, one = F.normalize(vectors.float(), dim=-1), F.normalize(new.float(), dim=-1)
    whole = float((one - unit.mean(0)).square().sum())
    return min(float(place.square().sum()) / whole, 1.0) if whole > 1e-9 else 1.0


def drop(
    new: Float[Tensor, "d_model"],
    vectors: Float[Tensor, "occurrence d_model"],
    coordinates: Float[Tensor, "occurrence axis"],
) -> Float[Tensor, "axis"]:
    """Where a vector falls on a picture that PCA has made of others, which all stay where they are.

    The picture is X V for the centred unit vectors X; V = X^+ (X V), and the new place is (u - mean) V.
    """
    unit, one = F.normalize(vectors.double(), dim=-1), F.normalize(new.double(), dim=-1)
    centred = unit - unit.mean(0)
    return ((one - unit.mean(0)) @ torch.linalg.pinv(centred, rtol=1e-6) @ coordinates.double()).float()
