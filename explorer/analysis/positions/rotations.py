"""Rotary positions: the angles, and how the score of a query and a key depends on their positions.

    score(p, q) = rotate(query, p) . rotate(key, q) / sqrt(d_head)  depends on the distance p - q alone

Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021), section 3.2.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.transformer import walk
from explorer.errors import AbilityError, at_least_one
from explorer.locale import _
from explorer.models import LanguageModel
from explorer.models.rotary import Rotary, Rotation, rotate


def rotary_of(model: LanguageModel, layer: int = 0) -> Rotary:
    """How a layer rotates its queries and keys. Raises AbilityError if it does not.

    >>> rotary_of(explorer.load("bert"))
    Traceback (most recent call last):
    ...
    explorer.errors.AbilityError: bert does not rotate queries and keys in layer 1...
    """
    rotary = model.layer_parameters(layer).rotary
    if rotary is None:
        raise AbilityError(
            _(
                "{model} does not rotate queries and keys in layer {layer}.",
                model=model.checkpoint,
                layer=layer + 1,
            ),
            _("Choose a model with rotary positions, such as Llama."),
        )
    return rotary


def angles(rotary: Rotary, length: int) -> Float[Tensor, "pos pair"]:
    """The angle in radians by which each pair of numbers is rotated at the first positions.

    >>> angles(Rotary(dims=4), length=3).tolist()  # the second pair rotates a hundred times more slowly
    [[0.0, 0.0], [1.0, 0.0099...], [2.0, 0.0199...]]
    """
    at_least_one(length=length)
    return torch.arange(length, dtype=torch.float64)[:, None] * rotary.frequencies().double()


def scores(
    query: Float[Tensor, "d_head"], key: Float[Tensor, "d_head"], rotary: Rotary, length: int
) -> Float[Tensor, "key_pos query_pos"]:
    """The scores of one query and one key at all pairs of positions.

    >>> result = scores(torch.ones(8), torch.ones(8), Rotary(dims=8), length=5)
    >>> result.diagonal(2).allclose(result[0, 2])  # all pairs at distance 2 have the same score
    True
    """
    turn = angles(rotary, length)
    rotation = Rotation(turn.cos() * rotary.stretch, turn.sin() * rotary.stretch)
    queries, keys = (rotate(each.double().expand(length, -1), rotation) for each in (query, key))
    return keys @ queries.T / math.sqrt(len(query))


def mean_query_and_key(
    model: LanguageModel, text: str, layer: int, head: int
) -> tuple[Float[Tensor, "d_head"], Float[Tensor, "d_head"]]:
    """A head's mean query and mean key before the rotation, over a text without its first token.

    Raises AbilityError if the model has no rotary positions.
    """
    rotary_of(model, layer)
    steps = walk(model, text, layer=layer, head=head)
    query, key = (steps.value(name)[1:].mean(0) for name in steps.step_giving("q_rot").takes[:2])
    return query, key
