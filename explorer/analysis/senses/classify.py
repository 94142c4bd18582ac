"""Nearest-centroid classification of a new occurrence among occurrences with known senses."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class SenseCosine:
    """A vector's cosine to the mean of the unit vectors of a sense.

    The sense has `size` occurrences; `farther` of them are farther from the mean of the others than the
    vector is from the mean of all. If `farther` is 0, the vector is an outlier of the sense.
    """

    sense: str
    cosine: float
    farther: int
    size: int


@dataclass(frozen=True)
class Classification:
    """The senses, nearest first, and the occurrences, nearest first, with their cosines."""

    senses: list[SenseCosine]
    occurrences: list[tuple[int, float]]

    @property
    def margin(self) -> float | None:
        """The cosine to the nearest sense minus that to the second; None if there is only one."""
        return self.senses[0].cosine - self.senses[1].cosine if len(self.senses) > 1 else None


def classify(
    new: Float[Tensor, "d_model"], vectors: Float[Tensor, "occurrence d_model"], senses: Sequence[str | None]
) -> Classification:
    """The senses by the cosine of a vector to their means, and the occurrences by its cosine to each.

    For an occurrence of the sense itself, the mean is that of the others (see `SenseCosine.farther`).
    """
    unit, new_unit = F.normalize(vectors.float(), dim=-1), F.normalize(new.float(), dim=-1)
    cosines_to_senses = []
    for sense in dict.fromkeys(filter(None, senses)):
        own = unit[[i for i, s in enumerate(senses) if s == sense]]
        whole = own.sum(0)
        cosine = float(F.cosine_similarity(new_unit, whole, dim=0))
        others = F.cosine_similarity(own, whole - own, dim=-1) if len(own) > 1 else own.new_empty(0)
        cosines_to_senses.append(SenseCosine(sense, cosine, int((others < cosine).sum()), len(own)))
    cosines = (unit @ new_unit).tolist()
    order = sorted(range(len(cosines)), key=lambda i: (-round(cosines[i], 6), i))
    return Classification(
        sorted(cosines_to_senses, key=lambda n: -n.cosine), [(i, cosines[i]) for i in order]
    )


def share_shown(
    new: Float[Tensor, "d_model"], vectors: Float[Tensor, "occurrence d_model"], place: Float[Tensor, "axis"]
) -> float:
    """The share of a vector's squared distance from the others' mean that their map can show.

    `place` is the vector's place on the map (see `place_on_map`). The map shows only directions in which the
    others differ, so a vector far from all of them may appear among them.
    """
    unit, new_unit = F.normalize(vectors.float(), dim=-1), F.normalize(new.float(), dim=-1)
    whole = float((new_unit - unit.mean(0)).square().sum())
    return min(float(place.square().sum()) / whole, 1.0) if whole > 1e-9 else 1.0


def place_on_map(
    new: Float[Tensor, "d_model"],
    vectors: Float[Tensor, "occurrence d_model"],
    coordinates: Float[Tensor, "occurrence axis"],
) -> Float[Tensor, "axis"]:
    """The place of a vector on a PCA map of others.

    The map is X V for the centred unit vectors X; V = X^+ (X V), and the new place is (u - mean) V.
    """
    unit, new_unit = F.normalize(vectors.double(), dim=-1), F.normalize(new.double(), dim=-1)
    centred = unit - unit.mean(0)
    axes: Tensor = torch.linalg.pinv(centred, rtol=1e-6) @ coordinates.double()
    return ((new_unit - unit.mean(0)) @ axes).float()
