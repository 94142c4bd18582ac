"""The steps of a Transformer layer (Vaswani et al. 2017), each as the lines of PyTorch that compute it.

The body of a function is what a reader sees: its parameters are the tensors that it takes, by name, and
what it returns are those that it gives. `n` is the number of positions.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

Vectors = Float[Tensor, "pos d_model"]
Tokens = Float[Tensor, "d_vocab d_model"]
Positions = Float[Tensor, "position d_model"]
Matrix = Float[Tensor, "d_in d_out"]
Vector = Float[Tensor, "d_out"]
Head = Float[Tensor, "pos d_head"]
Source = Float[Tensor, "source_pos d_head"]
Queries = Float[Tensor, "query_pos d_head"]
Keys = Float[Tensor, "key_pos d_head"]
Pattern = Float[Tensor, "query_pos key_pos"]


def add_two_rows(tokens: Tokens, positions: Positions, ids: Int[Tensor, "pos"]) -> tuple[Vectors, ...]:
    """A row of the token table and a row of the position table, added up."""
    token_rows = tokens[ids]
    position_rows = positions[: len(ids)]
    summed = token_rows + position_rows
    return token_rows, position_rows, summed


def add_three_rows(
    tokens: Tokens,
    positions: Positions,
    segments: Float[Tensor, "segment d_model"],
    ids: Int[Tensor, "pos"],
    segment_ids: Int[Tensor, "pos"],
) -> tuple[Vectors, ...]:
    """A row of the token table, one of the position table and one of the segment table, added up."""
    token_rows = tokens[ids]
    position_rows = positions[: len(ids)]
    segment_rows = segments[segment_ids]
    summed = token_rows + position_rows + segment_rows
    return token_rows, position_rows, segment_rows, summed


def normalise(x: Vectors, gain: Vector, shift: Vector, eps: float) -> Vectors:
    """Layer normalisation: every vector gets mean 0 and variance 1, then a learnt gain and shift."""
    mean = x.mean(-1, keepdim=True)
    variance = x.var(-1, correction=0, keepdim=True)
    normed = (x - mean) / torch.sqrt(variance + eps) * gain + shift
    return normed


def widen_rows(rows: Float[Tensor, "pos d_in"], W_0: Matrix, b_0: Vector) -> Float[Tensor, "pos d_out"]:
    """A token's vector, narrower than a layer, mapped to a layer's width."""
    widened = rows @ W_0 + b_0
    return widened


def enter(hidden_states: Float[Tensor, "depth pos d_model"], layer: int) -> Vectors:
    """The vectors that the layer below gave."""
    x = hidden_states[layer]
    return x


def project(
    x: Vectors,
    W_Q: Matrix,
    b_Q: Vector,
    W_K: Matrix,
    b_K: Vector,
    W_V: Matrix,
    b_V: Vector,
    part: slice,
) -> tuple[Head, Head, Head]:
    """One head's queries, keys and values: its part of the columns of three matrices."""
    q = x @ W_Q[:, part] + b_Q[part]
    k = x @ W_K[:, part] + b_K[part]
    v = x @ W_V[:, part] + b_V[part]
    return q, k, v


def compare(q: Queries, k: Keys, d_head: int) -> Pattern:
    """Every query times every key, divided by the square root of how many numbers each has."""
    scores = q @ k.T / math.sqrt(d_head)
    return scores


def hide_later(scores: Pattern, n: int) -> Pattern:
    """The causal mask: what stands later than the query is put out of the softmax."""
    later = torch.ones(n, n).triu(1).bool()
    masked = scores.masked_fill(later, -math.inf)
    return masked


def hide_padding(scores: Pattern, padding: Bool[Tensor, "pos"]) -> Pattern:
    """The padding mask: positions that only fill the row are put out of the softmax."""
    masked = scores.masked_fill(padding, -math.inf)
    return masked


def soften(scores: Pattern) -> Pattern:
    """A row of scores as weights that add up to 1."""
    weights = scores.softmax(-1)
    return weights


def mix(weights: Pattern, v: Keys) -> Queries:
    """The values of all positions, added up by weight."""
    out = weights @ v
    return out


def all_heads(
    x: Vectors,
    W_Q: Matrix,
    b_Q: Vector,
    W_K: Matrix,
    b_K: Vector,
    W_V: Matrix,
    b_V: Vector,
    allowed: Bool[Tensor, "#query_pos key_pos"] | None,
    n: int,
    heads: int,
    d_head: int,
    d_model: int,
) -> Vectors:
    """The same in every head at once, and the heads' results side by side."""
    rows = [x @ W_Q + b_Q, x @ W_K + b_K, x @ W_V + b_V]
    split = torch.stack(rows).view(3, n, heads, d_head)
    Q, K, V = split.transpose(1, 2)
    mixed = F.scaled_dot_product_attention(Q, K, V, allowed)
    z = mixed.transpose(0, 1).reshape(n, d_model)
    return z


def project_across(
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


def all_heads_across(
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


def hand_on(z: Vectors, W_O: Matrix, b_O: Vector) -> Vectors:
    """The output matrix mixes what the heads found."""
    attended = z @ W_O + b_O
    return attended


def add(x: Vectors, update: Vectors) -> Vectors:
    """The residual connection: the layer adds to the vectors and does not replace them."""
    added = x + update
    return added


def add_and_normalise(
    x: Vectors, update: Vectors, gain: Vector, shift: Vector, eps: float, d_model: int
) -> tuple[Vectors, Vectors]:
    """The residual connection, and layer normalisation of the sum."""
    added = x + update
    normed = F.layer_norm(added, [d_model], gain, shift, eps)
    return added, normed


def widen(
    x: Vectors, W_1: Matrix, b_1: Vector, activation: Callable[[Tensor], Tensor]
) -> tuple[Float[Tensor, "pos d_mlp"], Float[Tensor, "pos d_mlp"]]:
    """The hidden units of the feed-forward network, before and after the activation."""
    wide = x @ W_1 + b_1
    hidden = activation(wide)
    return wide, hidden


def narrow(hidden: Float[Tensor, "pos d_mlp"], W_2: Matrix, b_2: Vector) -> Vectors:
    """What the hidden units write: each its row of the matrix, as far as it is active."""
    fed = hidden @ W_2 + b_2
    return fed
