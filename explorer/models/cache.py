"""The key/value cache: what a left-to-right network has read of some texts."""

import torch
from torch import Tensor


class Cache:
    """Keys and values of the positions already read, so that each new token costs one row.

    Holds up to `capacity` positions, keys and values side by side. Rows are written in place;
    `length` counts them. Memory that no row was written to yet costs nothing. `contents` is another
    object whenever rows that were there before are others. `shift` is what a row's number lacks to be
    its position in the text: the rows forgotten before it.
    """

    def __init__(
        self,
        layers: int,
        batch: int,
        heads: int,
        capacity: int,
        d_head: int,
        dtype: torch.dtype | None = None,
        device: torch.device | None = None,
    ) -> None:
        self.memory = torch.empty(layers, 2, batch, heads, capacity, d_head, dtype=dtype, device=device)
        self.length = self.shift = 0
        self.contents = object()

    def extend(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write the new rows of a layer and return all rows so far; `length` moves at the end."""
        end = self.length + keys.shape[2]
        known = self.memory[layer, ..., :end, :]
        known[0, ..., self.length :, :] = keys
        known[1, ..., self.length :, :] = values
        return known[0], known[1]

    def leave(self) -> None:
        """Nobody reads on for now; what goes ahead elsewhere may end."""

    def copy_from(self, other: "Cache", length: int) -> None:
        """Know the first `length` positions that another cache knows, and nothing else."""
        self.memory[..., :length, :] = other.memory[..., :length, :]
        self.length, self.shift, self.contents = length, other.shift, object()

    def forget(self, keep: int, first: int = 0) -> None:
        """Know the `first` positions and the last `keep` alone; the next one has its place as before."""
        gone = self.length - first - keep
        if gone > 0:
            # A copy first: where the two parts overlap, one would be written over before it is read.
            last = self.memory[..., first + gone : self.length, :].clone()
            self.memory[..., first : first + keep, :] = last
            self.length, self.shift, self.contents = first + keep, self.shift + gone, object()

    def take_last(self, other: "Cache") -> None:
        """Know the last position as another cache of the same length does."""
        at = self.length - 1
        self.memory[..., at, :] = other.memory[..., at, :]
        self.contents = object()
