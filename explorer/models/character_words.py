"""A word's vector from its characters: convolutions, greatest over the word, highways, a projection.

Paper: Kim, Jernite, Sontag, Rush, "Character-Aware Neural Language Models" (AAAI 2016). ELMo begins so.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from explorer.models.layers import ACTIVATIONS, stack
from explorer.tokenizers.characters import CHARACTERS, PADDING


class Filter(nn.Module):
    """Looks for patterns of `width` neighbouring characters anywhere in a word."""

    def __init__(self, width: int, count: int, d_char: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1, width, d_char, count))
        self.bias = nn.Parameter(torch.zeros(count))

    def forward(self, spelled: Float[Tensor, "word char d_char"]) -> Float[Tensor, "word count"]:
        """How strongly each pattern shows in each word: its greatest match."""
        _, width, d_char, count = self.weight.shape
        windows = spelled.flatten(1).unfold(1, width * d_char, d_char)
        return (windows @ self.weight.view(-1, count)).amax(1) + self.bias


class Highway(nn.Module):
    """Lets a vector pass, or a changed one, dimension by dimension (Srivastava et al. 2015).

    g = sigmoid(carry(x));  g relu(transform(x)) + (1 - g) x      (in bilm-tf, `carry` lets change in)
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.carry = nn.Linear(size, size)
        self.transform = nn.Linear(size, size)

    def forward(self, x: Float[Tensor, "word size"]) -> Float[Tensor, "word size"]:
        return x + torch.sigmoid(self.carry(x)) * (torch.relu(self.transform(x)) - x)


class Words(nn.Module):
    """From a word's characters to its vector; no dictionary, so that every word has one."""

    def __init__(
        self,
        filters: Sequence[tuple[int, int]],
        d_char: int,
        d_word: int,
        highways: int,
        characters: int,
        activation: str,
    ) -> None:
        """`filters` are (characters wide, how many); no more than `characters` of a word are read."""
        super().__init__()
        self.room = characters
        self.widest = max(width for width, _ in filters)
        self.characters = nn.Parameter(torch.zeros(CHARACTERS, d_char))
        self.filters = stack(Filter(width, count, d_char) for width, count in filters)
        self.activation = ACTIVATIONS[activation]
        found = sum(count for _, count in filters)
        self.highways = stack(Highway(found) for _ in range(highways))
        self.project = nn.Linear(found, d_word) if found != d_word else nn.Identity()

    def forward(self, characters: Int[Tensor, "word char"]) -> Float[Tensor, "word d_word"]:
        """The vectors of some words."""
        # Beyond the longest word stands padding alone: one window full of it is as good as all.
        longest = int((characters != PADDING).sum(1).amax())
        shown = self.characters[characters[:, : min(self.room, longest + self.widest)]]
        x = self.activation(torch.cat([look(shown) for look in self.filters], dim=1))
        for highway in self.highways:
            x = highway(x)
        words: Tensor = self.project(x)
        return words
