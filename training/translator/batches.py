"""Sentence pairs as ids, in batches of similar length with little padding."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from explorer.tokenizers.marian import MarianTokenizer
from training.text.pairs import Pair

LONGEST = 100  # tokens of a sentence; longer ones are left out


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs with padding; `</s>` ends every source and target."""

    source: Int[Tensor, "row source_pos"]
    target: Int[Tensor, "row pos"]
    padding: int

    def __len__(self) -> int:
        return 1

    @property
    def readable(self) -> Bool[Tensor, "row source_pos"]:
        """Mask of the source without padding."""
        return self.source != self.padding

    @property
    def written(self) -> Bool[Tensor, "row pos"]:
        """Mask of the target without padding."""
        return self.target != self.padding

    def before(self, start: int) -> Int[Tensor, "row pos"]:
        """Decoder's input for each target token: `start`, then the previous target tokens."""
        return torch.cat([torch.full_like(self.target[:, :1], start), self.target[:, :-1]], dim=1)

    def read(self, length: int) -> int:
        """Number of tokens of both languages, without padding."""
        return int(self.readable.sum() + self.written.sum())


@dataclass(frozen=True, eq=False)
class Batches:
    """Batches that `feed.Feed` draws from, each as a row."""

    pairs: "EncodedPairs"
    members: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.members)

    def take(self, rows: Tensor) -> Batch:
        """Batch of a single row."""
        (row,) = rows.tolist()
        return self.pairs.batch(self.members[row])

    def to(self, device: torch.device) -> "Batches":
        """Itself: a batch is made when it is drawn."""
        return self


class EncodedPairs:
    """Pairs as ids, without those with a sentence of more than `LONGEST` tokens."""

    def __init__(self, tokenizer: MarianTokenizer, pairs: list[Pair]) -> None:
        self.padding = tokenizer.padding
        both = (
            (tokenizer.encode(one).ids.numpy(), tokenizer.encode_target(other).ids.numpy())
            for one, other in pairs
        )
        self.ids = [ids for ids in both if max(map(len, ids)) <= LONGEST]
        self.lengths = np.array([[len(one), len(other)] for one, other in self.ids]).reshape(-1, 2)

    def batches(self, tokens: int, seed: int | None = None) -> Batches:
        """Batches of up to `tokens` tokens with padding; a seed shuffles pairs of equal length."""
        order = np.arange(len(self.ids))
        if seed is not None:
            order = np.random.default_rng(seed).permutation(order)
        order = order[np.lexsort(self.lengths[order].T)]  # by target, then by source
        return Batches(self, list(self._cut(order, tokens)))

    def batch(self, members: np.ndarray) -> Batch:
        """Batch of some pairs."""
        source, target = zip(*(self.ids[i] for i in members), strict=True)
        return Batch(self._padded(source), self._padded(target), self.padding)

    def _cut(self, order: np.ndarray, tokens: int) -> Iterator[np.ndarray]:
        first, widest = 0, np.zeros(2, dtype=int)
        for at, member in enumerate(order):
            wider = np.maximum(widest, self.lengths[member])
            if at > first and (at + 1 - first) * wider.sum() > tokens:
                yield order[first:at]
                first, wider = at, self.lengths[member]
            widest = wider
        if first < len(order):
            yield order[first:]

    def _padded(self, rows: tuple[np.ndarray, ...]) -> Tensor:
        filled = np.full((len(rows), max(map(len, rows))), self.padding)
        for row, ids in zip(filled, rows, strict=True):
            row[: len(ids)] = ids
        return torch.from_numpy(filled)
