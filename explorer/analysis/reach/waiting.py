"""Sequential steps: the number of steps of a recurrent network and of attention.

A state can be computed as soon as all its inputs are available. All states that can be computed at the same
time count as one step, as with unlimited parallelism (Vaswani et al. 2017, table 1, "sequential
operations").
"""

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.errors import at_least_one


def recurrent(words: int, layers: int) -> Int[Tensor, "layer word"]:
    """The step at which an LSTM computes each state: after the one before it and the one below it.

    >>> recurrent(words=4, layers=2).tolist()
    [[1, 2, 3, 4], [2, 3, 4, 5]]

    A right-to-left LSTM is the mirror image, and both can run at the same time.
    """
    at_least_one(words=words, layers=layers)
    return torch.arange(1, words + 1) + torch.arange(layers)[:, None]


def attention(words: int, layers: int) -> Int[Tensor, "layer word"]:
    """The step at which attention computes each state: after all those of the layer below.

    >>> attention(words=4, layers=2).tolist()
    [[1, 1, 1, 1], [2, 2, 2, 2]]
    """
    at_least_one(words=words, layers=layers)
    return torch.arange(1, layers + 1)[:, None].expand(layers, words)
