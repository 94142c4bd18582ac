"""Words drawn from a model's distribution, as ELECTRA's generator fills its blanks."""

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor


def draw(scores: Float[Tensor, "word d_vocab"], generator: Generator) -> Int[Tensor, "word"]:
    """A token for each row, with the probability that the softmax of its scores gives (temperature 1).

    One random number a row is looked up in the cumulated probabilities: a number for each token of the
    vocabulary, as the Gumbel trick needs, takes longer than the rest.

    >>> draw(torch.tensor([[0.0, 40.0, 0.0]]), Generator().manual_seed(0))
    tensor([1])
    """
    cumulated = scores.float().softmax(-1).cumsum(-1)
    chance = torch.rand(len(scores), 1, generator=generator, device=scores.device)
    found = torch.searchsorted(cumulated, chance * cumulated[:, -1:], right=True)
    return found[:, 0].clamp(max=scores.shape[1] - 1)
