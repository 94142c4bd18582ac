"""The steps of a Transformer layer (Vaswani et al. 2017), each as the lines of PyTorch that compute it.

The body of a function is what a reader sees, and what is run: its parameters are the tensors that it
takes, by name, and what it returns are those that it gives. What a layer has not, such as a bias, is left
out of the lines (`Step` in program.py). `n` is the number of positions.
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
Units = Float[Tensor, "pos d_mlp"]
Pairs = Float[Tensor, "pos pair"]
Pattern = Float[Tensor, "query_pos key_pos"]


def look_up_rows(tokens: Tokens, ids: Int[Tensor, "pos"]) -> Vectors:
    """A row of the token table; where the token stands is told later, by a rotation."""
    summed = tokens[ids]
    return summed


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


def rms_normalise(x: Vectors, gain: Vector, eps: float) -> Vectors:
    """RMS normalisation: every vector is divided by the root of its mean square; no mean is taken off."""
    mean_square = x.square().mean(-1, keepdim=True)
    normed = x / torch.sqrt(mean_square + eps) * gain
    return normed


def project_rows(rows: Float[Tensor, "pos d_in"], W_0: Matrix, b_0: Vector) -> Float[Tensor, "pos d_out"]:
    """A token's vector, narrower than a layer, mapped to a layer's width."""
    projected = rows @ W_0 + b_0
    return projected


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
    kv_part: slice,
) -> tuple[Head, Head, Head]:
    """One head's queries, keys and values: its part of the columns of three matrices.

    Heads that share a key and a value have the same `kv_part`.
    """
    q = x @ W_Q[:, part] + b_Q[part]
    k = x @ W_K[:, kv_part] + b_K[kv_part]
    v = x @ W_V[:, kv_part] + b_V[kv_part]
    return q, k, v


def normalise_head(
    q: Queries, k: Keys, gain_Q: Vector, gain_K: Vector, eps: float, d_head: int
) -> tuple[Queries, Keys]:
    """RMS normalisation of each query and each key."""
    q_normed = F.rms_norm(q, [d_head], gain_Q, eps)
    k_normed = F.rms_norm(k, [d_head], gain_K, eps)
    return q_normed, k_normed


def rotate(
    q: Queries,
    k: Keys,
    frequencies: Float[Tensor, "pair"],
    ones: Pairs,
    zeros: Pairs,
    partner: list[int],
    n: int,
    d_head: int,
) -> tuple[Pairs, Queries, Queries, Queries, Keys]:
    """Rotary positions: numbers i and i + d/2, as a point in the plane, turned by position · frequency.

    `roll` puts in each number's place the other one of its pair; where a part of a head is turned, the
    list `partner` does, and the numbers after that part are multiplied by `ones` and `zeros`.
    """
    angles = torch.arange(n)[:, None] * frequencies
    cos = torch.cat([angles.cos(), angles.cos(), ones], 1)
    sin = torch.cat([-angles.sin(), angles.sin(), zeros], 1)
    q_rot = q * cos + q.roll(d_head // 2, 1) * sin
    k_rot = k * cos + k.roll(d_head // 2, 1) * sin
    return angles, cos, sin, q_rot, k_rot


def compare(q: Queries, k: Keys, d_head: int) -> Pattern:
    """Every query times every key, divided by the square root of how many numbers each has."""
    scores = q @ k.T / math.sqrt(d_head)
    return scores


def compare_undivided(q: Queries, k: Keys) -> Pattern:
    """Every query times every key, as GPT-Neo leaves it."""
    scores = q @ k.T
    return scores


def hide_later(scores: Pattern, n: int) -> Pattern:
    """The causal mask: what stands later than the query is put out of the softmax."""
    later = torch.ones(n, n).triu(1).bool()
    masked = scores.masked_fill(later, -math.inf)
    return masked


def hide_outside_window(scores: Pattern, n: int, window: int) -> Pattern:
    """The causal mask of a layer with a window: the last few positions are read, and no others."""
    readable = torch.ones(n, n).tril().triu(1 - window).bool()
    masked = scores.masked_fill(~readable, -math.inf)
    return masked


def hide_distant(scores: Pattern, n: int, window: int, padding: Bool[Tensor, "pos"]) -> Pattern:
    """The mask of a layer that reads a window to either side."""
    readable = torch.ones(n, n).tril(window).triu(-window).bool()
    masked = scores.masked_fill(~readable | padding, -math.inf)
    return masked


def hide_padding(scores: Pattern, padding: Bool[Tensor, "pos"]) -> Pattern:
    """The padding mask: positions that only fill the row are put out of the softmax."""
    masked = scores.masked_fill(padding, -math.inf)
    return masked


def softmax(scores: Pattern) -> Pattern:
    """A row of scores as weights that add up to 1."""
    weights = scores.softmax(-1)
    return weights


def weighted_sum(weights: Pattern, v: Keys) -> Queries:
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
    gain_Q: Vector,
    gain_K: Vector,
    cos: Queries,
    sin: Queries,
    partner: list[int],
    allowed: Bool[Tensor, "#query_pos key_pos"] | None,
    n: int,
    d_head: int,
    eps: float,
    grouped: bool,
    factor: float,
) -> Vectors:
    """The same in every head at once, and the heads' results side by side."""
    rows = [x @ W_Q + b_Q, x @ W_K + b_K, x @ W_V + b_V]
    Q, K, V = (r.view(n, -1, d_head).transpose(0, 1) for r in rows)
    Q, K = F.rms_norm(Q, [d_head], gain_Q, eps), F.rms_norm(K, [d_head], gain_K, eps)
    Q, K = (r * cos + r.roll(d_head // 2, 2) * sin for r in (Q, K))
    H = F.scaled_dot_product_attention(Q, K, V, allowed, enable_gqa=grouped, scale=factor)
    z = H.transpose(0, 1).reshape(n, -1)
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


def output_projection(z: Vectors, W_O: Matrix, b_O: Vector) -> Vectors:
    """The output projection mixes what the heads give."""
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


def up_projection(
    x: Vectors, W_1: Matrix, b_1: Vector, activation: Callable[[Tensor], Tensor]
) -> tuple[Units, Units]:
    """The hidden units of the feed-forward network, before and after the activation."""
    wide = x @ W_1 + b_1
    hidden = activation(wide)
    return wide, hidden


def gated_up_projection(
    x: Vectors, W_G: Matrix, b_G: Vector, W_1: Matrix, b_1: Vector, activation: Callable[[Tensor], Tensor]
) -> tuple[Units, Units, Units, Units]:
    """The hidden units of a gated network: each is multiplied by a gate that the same vector opens."""
    gate_input = x @ W_G + b_G
    gate = activation(gate_input)
    wide = x @ W_1 + b_1
    hidden = gate * wide
    return gate_input, gate, wide, hidden


def down_projection(hidden: Units, W_2: Matrix, b_2: Vector) -> Vectors:
    """What the hidden units write: each its row of the matrix, as far as it is active."""
    fed = hidden @ W_2 + b_2
    return fed
