"""Sentence pairs as ids, in batches of like length, so that little of a batch is padding."""

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
    """Some pairs, padded: `</s>` ends every source and every target."""

    source: Int[Tensor, "row source_pos"]
    target: Int[Tensor, "row pos"]
    padding: int

    def __len__(self) -> int:
        return 1

    @property
    def readable(self) -> Bool[Tensor, "row source_pos"]:
        """Where the source is no padding."""
        return self.source != self.padding

    @property
    def written(self) -> Bool[Tensor, "row pos"]:
        """Where the target is no padding."""
        return self.target != self.padding

    def before(self, start: int) -> Int[Tensor, "row pos"]:
        """What the decoder has read when it writes each target token: `start`, then the ones before."""
        return torch.cat([torch.full_like(self.target[:, :1], start), self.target[:, :-1]], dim=1)

    def read(self, length: int) -> int:
        """The tokens of both languages, without padding."""
        return int(self.readable.sum() + self.written.sum())


@dataclass(frozen=True, eq=False)
class Batches:
    """Pairs cut into batches: what `feed.Feed` draws from, one batch a row."""

    pairs: "EncodedPairs"
    members: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.members)

    def take(self, rows: Tensor) -> Batch:
        """The batch of a row; there are never several."""
        (row,) = rows.tolist()
        return self.pairs.batch(self.members[row])

    def to(self, device: torch.device) -> "Batches":
        """Itself: a batch is made when it is taken."""
        return self


class EncodedPairs:
    """Pairs as ids; those with a sentence of more than `LONGEST` tokens are left out."""

    def __init__(self, tokenizer: MarianTokenizer, pairs: list[Pair]) -> None:
        self.padding = tokenizer.padding
        both = (
            (tokenizer.encode(one).ids.numpy(), tokenizer.encode_target(other).ids.numpy())
            for one, other in pairs
        )
        self.ids = [ids for ids in both if max(map(len, ids)) <= LONGEST]
        self.lengths = np.array([[len(one), len(other)] for one, other in self.ids]).reshape(-1, 2)

    def batches(self, tokens: int, seed: int | None = None) -> Batches:
        """Batches of up to `tokens` tokens, padding included. A seed draws who stands with whom."""
        order = np.arange(len(self.ids))
        if seed is not None:
            order = np.random.default_rng(seed).permutation(order)
        order = order[np.lexsort(self.lengths[order].T)]  # by target, then by source; a draw among equals
        return Batches(self, list(self._cut(order, tokens)))

    def batch(self, members: np.ndarray) -> Batch:
        """Some of the pairs as one batch."""
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
