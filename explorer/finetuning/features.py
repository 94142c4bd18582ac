"""Which vectors a task head reads: from which layers, and how a whole text becomes one vector.

The choices of layers are those that Devlin et al. 2019 (table 7) and Peters et al. 2018 compare, and all of
them side by side.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import ExplorerError

Layers = Literal[
    "embeddings",
    "second-to-last",
    "last",
    "sum of last four",
    "last four side by side",
    "sum of all",
    "all side by side",
    "mix",
]
Pool = Literal["cls", "mean", "last"]
LAYERS: tuple[Layers, ...] = get_args(Layers)
POOLS: tuple[Pool, ...] = get_args(Pool)
FOUR = 4


@dataclass(frozen=True)
class Features:
    """What a task head reads. Raises ExplorerError for an unknown name.

    layers   `mix` is learnt with the head: gamma * sum of softmax(s)_j h_j (Peters et al. 2018, equation 1)
    pool     for a class of a whole text: the first token's vector (BERT's [CLS]), the mean of all but
             special tokens, or the last token's (GPT). Each word has its own.
    """

    layers: Layers = "last"
    pool: Pool = "cls"

    def __post_init__(self) -> None:
        for name, value, choices in (("layers", self.layers, LAYERS), ("pool", self.pool, POOLS)):
            if value not in choices:
                raise ExplorerError(f"{name} cannot be “{value}”.", f"Choose from: {', '.join(choices)}.")


def select_layers(
    hidden_states: Float[Tensor, "depth row d_model"], layers: Layers
) -> Float[Tensor, "depth row d"]:
    """The vectors of the chosen layers; more than one per row for `mix` alone.

    >>> states = torch.ones(7, 2, 3)
    >>> select_layers(states, "last four side by side").shape, select_layers(states, "mix").shape
    (torch.Size([1, 2, 12]), torch.Size([7, 2, 3]))
    """
    match layers:
        case "embeddings":
            return hidden_states[:1]
        case "second-to-last":
            return hidden_states[-2:-1]
        case "last":
            return hidden_states[-1:]
        case "sum of last four":
            return hidden_states[-FOUR:].sum(0, keepdim=True)
        case "last four side by side":
            return torch.cat(list(hidden_states[-FOUR:]), -1)[None]
        case "sum of all":
            return hidden_states[1:].sum(0, keepdim=True)
        case "all side by side":
            return torch.cat(list(hidden_states), -1)[None]
        case "mix":
            return hidden_states


def feature_width(d_model: int, depth: int, layers: Layers) -> int:
    """How many numbers a row of features has that are read from these layers."""
    return d_model * {"last four side by side": min(FOUR, depth), "all side by side": depth}.get(layers, 1)
