"""Batches in a fixed pseudo-random order; the position in it is four numbers, stored with the weights."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch


@dataclass
class Feed:
    """Rows of one shard after another; every epoch has its own order of shards and of rows.

    `rows_of(shard, length, seed)` gives a shard's rows (see `task.Task.rows`). The current shard stays on
    the device.
    """

    rows_of: Callable[[int, int, int], Any]
    shards: int
    device: torch.device
    seed: int = 0
    epoch: int = 0
    position: int = 0
    row: int = 0
    length: int = 0
    _loaded: tuple[int, int, int] | None = field(default=None, init=False)

    def next(self, rows: int, length: int) -> Any:
        """Next `rows` rows of `length` tokens. The last few rows of a shard may be fewer."""
        if length != self.length and self.row:
            self._advance()
        self.length = length
        self._load()
        for _ in range(self.shards + 1):  # shards without rows are skipped
            if self.row < len(self._order):
                break
            self._advance()
            self._load()
        numbers = self._order[self.row : self.row + rows]
        self.row += rows
        return self._rows.take(numbers)

    def state(self) -> dict[str, int]:
        """Position in the order."""
        return {name: getattr(self, name) for name in ("epoch", "position", "row", "length")}

    def restore(self, state: dict[str, int]) -> None:
        """Return to a position that `state` gave."""
        for name, value in state.items():
            setattr(self, name, value)

    def _advance(self) -> None:
        turns, self.position = divmod(self.position + 1, self.shards)
        self.epoch += turns
        self.row = 0

    def _load(self) -> None:
        place = (self.epoch, self.position, self.length)
        if place == self._loaded:
            return
        shard = int(np.random.default_rng([self.seed, self.epoch]).permutation(self.shards)[self.position])
        seed = self.seed + 1000 * self.epoch + shard
        self._rows = self.rows_of(shard, self.length, seed).to(self.device)
        generator = torch.Generator().manual_seed(seed)
        self._order = torch.randperm(len(self._rows), generator=generator).to(self.device)
        self._loaded = place
