"""Whether heads of two models are the same ones, before and after more training.

Training from scratch gives a head any number; more training moves its weights a little and leaves it in its
place. docs/numbers.md has the cosines of both (Cosine of a head's weights).
"""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models.base import Model
from explorer.models.language_model import LanguageModel

SAME = 0.5  # halfway between the two: far above chance, and below what fine-tuning leaves


def head_cosines(model: Model, other: Model, layer: int) -> Float[Tensor, "head"] | None:
    """The cosine between the weights of each head of a layer and those of its namesake in the other model.

    Above `SAME` the two are one head. None for another architecture or vocabulary, or a network elsewhere.
    """
    pair = [one for one in (model, other) if isinstance(one, LanguageModel)]
    if len(pair) < 2 or len({(type(one.network), one.config.layers) for one in pair}) > 1:
        return None
    first, second = (weights_of_heads(one, layer) for one in pair)
    vocabularies = [one.tokenizer.backend.get_vocab() for one in pair]
    if first.shape != second.shape or vocabularies[0] != vocabularies[1]:
        return None
    return torch.cosine_similarity(first, second, dim=-1)


def weights_of_heads(model: LanguageModel, layer: int) -> Float[Tensor, "head weight"]:
    """The weights of queries and outputs, which no head shares."""
    parameters = model.layer_parameters(layer)
    queries = parameters.query.weight.T.reshape(parameters.heads, -1)
    outputs = parameters.output.weight.reshape(parameters.heads, -1)
    return torch.cat([queries, outputs], -1).float().detach()
