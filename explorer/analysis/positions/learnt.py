"""Measures of tables of positions, computed or learnt: dot products by distance.

Wang and Chen, "What Do Position Embeddings Learn?" (EMNLP 2020), compare BERT's and GPT-2's in this way.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError, at_least_one
from explorer.locale import _
from explorer.models import LanguageModel


@dataclass(frozen=True, eq=False)
class ByDistance:
    """The dot products of all pairs of positions, grouped by the distance between the two.

    Entry d belongs to the pairs at distance d. If the product depends on the distance alone, the smallest
    and the largest are equal.
    """

    mean: Float[Tensor, "distance"]
    smallest: Float[Tensor, "distance"]
    largest: Float[Tensor, "distance"]


def learnt(model: LanguageModel, length: int | None = None) -> Float[Tensor, "pos d_model"]:
    """A model's learnt vectors of its first positions. Raises AbilityError if it has none.

    >>> learnt(explorer.load("bert"), length=20).shape
    torch.Size([20, 384])
    """
    at_least_one(length=length)
    positions = model.input_parameters().positions
    if positions is None:
        raise AbilityError(
            _(
                "{model} has no table of positions: they come into queries, keys or scores.",
                model=model.checkpoint,
            ),
            _("Choose BERT or GPT for a learnt table."),
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
