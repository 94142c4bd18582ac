"""Attention between words, for models that read pieces of words."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor


def word_pattern(
    pattern: Float[Tensor, "*layers query_pos key_pos"], groups: Sequence[Sequence[int]]
) -> Float[Tensor, "*layers word_query word_key"]:
    """Patterns between groups of tokens: attention to a word is the sum over its pieces, from it the mean.

    So each row keeps its sum over the tokens that are in a group (Clark et al. 2019, section 4.1).
    """
    member = pattern.new_zeros(len(groups), pattern.shape[-1])
    for word, positions in enumerate(groups):
        member[word, list(positions)] = 1
    mean = member / member.sum(-1, keepdim=True).clamp_min(1)
    return mean @ pattern @ member.T
