"""Tokens sampled from a model's distribution, as ELECTRA's generator fills its blanks."""

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor


def draw(scores: Float[Tensor, "word d_vocab"], generator: Generator) -> Int[Tensor, "word"]:
    """A token for each row, sampled from the softmax of its scores (temperature 1).

    It looks up one random number for each row in the cumulative probabilities: the Gumbel trick would need
    one for each token of the vocabulary, which takes longer than all the rest.

    >>> draw(torch.tensor([[0.0, 40.0, 0.0]]), Generator().manual_seed(0))
    tensor([1])
    """
    cumulative = scores.float().softmax(-1).cumsum(-1)
    chance = torch.rand(len(scores), 1, generator=generator, device=scores.device)
    ids = torch.searchsorted(cumulative, chance * cumulative[:, -1:], right=True)
    return ids[:, 0].clamp(max=scores.shape[1] - 1)
