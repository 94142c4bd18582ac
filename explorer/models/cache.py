"""The key/value cache of a left-to-right network."""

import torch
from torch import Tensor


class Cache:
    """Keys and values of the positions already read, so that each new token costs one row.

    Holds up to `capacity` positions, keys and values side by side. Rows are written in place;
    `length` counts them. Memory that no row was written to yet costs nothing. `contents` is a new
    object whenever existing rows change. `shift` is the number of forgotten rows: a row's index plus
    `shift` is its position in the text.
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
        rows = self.memory[layer, ..., :end, :]
        rows[0, ..., self.length :, :] = keys
        rows[1, ..., self.length :, :] = values
        return rows[0], rows[1]

    def leave(self) -> None:
        """Nothing reads on for now; work in the background may end."""

    def copy_from(self, other: "Cache", length: int) -> None:
        """Replace the contents by the first `length` positions of another cache."""
        self.memory[..., :length, :] = other.memory[..., :length, :]
        self.length, self.shift, self.contents = length, other.shift, object()

    def forget(self, keep: int, first: int = 0) -> None:
        """Keep only the `first` and the last `keep` positions; the next one has its position id as before."""
        dropped = self.length - first - keep
        if dropped > 0:
            # A copy first: if the two ranges overlap, rows would be overwritten before they are read.
            last = self.memory[..., first + dropped : self.length, :].clone()
            self.memory[..., first : first + keep, :] = last
            self.length, self.shift, self.contents = first + keep, self.shift + dropped, object()

    def take_last(self, other: "Cache") -> None:
        """Copy the last position from another cache of the same length."""
        at = self.length - 1
        self.memory[..., at, :] = other.memory[..., at, :]
        self.contents = object()
