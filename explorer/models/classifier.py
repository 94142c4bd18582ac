"""A classifier that fine-tuning has put on a network: the numbers of its head, and the names of its classes."""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class Classifier:
    """What gives the classes of a text, or of each token, their scores from the last layer's states.

    `parameters` are `weight` (label, d) and `bias` (label). With a hidden layer there are `dense.weight`
    (d, d_model) and `dense.bias` (d), and its `activation` follows. A whole text is read at its first token,
    or, by a model that reads from the left, at its last. With `several` any number of classes may be true:
    each has a sigmoid of its own in place of the softmax over all.
    """

    labels: tuple[str, ...]
    parameters: Mapping[str, Tensor]
    activation: str = ""
    every_token: bool = False
    several: bool = False
