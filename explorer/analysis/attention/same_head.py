"""Whether two models are one before and after more training, so that their heads correspond by number.

Training from scratch gives a head any number: nothing but chance decides which head learns what. More training of
the same model moves each weight a little and leaves the heads where they are. So if two models of one architecture
and one vocabulary have heads whose weights point the same way, one was made from the other.

The cosine of two heads' weights is near 0 for separate trainings: of n independent numbers it has a standard
deviation of 1 / sqrt(n), and any two different heads of a layer of the bundled BERT, GPT and ELECTRA have 0.04 at
most. After the fine-tuning of the six ready heads no head of BERT has less than 0.96.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.models.parameters import Unfolds

SAME = 0.5  # halfway between the two: far above chance, and below what fine-tuning leaves


def head_cosines(model: Model, other: Model) -> Float[Tensor, "layer head"] | None:
    """The cosine between the weights of each head and of its namesake: those of its queries and of its output.

    None if the two differ in architecture or vocabulary, or if a network is on another machine.

    >>> import explorer
    >>> bert = explorer.load("bert")
    >>> head_cosines(bert, bert).shape, head_cosines(bert, explorer.load("bert-mini"))
    (torch.Size([6, 6]), None)
    """
    if not (isinstance(model, LanguageModel) and isinstance(other, LanguageModel)):
        return None
    if not (isinstance(model.network, Unfolds) and isinstance(other.network, Unfolds)):
        return None
    if type(model.network) is not type(other.network) or model.config.layers != other.config.layers:
        return None
    if model.tokenizer.backend.get_vocab() != other.tokenizer.backend.get_vocab():
        return None
    rows = []
    for layer in range(model.config.layers):
        first, second = _weights(model, layer), _weights(other, layer)
        if first.shape != second.shape:
            return None
        rows.append(torch.cosine_similarity(first, second, dim=-1))
    return torch.stack(rows)


def are_same(cosines: Float[Tensor, "layer head"] | None) -> bool:
    """Whether these heads are the same ones, before and after more training.

    >>> are_same(torch.tensor([[0.98, 0.91]])), are_same(torch.tensor([[0.98, -0.01]])), are_same(None)
    (True, False, False)
    """
    return cosines is not None and float(cosines.min()) > SAME


def _weights(model: LanguageModel, layer: int) -> Float[Tensor, "head weight"]:
    """The weights of a layer's heads that belong to one head alone, however many share keys and values."""
    parameters = model.layer_parameters(layer)
    queries = parameters.query.weight.T.reshape(parameters.heads, -1)
    outputs = parameters.output.weight.reshape(parameters.heads, -1)
    return torch.cat([queries, outputs], -1).float()
