"""Attention of new positions of several texts, each over its own text's key/value cache.

`SingleToken` reads one text's token by views of its cache. `BatchCache` reads tokens of several texts in one
call, over copies of their caches: twenty calls of one row take several times as long as one of twenty rows.
`Sequential` reads prompts, or texts of very different lengths, one after another.

All take queries, and the new keys and values side by side. With fewer keys than queries, the queries of a
group are treated as positions of one query. `windows` has how far back each layer reads, () for everything;
`scoring` is what is done to scores before the softmax.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.cache import Cache
from explorer.models.scoring import PLAIN, Scoring, capped

KEPT = 4096  # positions of spare rows kept allocated for returning requests
PADDING = 2  # a batch is as long as its longest row: at most this many times its tokens


Windows = Sequence[int | None]


class SingleToken:
    """One token of one text. Views of all layers are created at once: one by one they take far longer."""

    def __init__(self, cache: Cache, windows: Windows = (), scoring: Scoring = PLAIN) -> None:
        memory, end = cache.memory.flatten(0, 1), cache.length + 1  # all layers' keys and values in turn
        self._new = memory.narrow(-2, cache.length, 1).unbind()
        self._rows = memory.narrow(-2, 0, end).unbind()
        if any(window is not None and window < end for window in windows):
            starts = [max(0, end - (window or end)) for window in windows]
            self._rows = tuple(rows[..., starts[i // 2] :, :] for i, rows in enumerate(self._rows))
        self._kv_heads, self._cap = cache.memory.shape[3], scoring.cap
        bias = scoring.bias(1, end, cache.memory)
        self._bias = None if bias is None else bias.view(1, self._kv_heads, -1, end)

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
        return _attention(grouped, self._rows[k], self._rows[v], self._bias, self._cap).view(1, -1)


class Sequential:
    """Any number of tokens of each text, with one call per text."""

    def __init__(
        self, caches: Sequence[Cache], counts: Sequence[int], windows: Windows = (), scoring: Scoring = PLAIN
    ) -> None:
        self._caches, self._counts, self._windows, self._cap = caches, list(counts), windows, scoring.cap
        ends = [cache.length + count for cache, count in zip(caches, counts, strict=True)]
        like, kv_heads = caches[0].memory, caches[0].memory.shape[3]
        self._masks = {
            window: [
                _mask(count, end, window, scoring, like, kv_heads)
                for count, end in zip(counts, ends, strict=True)
            ]
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
            added = mask.repeat(group, 1) if mask.ndim == 2 else mask
            read = _attention(rows, keys, values, added, self._cap)
            mixed.append(read.view(kv_heads, group, count, -1).permute(2, 0, 1, 3).reshape(count, width))
        return torch.cat(mixed)


def _attention(
    queries: Tensor, keys: Tensor, values: Tensor, added: Tensor | None, cap: float | None
) -> Tensor:
    """Attention with a mask, or with numbers that are added to the scores."""
    if cap is None:
        return F.scaled_dot_product_attention(queries, keys, values, attn_mask=added)
    scores = capped(queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5, cap)
    if added is not None:
        scores = scores.masked_fill(~added, -torch.inf) if added.dtype == torch.bool else scores + added
    read: Tensor = scores.softmax(-1) @ values
    return read


def _mask(count: int, end: int, window: int | None, scoring: Scoring, like: Tensor, kv_heads: int) -> Tensor:
    """Which of `end` rows each of the last `count` reads: those up to itself, within the window.

    With ALiBi [1, kv_head, group * count, end]: what is added to the scores.
    """
    causal = torch.ones(count, end, dtype=torch.bool, device=like.device).tril(end - count)
    readable = causal if window is None else causal.triu(end - count - window + 1)
    bias = scoring.bias(count, end, like)
    return readable if bias is None else bias.masked_fill(~readable, -torch.inf).view(1, kv_heads, -1, end)


class BatchCache:
    """Copies of several caches in one memory, kept from step to step for texts that continue.

    The caches themselves stay complete: a step's new rows are written to them too.
    """

    def __init__(self, windows: Windows = (), scoring: Scoring = PLAIN) -> None:
        self._windows, self._scoring = windows, scoring
        self._memory = torch.empty(0)
        self._contents: list[tuple[object, int] | None] = []  # of each row, and its length

    @staticmethod
    def can_batch(caches: Sequence[Cache]) -> bool:
        """Whether there are several rows, of similar lengths."""
        lengths = [cache.length + 1 for cache in caches]
        return len(lengths) > 1 and len(lengths) * max(lengths) <= PADDING * sum(lengths)

    def arrange(self, caches: Sequence[Cache]) -> list[int]:
        """Assign a row to every cache, its former one if possible; returns the index of each row's cache."""
        count, longest = len(caches), 1 + max(cache.length for cache in caches)
        if count > len(self._contents) or longest > self._memory.shape[-2]:
            layers, _, _, heads, _, d_head = caches[0].memory.shape
            room = 64 << max(0, (longest - 1) // 64).bit_length()
            rows = max(count, min(len(self._contents), KEPT // room))
            # Zeros: values after a row's end are multiplied by 0, and must be finite.
            self._memory = caches[0].memory.new_zeros(layers, 2, rows, heads, room, d_head)
            self._contents = [None] * rows
        former = {key: row for row, key in enumerate(self._contents[:count])}
        order, moved = [-1] * count, []
        for i, cache in enumerate(caches):
            row = former.pop((cache.contents, cache.length), None)
            if row is None:
                moved.append(i)
            else:
                order[row] = i
        for i in moved:
            row, cache = order.index(-1), caches[i]
            order[row], self._contents[row] = i, None  # until the step ends
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
        if self._scoring.slopes is not None:
            slopes = torch.tensor(self._scoring.slopes).to(self._memory)
            bias = slopes.view(self._memory.shape[3], -1, 1) * after[:, None, None]
            self._masks = {window: mask + bias for window, mask in self._masks.items()}
        self._keys_values = self._memory[:, :, :count, :, :longest].flatten(0, 1).unbind()
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
        keys, values = self._keys_values[2 * layer], self._keys_values[2 * layer + 1]
        # Two plain products: PyTorch's fused call takes 1.5 times as long for single rows.
        grouped = queries.unflatten(1, (keys.shape[1], -1))
        scores = capped((grouped * self._scale) @ keys.transpose(-1, -2), self._scoring.cap)
        scores += self._masks[self._windows[layer] if self._windows else None]
        read: Tensor = scores.softmax(-1) @ values
        return read.view(len(queries), -1)

    def write_back(self) -> None:
        """Write the step's new rows to the caches themselves."""
        rows, at = self._at
        added = self._memory[:, :, rows, :, at].unbind()
        # One call for all rows: one per row takes twice as long.
        torch._foreach_copy_([cache.memory[:, :, 0, :, cache.length] for cache in self._caches], added)
        for row, cache in enumerate(self._caches):
            self._contents[row] = cache.contents, cache.length + 1
