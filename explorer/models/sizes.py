"""The sizes that every Transformer here has, under the names used everywhere in this project."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Numbers of tokens, layers, heads and so on; a family changes defaults, and adds fields of its own."""

    d_vocab: int
    d_model: int = 768
    layers: int = 12
    heads: int = 12
    d_mlp: int = 3072
    positions: int = 512
    activation: str = "gelu"
    norm_eps: float = 1e-5
    tied: bool = True
