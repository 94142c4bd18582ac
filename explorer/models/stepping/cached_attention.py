"""The new positions of several texts attend, each over its own text's key/value cache.

A single text's token, by views of its cache; tokens of several texts in one call, over copies of their
caches that lie side by side: twenty calls of one row each take several times as long as one of twenty
rows; and prompts, or texts of very unlike lengths, one after another.

All take queries and, side by side, the new keys and values. With fewer keys than queries, those of a group
stand for the positions of one query. `windows` has how far back each layer reads, () for everything.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.cache import Cache

KEPT = 4096  # positions for which there is memory beyond what a batch needs: for who comes again
PADDING = 2  # side by side, rows are as long as the longest: at most so many times as long as all together


Windows = Sequence[int | None]


class OneToken:
    """One token of one text. Views of all layers are made at once: one by one they take far longer."""

    def __init__(self, cache: Cache, windows: Windows = ()) -> None:
        memory, end = cache.memory.flatten(0, 1), cache.length + 1  # all layers' keys and values in turn
        self._new = memory.narrow(-2, cache.length, 1).unbind()
        self._known = memory.narrow(-2, 0, end).unbind()
        if any(window is not None and window < end for window in windows):
            starts = [max(0, end - (window or end)) for window in windows]
            self._known = tuple(rows[..., starts[i // 2] :, :] for i, rows in enumerate(self._known))
        self._kv_heads = cache.memory.shape[3]

    def attend(
        self,
        layer: int,
        queries: Float[Tensor, "1 head d_head"],
        keys_values: Float[Tensor, "1 2 kv_head d_head"],
    ) -> Float[Tensor, "1 width"]:
        """Write the new keys and values of a layer, and attend with the query."""
        key, value = keys_values.view(2, 1, self._kv_heads, 1, -1).unbind()
        k, v = 2 * layer, 2 * layer + 1
        self._new[k].copy_(key)
        self._new[v].copy_(value)
        grouped = queries.view(1, self._kv_heads, -1, queries.shape[-1])
        return F.scaled_dot_product_attention(grouped, self._known[k], self._known[v]).view(1, -1)


class OneByOne:
    """Any number of tokens of each text, a call for each text."""

    def __init__(self, caches: Sequence[Cache], counts: Sequence[int], windows: Windows = ()) -> None:
        self._caches, self._counts, self._windows = caches, list(counts), windows
        ends = [cache.length + count for cache, count in zip(caches, counts, strict=True)]
        device = caches[0].memory.device
        # A token sees all before it, as far as the window reaches, and itself.
        self._masks = {
            window: [_seen(count, end, window, device) for count, end in zip(self._counts, ends, strict=True)]
            for window in {*windows} or {None}
        }

    def attend(
        self,
        layer: int,
        queries: Float[Tensor, "token head d_head"],
        keys_values: Float[Tensor, "token 2 kv_head d_head"],
    ) -> Float[Tensor, "token width"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        mixed = []
        masks = self._masks[self._windows[layer] if self._windows else None]
        kv_heads, width = keys_values.shape[2], queries.shape[1] * queries.shape[2]
        asking = queries.unflatten(1, (kv_heads, -1)).permute(1, 2, 0, 3).split(self._counts, 2)
        new = keys_values.permute(1, 2, 0, 3)[:, None].split(self._counts, -2)
        for query, (keys, values), cache, mask in zip(asking, new, self._caches, masks, strict=True):
            keys, values = cache.extend(layer, keys, values)
            group, count = query.shape[1:3]
            rows = query.reshape(1, kv_heads, group * count, -1)
            read = F.scaled_dot_product_attention(rows, keys, values, attn_mask=mask.repeat(group, 1))
            mixed.append(read.view(kv_heads, group, count, -1).permute(2, 0, 1, 3).reshape(count, width))
        return torch.cat(mixed)


def _seen(count: int, end: int, window: int | None, device: torch.device) -> Tensor:
    """Which of `end` rows each of the last `count` reads."""
    seen = torch.ones(count, end, dtype=torch.bool, device=device).tril(end - count)
    return seen if window is None else seen.triu(end - count - window + 1)


class BatchCache:
    """Copies of several caches in one memory, kept from step to step for those who come again.

    The caches themselves stay complete: what a step adds is written to them too.
    """

    def __init__(self, windows: Windows = ()) -> None:
        self._windows = windows
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
            room = 64 << max(0, (longest - 1) // 64).bit_length()
            rows = max(count, min(len(self._known), KEPT // room))
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
            order[row], self._known[row] = i, None  # until the step has come to its end
            self._memory[:, :, row, :, : cache.length] = cache.memory[:, :, 0, :, : cache.length]
        self._caches = [caches[i] for i in order]
        lengths = torch.tensor([cache.length for cache in self._caches], device=self._memory.device)
        self._at = torch.arange(count, device=lengths.device), lengths
        after = torch.arange(longest, device=lengths.device) - lengths[:, None]
        self._masks = {
            window: self._memory.new_zeros(after.shape).masked_fill_(
                (after > 0) if window is None else (after > 0) | (after <= -window), -torch.inf
            )[:, None, None]
            for window in {*self._windows} or {None}
        }
        self._seen = self._memory[:, :, :count, :, :longest].flatten(0, 1).unbind()  # keys and values in turn
        self._scale = self._memory.shape[-1] ** -0.5
        return order

    def attend(
        self,
        layer: int,
        queries: Float[Tensor, "batch head d_head"],
        keys_values: Float[Tensor, "batch 2 kv_head d_head"],
    ) -> Float[Tensor, "batch width"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        rows, at = self._at
        self._memory[layer][:, rows, :, at] = keys_values
        keys, values = self._seen[2 * layer], self._seen[2 * layer + 1]
        # Two plain products: PyTorch's one call takes half as long again for single rows.
        grouped = queries.unflatten(1, (keys.shape[1], -1))
        scores = (grouped * self._scale) @ keys.transpose(-1, -2)
        scores += self._masks[self._windows[layer] if self._windows else None]
        read: Tensor = scores.softmax(-1) @ values
        return read.view(len(queries), -1)

    def write_back(self) -> None:
        """Write what the step has added to the caches themselves."""
        rows, at = self._at
        added = self._memory[:, :, rows, :, at].unbind()
        # One call for all: one for each takes twice as long.
        torch._foreach_copy_([cache.memory[:, :, 0, :, cache.length] for cache in self._caches], added)
        for row, cache in enumerate(self._caches):
            self._known[row] = cache.contents, cache.length + 1
