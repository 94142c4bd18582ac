"""Self-attention: one head step by step, and all heads at once."""

import math
from dataclasses import replace

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.transformer.operation import operation
from explorer.analysis.transformer.operations.shapes import Head, Matrix, Pattern, Vector, Vectors
from explorer.analysis.transformer.rules import (
    angle,
    biased_score,
    capped_score,
    cosine_or_sine,
    learnt_for_distance,
    linear,
    number_of_a_head,
    rms_norm_of,
    rotation_of,
    scores_of,
    softmax_of_row,
    weighted_values,
    wide_norm_of,
)
from explorer.locale import N_

Queries = Float[Tensor, "query_pos d_head"]
Keys = Float[Tensor, "key_pos d_head"]
Pairs = Float[Tensor, "pos pair"]


@operation(
    title=N_("Query, key, value"),
    formula="{q} = {x} {W_Q} + {b_Q}\n{k} = {x} {W_K} + {b_K}\n{v} = {x} {W_V} + {b_V}",
    caption=N_("Three learnt matrices make query, key and value, {d_head} numbers each."),
    figure=("x @ W_Q = q", "x @ W_K = k", "x @ W_V = v"),
    causes={
        "q": linear("x", "W_Q", "b_Q", "part"),
        "k": linear("x", "W_K", "b_K", "kv_part"),
        "v": linear("x", "W_V", "b_V", "kv_part"),
    },
)
def query_key_value(
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


grouped_query_key_value = replace(
    query_key_value,
    caption=N_("This key and value, {d_head} numbers each, are shared by {sharing}; each has its own query."),
)


@operation(
    title=N_("Norm of Q and K"),
    formula="{q_normed} ← {q} / √mean({q}²) · g_{{Q}}\n{k_normed} ← {k} / √mean({k}²) · g_{{K}}",
    caption=N_("Each query and each key is divided by the root of its mean square."),
    figure=("q → q_normed", "k → k_normed"),
    causes={"q_normed": rms_norm_of("q", "gain_Q"), "k_normed": rms_norm_of("k", "gain_K")},
)
def query_key_norm(
    q: Queries, k: Keys, gain_Q: Vector, gain_K: Vector, eps: float, d_head: int
) -> tuple[Queries, Keys]:
    """RMS normalisation of each query and each key."""
    q_normed = F.rms_norm(q, [d_head], gain_Q, eps)
    k_normed = F.rms_norm(k, [d_head], gain_K, eps)
    return q_normed, k_normed


@operation(
    title=N_("Norm of Q and K"),
    formula="{q_normed} ← {q} / √mean(Q_{{all}}²) · g_{{Q}}\n{k_normed} ← {k} / √mean(K_{{all}}²) · g_{{K}}",
    caption=N_("The queries of all heads are divided by the root of their mean square; keys, too (OLMo 2)."),
    figure=("q → q_normed", "k → k_normed"),
    causes={
        "q_normed": wide_norm_of("q", "gain_Q", "W_Q", "b_Q", "part"),
        "k_normed": wide_norm_of("k", "gain_K", "W_K", "b_K", "kv_part"),
    },
)
def wide_query_key_norm(
    q: Queries,
    k: Keys,
    x: Vectors,
    W_Q: Matrix,
    b_Q: Vector,
    W_K: Matrix,
    b_K: Vector,
    gain_Q: Vector,
    gain_K: Vector,
    eps: float,
    part: slice,
    kv_part: slice,
) -> tuple[Queries, Keys]:
    """RMS normalisation of the queries of all heads at once, and of the keys (OLMo 2)."""
    root_q = ((x @ W_Q + b_Q).square().mean(1, keepdim=True) + eps).sqrt()
    root_k = ((x @ W_K + b_K).square().mean(1, keepdim=True) + eps).sqrt()
    q_normed = q / root_q * gain_Q[part]
    k_normed = k / root_k * gain_K[kv_part]
    return q_normed, k_normed


@operation(
    title=N_("Rotation"),
    formula="q_{{i}} ← q_{{i}} cos φ − q_{{i+{half}}} sin φ\n"
    "q_{{i+{half}}} ← q_{{i}} sin φ + q_{{i+{half}}} cos φ\n"
    "φ = position · {frequency}",
    caption=N_("Two numbers are a point in the plane: it is rotated by position × frequency."),
    figure=("q → q_rot", "k → k_rot"),
    causes={
        "angles": angle,
        "cos": cosine_or_sine("cos", N_("The cosine of the angle.")),
        "sin": cosine_or_sine("sin", N_("The sine of the angle.")),
        "q_rot": rotation_of("q"),
        "k_rot": rotation_of("k"),
    },
)
def rotary_embedding(
    q: Queries,
    k: Keys,
    frequencies: Float[Tensor, "pair"],
    ones: Pairs,
    zeros: Pairs,
    partner: list[int],
    stretch: float,
    n: int,
    d_head: int,
) -> tuple[Pairs, Queries, Queries, Queries, Keys]:
    """Rotary positions (Su et al. 2021): the point of numbers i and i + d/2 turns by position · frequency.

    `roll` swaps the two numbers of each pair. Where only a part of a head is rotated, indexing with
    `partner` does, and the numbers after that part are multiplied by `ones` and `zeros`. Where a model is
    made for longer texts (Peng et al. 2023), what is rotated may be multiplied by `stretch`.
    """
    angles = torch.arange(n)[:, None] * frequencies
    cos = torch.cat([angles.cos() * stretch, angles.cos() * stretch, ones], 1)
    sin = torch.cat([-angles.sin() * stretch, angles.sin() * stretch, zeros], 1)
    q_rot = q * cos + q.roll(d_head // 2, 1) * sin
    k_rot = k * cos + k.roll(d_head // 2, 1) * sin
    return angles, cos, sin, q_rot, k_rot


@operation(
    title=N_("Scores"),
    formula="{scores} = {q} {k}^{{T}} / √d_{{head}}",
    caption=N_("Each query times each key, divided by √d so that scores do not grow with the dimensions."),
    figure=("q @ k^T / √d = scores",),
    one_word=("q @ k^T", "/ √d = scores"),
    causes={"scores": scores_of(divided=True)},
)
def attention_scores(q: Queries, k: Keys, d_head: int) -> Pattern:
    """Every query times every key, divided by the square root of how many numbers each has."""
    scores = q @ k.T / math.sqrt(d_head)
    return scores


rotary_scores = replace(
    attention_scores,
    caption=N_("The product of two rotated vectors depends only on how far apart their positions are."),
)


@operation(
    title=N_("Scores"),
    formula="{scores} = {q} {k}^{{T}}",
    caption=N_("Each query times each key. This model does not divide by √d."),
    figure=("q @ k^T = scores",),
    one_word=("q @ k^T", "= scores"),
    causes={"scores": scores_of(divided=False)},
)
def undivided_scores(q: Queries, k: Keys) -> Pattern:
    """Every query times every key, not divided, as in GPT-Neo."""
    scores = q @ k.T
    return scores


positionless_scores = replace(
    attention_scores,
    caption=N_("This layer rotates nothing: distance does not change a score (NoPE, Yang et al. 2025)."),
)


@operation(
    title=N_("Scores"),
    formula="{scores} = {q} {k}^{{T}} · {factor}",
    caption=N_("Each query times each key, times {factor}: the number that this model has in place of 1/√d."),
    figure=("q @ k^T = scores",),
    one_word=("q @ k^T", "= scores"),
    causes={"scores": scores_of(divided=False, factor="factor")},
)
def scaled_scores(q: Queries, k: Keys, factor: float) -> Pattern:
    """Every query times every key, multiplied by a number, as in Gemma 2 and Granite."""
    scores = q @ k.T * factor
    return scores


@operation(
    title=N_("Cap"),
    formula="{capped} = {cap} · tanh({scores} / {cap})",
    caption=N_("Scores are bent to stay between −{cap} and {cap} (Bello et al. 2016; in Gemma 2)."),
    figure=("scores → capped",),
    one_word=("scores", "→ capped"),
    causes={"capped": capped_score},
)
def score_cap(scores: Pattern, cap: float) -> Pattern:
    """Scores within a cap (Bello et al. 2016), as in Gemma 2."""
    capped = cap * torch.tanh(scores / cap)
    return capped


@operation(
    title=N_("Distance (ALiBi)"),
    formula="{biased}_{{ij}} = {scores}_{{ij}} − {slope} · (i − j)",
    caption=N_(
        "For every token of distance a score loses {slope}; each head has its own (Press et al. 2022)."
    ),
    figure=("scores → biased",),
    one_word=("scores", "→ biased"),
    causes={"biased": biased_score},
)
def distance_bias(scores: Pattern, slope: float, n: int) -> Pattern:
    """Attention with linear biases (Press et al. 2022): scores fall with the distance."""
    distance = torch.arange(n)[:, None] - torch.arange(n)
    biased = scores - slope * distance
    return biased


@operation(
    title=N_("Distance (learnt)"),
    formula="{biased}_{{ij}} = {scores}_{{ij}} + b_{{j − i}}",
    caption=N_("Each distance adds a number that was learnt; far ones share theirs (Raffel et al. 2020)."),
    figure=("scores → biased",),
    one_word=("scores", "→ biased"),
    causes={"biased": learnt_for_distance},
)
def learnt_distance_bias(scores: Pattern, by_distance: Pattern) -> Pattern:
    """Relative positions as in T5 (Raffel et al. 2020): a learnt number for each bucket of distances."""
    biased = scores + by_distance
    return biased


@operation(
    title=N_("Softmax"),
    formula=N_("{weights} = softmax({scores}), row by row"),
    caption=N_("Each row of scores becomes weights that add up to 1."),
    figure=("scores softmax = weights",),
    one_word=("scores", "softmax = weights"),
    causes={"weights": softmax_of_row},
)
def softmax(scores: Pattern) -> Pattern:
    """A row of scores as weights that add up to 1."""
    weights = scores.softmax(-1)
    return weights


@operation(
    title=N_("Weighted sum"),
    formula="{out} = {weights} {v} = softmax({product}) {v}",
    caption=N_("Each token adds up the values of all tokens, weighted by attention."),
    figure=("weights @ v = out",),
    one_word=("weights", "@ v = out"),
    causes={"out": weighted_values},
)
def weighted_sum(weights: Pattern, v: Keys) -> Queries:
    """The values of all positions, added up by weight."""
    out = weights @ v
    return out


@operation(
    title=N_("Join all heads"),
    formula="{z} = [O_{{1}} … O_{{{heads}}}]",
    caption=N_(
        "All {heads} heads do the same, each with its own matrices. Here are all results side by side."
    ),
    figure=("z",),
    causes={"z": number_of_a_head("out")},
)
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
    allowed: Bool[Tensor, "#query_pos key_pos"],
    n: int,
    d_head: int,
    eps: float,
    grouped: bool,
    factor: float,
    cap: float,
    group: int,
) -> Vectors:
    """The same in every head at once, and the heads' results side by side.

    A design has some of these lines: one norm of queries and keys or none, a cap or the fused call.
    """
    rows = [x @ W_Q + b_Q, x @ W_K + b_K, x @ W_V + b_V]
    rows[:2] = [F.rms_norm(r, r.shape[1:], g, eps) for r, g in zip(rows, [gain_Q, gain_K])]
    Q, K, V = (r.view(n, -1, d_head).transpose(0, 1) for r in rows)
    Q, K = F.rms_norm(Q, [d_head], gain_Q, eps), F.rms_norm(K, [d_head], gain_K, eps)
    Q, K = (r * cos + r.roll(d_head // 2, 2) * sin for r in (Q, K))
    S = Q @ K.repeat_interleave(group, 0).mT * factor
    S = (cap * torch.tanh(S / cap)).masked_fill(~allowed, -math.inf)
    H = S.softmax(-1) @ V.repeat_interleave(group, 0)
    H = F.scaled_dot_product_attention(Q, K, V, allowed, enable_gqa=grouped, scale=factor)
    z = H.transpose(0, 1).reshape(n, -1)
    return z


all_grouped_heads = replace(
    all_heads, caption=N_("{heads} queries, but {kv_heads} keys and values: {sharing} share one.")
)


@operation(
    title=N_("Mix the heads"),
    formula="{attended} = {z} {W_O} + {b_O}",
    caption=N_("One more learnt matrix mixes what the heads give."),
    figure=("z @ W_O", "= attended"),
    causes={"attended": linear("z", "W_O", "b_O")},
)
def output_projection(z: Vectors, W_O: Matrix, b_O: Vector) -> Vectors:
    """The output projection mixes what the heads give."""
    attended = z @ W_O + b_O
    return attended
