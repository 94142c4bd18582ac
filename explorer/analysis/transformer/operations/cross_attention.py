"""Cross-attention: a decoder's queries read the vectors of the encoder's last layer."""

from dataclasses import replace

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.transformer.operation import operation
from explorer.analysis.transformer.operations.attention import (
    attention_scores,
    output_projection,
    softmax,
    weighted_sum,
)
from explorer.analysis.transformer.operations.shapes import Head, Matrix, Vector, Vectors
from explorer.analysis.transformer.rules import last_of_encoder, linear, number_of_a_head
from explorer.locale import N_

Source = Float[Tensor, "source_pos d_head"]


cross_scores = replace(
    attention_scores,
    title=N_("Cross: scores"),
    caption=N_("Each query times each key of the source, divided by √d. All of the source may be read."),
)
cross_softmax = replace(
    softmax,
    title=N_("Cross: softmax"),
    caption=N_("Each row becomes weights that add up to 1, over the tokens of the source."),
)
cross_weighted_sum = replace(
    weighted_sum,
    title=N_("Cross: weighted sum"),
    caption=N_("Each written token adds up the values of the source’s tokens, weighted by attention."),
)
cross_output_projection = replace(
    output_projection,
    title=N_("Cross: mix the heads"),
    caption=N_("As after self-attention, a learnt matrix mixes what the heads give."),
)


@operation(
    title=N_("Cross: query, key, value"),
    formula="{q} = {x} {W_Q} + {b_Q}\n{k} = {m} {W_K} + {b_K}\n{v} = {m} {W_V} + {b_V}",
    caption=N_("The queries come from what is written, keys and values from the encoder’s last layer."),
    figure=("x @ W_Q = q", "m @ W_K = k", "m @ W_V = v"),
    causes={
        "m": last_of_encoder,
        "q": linear("x", "W_Q", "b_Q", "part"),
        "k": linear("m", "W_K", "b_K", "part"),
        "v": linear("m", "W_V", "b_V", "part"),
    },
)
def cross_query_key_value(
    x: Vectors,
    encoder_states: Float[Tensor, "depth source_pos d_model"],
    W_Q: Matrix,
    b_Q: Vector,
    W_K: Matrix,
    b_K: Vector,
    W_V: Matrix,
    b_V: Vector,
    part: slice,
) -> tuple[Float[Tensor, "source_pos d_model"], Head, Source, Source]:
    """One head's queries from the decoder's vectors, its keys and values from the encoder's last layer."""
    m = encoder_states[-1]
    q = x @ W_Q[:, part] + b_Q[part]
    k = m @ W_K[:, part] + b_K[part]
    v = m @ W_V[:, part] + b_V[part]
    return m, q, k, v


@operation(
    title=N_("Cross: join all heads"),
    formula="{z} = [O_{{c1}}  O_{{c2}}  …]",
    caption=N_("All {heads} heads read the source, each with its own matrices."),
    figure=("z",),
    causes={"z": number_of_a_head("cross_out")},
)
def all_cross_heads(
    x: Vectors,
    m: Float[Tensor, "source_pos d_model"],
    W_Q: Matrix,
    b_Q: Vector,
    W_K: Matrix,
    b_K: Vector,
    W_V: Matrix,
    b_V: Vector,
    n: int,
    heads: int,
    d_head: int,
    d_model: int,
) -> Vectors:
    """Attention to the source in every head at once, and the heads' results side by side."""
    rows = [x @ W_Q + b_Q, m @ W_K + b_K, m @ W_V + b_V]
    split = [row.view(-1, heads, d_head) for row in rows]
    Q, K, V = (each.transpose(0, 1) for each in split)
    mixed = F.scaled_dot_product_attention(Q, K, V)
    z = mixed.transpose(0, 1).reshape(n, d_model)
    return z
