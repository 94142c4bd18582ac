"""Texts as vectors, the mean of their tokens' states at every layer."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models.base import Model
from explorer.trace import Ability, Capture, captured


def means(model: Model, texts: Sequence[str]) -> Float[Tensor, "text depth d_model"]:
    """The mean hidden state of each text's tokens at every layer (0: the embedding), without special tokens.

    The mean is used because without fine-tuning no single token represents its sentence. Raises AbilityError
    for a model without hidden states.

    >>> means(explorer.load("bert"), ["We sat down.", "It rains."]).shape
    torch.Size([2, 7, 384])
    """
    model.require(Ability.CONTEXT, "compare sentences")
    vectors = []
    for trace in model.trace_many(texts, Capture.HIDDEN):
        own = ~trace.encoding.special
        vectors.append(captured(trace.hidden_states)[:, own].mean(1))
    return torch.stack(vectors)


def centre(vectors: Float[Tensor, "text *rest"]) -> Float[Tensor, "text *rest"]:
    """The vectors of a language minus their mean, which all its texts share.

    Much of the information about the language is in that mean (Libovický, Rosa and Fraser 2020, "On the
    Language Neutrality of Pre-trained Multilingual Representations").

    >>> centre(torch.tensor([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return vectors - vectors.mean(0)
