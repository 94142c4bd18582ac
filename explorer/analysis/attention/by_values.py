"""Attention weighed by the values: how long the vectors are that a head brings from each token.

Kobayashi, Kuribayashi, Yokoi, Inui, "Attention is Not Only a Weight" (EMNLP 2020), section 3: a weight says
little where the vector that it multiplies is short, as that of [CLS] often is.
"""

from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attention.weights import attention_of
from explorer.models.language_model import LanguageModel
from explorer.trace import Trace


def norms(model: LanguageModel, trace: Trace) -> Float[Tensor, "layer head query_pos key_pos"]:
    """|a f(x)|: the length of what a query takes from a key, where f(x) = (x W_V + b_V) W_O is the head's.

    Raises AbilityError for a trace without attention, or a model whose weights are not here.
    """
    attention, lengths = attention_of(trace), []
    for layer, values in enumerate(attention.values):
        output = model.layer_parameters(layer).output.weight.detach().cpu().float()
        written = torch.einsum("h k d, h d m -> h k m", values, output.unflatten(0, values.shape[::2]))
        lengths.append(written.norm(dim=-1))
    return attention.pattern * torch.stack(lengths)[:, :, None]


def by_values(model: LanguageModel, trace: Trace) -> Trace:
    """The trace with these lengths, as shares, for weights: each row sums to 1. Raises as `norms`."""
    lengths = norms(model, trace)
    pattern = lengths / lengths.sum(-1, keepdim=True).clamp_min(1e-12)
    return replace(trace, attention=replace(attention_of(trace), pattern=pattern))
