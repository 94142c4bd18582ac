"""One new position of each of several texts attends over its text's key/value cache.

Row by row, each over its own cache; or all rows in one call, over copies of their caches that lie side
by side: twenty calls of one row each take several times as long as one of twenty rows.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.layers import Cache

PADDING = 2  # side by side, rows are as long as the longest: at most so many times as long as all together


class OwnCaches:
    """The rows' own caches: no padding, a call for each row."""

    def __init__(self, caches: Sequence[Cache]) -> None:
        memories = [cache.memory.flatten(0, 1) for cache in caches]  # all layers' keys and values in turn
        self._new = [m.narrow(-2, cache.length, 1).unbind() for m, cache in zip(memories, caches)]
        self._known = [m.narrow(-2, 0, cache.length + 1).unbind() for m, cache in zip(memories, caches)]

    def attend(
        self, layer: int, heads: Float[Tensor, "batch 3 head d_head"]
    ) -> Float[Tensor, "batch d_model"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        rows, _, count, _ = heads.shape
        parts = iter(heads.view(3 * rows, 1, count, 1, -1).unbind())
        k, v, mixed = 2 * layer, 2 * layer + 1, []
        for query, key, value, new, known in zip(parts, parts, parts, self._new, self._known):
            new[k].copy_(key)
            new[v].copy_(value)
            mixed.append(F.scaled_dot_product_attention(query, known[k], known[v]))
        return (mixed[0] if rows == 1 else torch.cat(mixed)).view(rows, -1)


class BatchCache:
    """Copies of several caches in one memory, kept from step to step for those who come again.

    The caches themselves stay complete: what a step adds is written to them too.
    """

    def __init__(self) -> None:
        self._memory = torch.empty(0)
        self._known: list[tuple[object, int] | None] = []  # whose contents each row holds, and how many

    @staticmethod
    def suits(caches: Sequence[Cache]) -> bool:
        """Whether the rows are several, and of like enough lengths."""
        lengths = [cache.length + 1 for cache in caches]
        return len(lengths) > 1 and len(lengths) * max(lengths) <= PADDING * sum(lengths)

    def arrange(self, caches: Sequence[Cache]) -> list[int]:
        """Give every cache a row, the one that it had if it can; returns which cache each row is."""
        count, longest = len(caches), 1 + max(cache.length for cache in caches)
        if count > len(self._known) or longest > self._memory.shape[-2]:
            layers, _, _, heads, _, d_head = caches[0].memory.shape
            rows, room = max(count, len(self._known)), 64 << max(0, (longest - 1) // 64).bit_length()
            # Zeros: what lies behind a row's end is multiplied by 0, and must be a number.
            self._memory = caches[0].memory.new_zeros(layers, 2, rows, heads, room, d_head)
            self._known = [None] * rows
        had = {key: row for row, key in enumerate(self._known[:count])}
        order, moved = [-1] * count, []
        for i, cache in enumerate(caches):
            row = had.pop((cache.contents, cache.length), None)
            if row is None:
                moved.append(i)
            else:
                order[row] = i
        for i in moved:
            row, cache = order.index(-1), caches[i]
            order[row] = i
            self._memory[:, :, row, :, : cache.length] = cache.memory[:, :, 0, :, : cache.length]
        self._caches = [caches[i] for i in order]
        lengths = torch.tensor([cache.length for cache in self._caches], device=self._memory.device)
        self._at = torch.arange(count, device=lengths.device), lengths
        behind = torch.arange(longest, device=lengths.device) > lengths[:, None]
        self._mask = self._memory.new_zeros(behind.shape).masked_fill_(behind, -torch.inf)[:, None, None]
        return order

    def attend(
        self, layer: int, heads: Float[Tensor, "batch 3 head d_head"]
    ) -> Float[Tensor, "batch d_model"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        rows, at = self._at
        memory = self._memory[layer]
        memory[:, rows, :, at] = heads[:, 1:]
        keys, values = memory[:, : len(heads), :, : self._mask.shape[-1]].unbind()
        mixed = F.scaled_dot_product_attention(heads[:, 0, :, None], keys, values, attn_mask=self._mask)
        return mixed.view(len(heads), -1)

    def write_back(self) -> None:
        """Write what the step has added to the caches themselves."""
        for row, cache in enumerate(self._caches):
            at = cache.length
            cache.memory[:, :, 0, :, at] = self._memory[:, :, row, :, at]
            self._known[row] = cache.contents, at + 1
