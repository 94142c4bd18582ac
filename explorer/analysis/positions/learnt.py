"""Measures of tables of positions, computed or learnt: dot products and principal components.

Wang and Chen, "What Do Position Embeddings Learn?" (EMNLP 2020), compare BERT's and GPT-2's in this way.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError, at_least_one
from explorer.models import LanguageModel


@dataclass(frozen=True, eq=False)
class ByDistance:
    """The dot products of all pairs of positions, grouped by the distance between the two.

    Entry d belongs to the pairs at distance d. If the product depends on the distance alone, the smallest
    and the largest are equal.

    >>> from explorer.analysis.positions.sinusoids import table
    >>> result = by_distance(products(table(10, 8)))
    >>> result.mean.shape, result.largest.allclose(result.smallest)  # the distance alone counts
    (torch.Size([10]), True)
    """

    mean: Float[Tensor, "distance"]
    smallest: Float[Tensor, "distance"]
    largest: Float[Tensor, "distance"]


@dataclass(frozen=True, eq=False)
class Directions:
    """A table's principal components: the coordinate of each position, and the shares of the variance.

    >>> from explorer.analysis.positions.sinusoids import table
    >>> result = directions(table(64, 16), count=2)
    >>> result.along.shape, bool(result.shares[0] >= result.shares[1])
    (torch.Size([2, 64]), True)
    """

    along: Float[Tensor, "direction pos"]
    shares: Float[Tensor, "direction"]


def learnt(model: LanguageModel, length: int | None = None) -> Float[Tensor, "pos d_model"]:
    """A model's learnt vectors of its first positions. Raises AbilityError if it has none.

    >>> import explorer
    >>> learnt(explorer.load("bert"), length=20).shape
    torch.Size([20, 384])
    """
    at_least_one(length=length)
    positions = model.input_parameters().positions
    if positions is None:
        raise AbilityError(
            f"{model.checkpoint} has no table of positions: it rotates queries and keys instead.",
            "Choose BERT or GPT for a learnt table.",
        )
    return positions.detach()[:length].double().cpu()


def products(vectors: Float[Tensor, "pos width"], unit: bool = False) -> Float[Tensor, "pos pos"]:
    """The dot products of all pairs of positions; with `unit`, their cosines.

    >>> products(torch.tensor([[3.0, 4.0], [4.0, -3.0]])).tolist()  # both of length 5, at a right angle
    [[25.0, 0.0], [0.0, 25.0]]
    """
    if unit:
        vectors = F.normalize(vectors, dim=1)
    return vectors @ vectors.T


def by_distance(products: Float[Tensor, "pos pos"]) -> ByDistance:
    """The mean, smallest and largest product at each distance, 0 to length - 1.

    >>> by_distance(torch.tensor([[9.0, 1.0], [1.0, 5.0]])).mean.tolist()
    [7.0, 1.0]
    """
    lines = [products.diagonal(distance) for distance in range(len(products))]
    return ByDistance(
        *(torch.stack([reduce(line) for line in lines]) for reduce in (torch.mean, torch.amin, torch.amax))
    )


def directions(vectors: Float[Tensor, "pos width"], count: int = 3, unit: bool = False) -> Directions:
    """Principal components of a table: the directions in which its positions differ most.

    With `unit` the vectors are first scaled to length 1, so that a single long one does not dominate. The
    sign of a direction is arbitrary; its largest value is made positive.

    >>> result = directions(torch.tensor([[0.0, 1.0], [1.0, 1.0], [5.0, 1.0]]), count=1)
    >>> result.along.round(decimals=3).tolist(), result.shares.round(decimals=3).tolist()
    ([[-2.0, -1.0, 3.0]], [1.0])
    """
    at_least_one(count=count)
    if unit:
        vectors = F.normalize(vectors, dim=1)
    centred = vectors - vectors.mean(0)
    u, s, _ = torch.linalg.svd(centred, full_matrices=False)
    along = (u[:, :count] * s[:count]).T
    furthest = along.gather(1, along.abs().argmax(1, keepdim=True))
    total = s.square().sum().clamp_min(1e-30)
    return Directions(along * furthest.sign(), s[:count].square() / total)
