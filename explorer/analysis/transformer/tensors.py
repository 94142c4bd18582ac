"""What the tensors of a walk are called: symbol, meaning, and what their rows and columns are."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["stream", "query", "key", "value", "score", "attention", "hidden", "learnt"]


@dataclass(frozen=True)
class Label:
    """A tensor's symbol as a formula writes it, its meaning, and its role, which decides the colour.

    A row is a token of the text, or of the source that a decoder reads; a column is a number of a vector,
    or a token of either.
    """

    symbol: str
    meaning: str
    role: Role
    rows: Literal["tokens", "source"] = "tokens"
    columns: Literal["numbers", "tokens", "source"] = "numbers"


LABELS = {
    "token_rows": Label("token", "row of the token table", "stream"),
    "position_rows": Label("position", "row of the position table", "stream"),
    "segment_rows": Label("segment", "row of the segment table", "stream"),
    "summed": Label("e", "the sum of the rows", "stream"),
    "unscaled": Label("e", "row of the token table", "stream"),
    "small": Label("e′", "a token’s vector before it is mapped to a layer’s width", "stream"),
    "embedded": Label("x_{0}", "the embedding", "stream"),
    "x": Label("x", "what enters the layer", "stream"),
    "y": Label("y", "x, normalised", "stream"),
    "q": Label("Q", "query", "query"),
    "k": Label("K", "key", "key"),
    "v": Label("V", "value", "value"),
    "q_normed": Label("Q", "query, normalised", "query"),
    "k_normed": Label("K", "key, normalised", "key"),
    "angles": Label("φ", "angle, in radians", "score"),
    "cos": Label("cos φ", "cosine of the angle", "score"),
    "sin": Label("sin φ", "sine of the angle", "score"),
    "q_rot": Label("Q_{φ}", "query, rotated", "query"),
    "k_rot": Label("K_{φ}", "key, rotated", "key"),
    "scores": Label("S", "score", "score", columns="tokens"),
    "capped": Label("S", "score, capped", "score", columns="tokens"),
    "biased": Label("S", "score, less for the distance", "score", columns="tokens"),
    "masked": Label("S", "score, masked", "score", columns="tokens"),
    "weights": Label("A", "attention weight", "attention", columns="tokens"),
    "out": Label("O", "what the head gives", "value"),
    "z": Label("Z", "all heads side by side", "value"),
    "attended": Label("a", "what attention adds", "stream"),
    "attended_normed": Label("a′", "what attention adds, normalised", "stream"),
    "added1": Label("x + a", "the sum before the norm", "stream"),
    "x1": Label("x′", "after attention", "stream"),
    "y1": Label("y′", "x′, normalised", "stream"),
    "gate_input": Label("y′ W_{G}", "gate before the activation", "hidden"),
    "gate": Label("G", "gate", "hidden"),
    "wide": Label("u", "hidden unit before the activation", "hidden"),
    "hidden": Label("h", "hidden unit", "hidden"),
    "fed": Label("f", "what the feed-forward network adds", "stream"),
    "attended_scaled": Label("a″", "what attention adds, scaled", "stream"),
    "fed_scaled": Label("f″", "what the feed-forward network adds, scaled", "stream"),
    "fed_normed": Label("f′", "what the feed-forward network adds, normalised", "stream"),
    "added2": Label("x′ + f", "the sum before the norm", "stream"),
    "x2": Label("x″", "what leaves the layer", "stream"),
    # a decoder, between attention and the feed-forward network
    "m": Label("M", "what the encoder gave", "stream", rows="source"),
    "cross_q": Label("Q_{c}", "query", "query"),
    "cross_k": Label("K_{c}", "key", "key", rows="source"),
    "cross_v": Label("V_{c}", "value", "value", rows="source"),
    "cross_scores": Label("S_{c}", "score", "score", columns="source"),
    "cross_weights": Label("A_{c}", "attention weight", "attention", columns="source"),
    "cross_out": Label("O_{c}", "what the head gives", "value"),
    "cross_z": Label("Z_{c}", "all heads side by side", "value"),
    "crossed": Label("c", "what cross-attention adds", "stream"),
    "added_cross": Label("x′ + c", "the sum before the norm", "stream"),
    "x_cross": Label("x″", "after cross-attention", "stream"),
    "added3": Label("x″ + f", "the sum before the norm", "stream"),
    "x3": Label("x‴", "what leaves the layer", "stream"),
}


def label(name: str) -> Label:
    """The label of a tensor, a learnt matrix or a learnt vector.

    >>> label("x1").symbol, label("W_CQ").symbol, label("shift_1").symbol
    ('x′', 'W_{CQ}', 'b')
    """
    kind, _, which = name.partition("_")
    if kind in ("W", "b"):
        return Label(f"{kind}_{{{which}}}", "", "learnt")
    if kind in ("gain", "shift"):
        return Label({"gain": "g", "shift": "b"}[kind], "", "learnt")
    return LABELS[name]
