"""The classifier that fine-tuning has put on a network."""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class Classifier:
    """What gives the classes of a text, or of every token, their scores from the last layer's states.

    `parameters` are `weight` (label, d) and `bias` (label), and with a hidden layer `dense.weight`
    (d, d_model) and `dense.bias` (d), which its `activation` follows. With `several` any number of classes
    may be true: each has a sigmoid in place of the softmax over all.
    """

    labels: tuple[str, ...]
    parameters: Mapping[str, Tensor]
    activation: str = ""
    every_token: bool = False
    several: bool = False
