"""A watermark: the token before chooses half of the vocabulary, whose scores get a push, and z counts.

Kirchenbauer, Geiping, Wen, Katz, Miers, Goldstein, "A Watermark for Large Language Models" (ICML 2023),
algorithm 2 and equation 3. The green tokens are those of transformers' `WatermarkLogitsProcessor` with
`lefthash`, and z is that of its `WatermarkDetector`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, nan, sqrt

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.errors import ExplorerError


@dataclass(frozen=True)
class Watermark:
    """The `push` is added to the scores of the green tokens, a share `green` of all that the `key` deals out.

    Raises ExplorerError for invalid values.

    >>> Watermark(green=1)
    Traceback (most recent call last):
    explorer.errors.ExplorerError: The share of green tokens cannot be 1. Choose a number between 0 and 1.
    """

    push: float = 2.0
    green: float = 0.5
    key: int = 15485863

    def __post_init__(self) -> None:
        if not isfinite(self.push):
            raise ExplorerError(f"A watermark cannot push by {self.push}.", "Choose a number, such as 2.")
        if not 0 < self.green < 1:
            hint = "Choose a number between 0 and 1."
            raise ExplorerError(f"The share of green tokens cannot be {self.green}.", hint)
        if not 0 < self.key < 2**32:
            raise ExplorerError(f"The key cannot be {self.key}.", "Choose a whole number from 1 up.")


def green_ids(before: int, d_vocab: int, mark: Watermark) -> Int[Tensor, "green"]:
    """The green tokens after a token: the first of all tokens, shuffled with a seed that it gives.

    >>> green_ids(7, 6, Watermark()).tolist() == green_ids(7, 6, Watermark()).tolist()
    True
    """
    generator = torch.Generator().manual_seed(mark.key * before % (2**64 - 1))
    return torch.randperm(d_vocab, generator=generator)[: int(d_vocab * mark.green)]


def greens(ids: Sequence[int], d_vocab: int, mark: Watermark) -> list[bool]:
    """Whether each token but the first is green after the one before it."""
    green = {before: set(green_ids(before, d_vocab, mark).tolist()) for before in {*ids[:-1]}}
    return [id in green[before] for before, id in pairwise(ids)]


def z_score(green: Sequence[bool], share: float) -> float:
    """How many standard deviations more tokens are green than in a text without a mark; nan without tokens.

    >>> round(z_score([True] * 16, 0.5), 2)
    4.0
    """
    count = len(green)
    return (sum(green) - share * count) / sqrt(count * share * (1 - share)) if count else nan
