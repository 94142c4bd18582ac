"""Batches in a fixed pseudo-random order. The place in it is four numbers, kept with the weights."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor


class Drawable(Protocol):
    """Rows that can be drawn in any order (`text.rows.Rows`); what is drawn can say what it `read`."""

    def __len__(self) -> int: ...
    def take(self, rows: Tensor) -> Any: ...
    def to(self, device: torch.device) -> "Drawable": ...


@dataclass
class Feed:
    """Rows of one shard after another; every epoch has its own order of shards and of rows.

    `make(shard, length, seed)` gives a shard's rows. The current shard stays on the device,
    and the next one is made meanwhile: a GPU reads faster than text is tokenized.
    """

    make: Callable[[int, int, int], Drawable]
    shards: int
    device: torch.device
    seed: int = 0
    epoch: int = 0
    position: int = 0
    row: int = 0
    length: int = 0

    def __post_init__(self) -> None:
        self._maker = ThreadPoolExecutor(1)
        self._made: dict[tuple[int, int, int], Future[Drawable]] = {}
        self._loaded: tuple[int, int, int] | None = None
        self._rows: Drawable | None = None
        self._order = torch.empty(0, dtype=torch.long)

    def next(self, rows: int, length: int) -> Any:
        """The next `rows` rows of `length` tokens. A shard's last few may be left out."""
        if length != self.length and self.row:
            self._advance()
        self.length = length
        self._load()
        for _ in range(self.shards + 1):
            if self.row < len(self._order):
                break
            self._advance()
            self._load()
        taken = self._order[self.row : self.row + rows]
        self.row += rows
        assert self._rows is not None, "a shard has been loaded"
        return self._rows.take(taken)

    def state(self) -> dict[str, int]:
        """The place in the order."""
        return {name: getattr(self, name) for name in ("epoch", "position", "row", "length")}

    def restore(self, state: dict[str, int]) -> None:
        """Go back to a place that `state` gave."""
        for name, value in state.items():
            setattr(self, name, value)

    def _advance(self) -> None:
        self.epoch, self.position = self._after(self.epoch, self.position)
        self.row = 0

    def _after(self, epoch: int, position: int) -> tuple[int, int]:
        return (epoch, position + 1) if position + 1 < self.shards else (epoch + 1, 0)

    def _load(self) -> None:
        place = (self.epoch, self.position, self.length)
        if place == self._loaded:
            return
        made = self._made.get(place) or self._ask(place)
        following = (*self._after(self.epoch, self.position), self.length)
        self._made = {following: self._ask(following)}
        self._rows = made.result().to(self.device)
        generator = torch.Generator().manual_seed(self._seed(place)[1])
        self._order = torch.randperm(len(self._rows), generator=generator).to(self.device)
        self._loaded = place

    def _ask(self, place: tuple[int, int, int]) -> Future[Drawable]:
        shard, seed = self._seed(place)
        return self._maker.submit(self.make, shard, place[2], seed)

    def _seed(self, place: tuple[int, int, int]) -> tuple[int, int]:
        """The shard at a place, and the seed of its rows there."""
        epoch, position, _ = place
        shard = int(np.random.default_rng([self.seed, epoch]).permutation(self.shards)[position])
        return shard, self.seed + 1000 * epoch + shard
