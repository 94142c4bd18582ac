"""A word's vector from its characters: convolutions, maximum over the word, highways, a projection.

Paper: Kim, Jernite, Sontag, Rush, "Character-Aware Neural Language Models" (AAAI 2016). ELMo's first layer.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.layers import ACTIVATIONS, layer_list
from explorer.tokenizers.characters import CHARACTERS, PADDING


class Filter(nn.Module):
    """A convolution over `width` neighbouring characters, with the maximum over the word."""

    def __init__(self, width: int, count: int, d_char: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1, width, d_char, count))
        self.bias = nn.Parameter(torch.zeros(count))

    def forward(self, spelled: Float[Tensor, "word char d_char"]) -> Float[Tensor, "word count"]:
        """The strongest match of each pattern in each word."""
        _, width, d_char, count = self.weight.shape
        windows = spelled.flatten(1).unfold(1, width * d_char, d_char)
        return (windows @ self.weight.view(-1, count)).amax(1) + self.bias


class Highway(nn.Module):
    """A gated mix of a vector and its transform, per dimension (Srivastava et al. 2015).

    g = sigmoid(carry(x));  g relu(transform(x)) + (1 - g) x      (in bilm-tf, `carry` weighs the transform)
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.carry = nn.Linear(size, size)
        self.transform = nn.Linear(size, size)

    def forward(self, x: Float[Tensor, "word size"]) -> Float[Tensor, "word size"]:
        return x + torch.sigmoid(self.carry(x)) * (torch.relu(self.transform(x)) - x)


class Words(nn.Module):
    """From a word's characters to its vector; without a dictionary, so that every word has one."""

    def __init__(
        self,
        filters: Sequence[tuple[int, int]],
        d_char: int,
        d_word: int,
        highways: int,
        characters: int,
        activation: str,
    ) -> None:
        """`filters` are pairs (width in characters, count); at most `characters` of a word are read."""
        super().__init__()
        self.room = characters
        self.widest = max(width for width, _ in filters)
        self.characters = nn.Parameter(torch.zeros(CHARACTERS, d_char))
        self.filters = layer_list(Filter(width, count, d_char) for width, count in filters)
        self.activation = ACTIVATIONS[activation]
        width = sum(count for _, count in filters)
        self.highways = layer_list(Highway(width) for _ in range(highways))
        self.project = nn.Linear(width, d_word) if width != d_word else nn.Identity()

    def forward(self, characters: Int[Tensor, "word char"]) -> Float[Tensor, "word d_word"]:
        """The vectors of some words."""
        # After the longest word there is only padding: one window of it gives the same result as all.
        longest = int((characters != PADDING).sum(1).amax())
        spelled = self.characters[characters[:, : min(self.room, longest + self.widest)]]
        x = self.activation(torch.cat([convolution(spelled) for convolution in self.filters], dim=1))
        for highway in self.highways:
            x = highway(x)
        words: Tensor = self.project(x)
        return words
