"""The new positions of several texts attend, each over its own text's key/value cache.

A single text's token, by views of its cache; tokens of several texts in one call, over copies of their
caches that lie side by side: twenty calls of one row each take several times as long as one of twenty
rows; and prompts, or texts of very unlike lengths, one after another.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.layers import Cache

KEPT = 4096  # positions for which there is memory beyond what a batch needs: for who comes again
PADDING = 2  # side by side, rows are as long as the longest: at most so many times as long as all together


class OneToken:
    """One token of one text. Views of all layers are made at once: one by one they take far longer."""

    def __init__(self, cache: Cache) -> None:
        memory = cache.memory.flatten(0, 1)  # all layers' keys and values in turn
        self._new = memory.narrow(-2, cache.length, 1).unbind()
        self._known = memory.narrow(-2, 0, cache.length + 1).unbind()

    def attend(self, layer: int, heads: Float[Tensor, "1 3 head d_head"]) -> Float[Tensor, "1 d_model"]:
        """Write the new keys and values of a layer, and attend with the query."""
        query, key, value = heads.view(3, 1, heads.shape[2], 1, -1).unbind()
        k, v = 2 * layer, 2 * layer + 1
        self._new[k].copy_(key)
        self._new[v].copy_(value)
        return F.scaled_dot_product_attention(query, self._known[k], self._known[v]).view(1, -1)


class OneByOne:
    """Any number of tokens of each text, a call for each text."""

    def __init__(self, caches: Sequence[Cache], counts: Sequence[int]) -> None:
        self._caches, self._counts = caches, list(counts)
        ends = [cache.length + count for cache, count in zip(caches, counts, strict=True)]
        # A token sees all before it, and itself.
        device = caches[0].memory.device
        self._masks = [
            torch.ones(count, end, dtype=torch.bool, device=device).tril(end - count)
            for count, end in zip(counts, ends, strict=True)
        ]

    def attend(
        self, layer: int, heads: Float[Tensor, "token 3 head d_head"]
    ) -> Float[Tensor, "token d_model"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        mixed = []
        parts = heads.permute(1, 2, 0, 3)[:, None].split(self._counts, -2)
        for (queries, keys, values), cache, mask in zip(parts, self._caches, self._masks, strict=True):
            keys, values = cache.extend(layer, keys, values)
            mixed.append(F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask))
        return torch.cat(mixed, -2).transpose(1, 2).reshape(len(heads), -1)


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
        behind = torch.arange(longest, device=lengths.device) > lengths[:, None]
        self._mask = self._memory.new_zeros(behind.shape).masked_fill_(behind, -torch.inf)[:, None, None]
        self._seen = self._memory[:, :, :count, :, :longest].flatten(0, 1).unbind()  # keys and values in turn
        self._scale = self._memory.shape[-1] ** -0.5
        return order

    def attend(
        self, layer: int, heads: Float[Tensor, "batch 3 head d_head"]
    ) -> Float[Tensor, "batch d_model"]:
        """Write the new keys and values of a layer, and attend with the queries."""
        rows, at = self._at
        self._memory[layer][:, rows, :, at] = heads[:, 1:]
        keys, values = self._seen[2 * layer], self._seen[2 * layer + 1]
        # Two plain products: PyTorch's one call takes half as long again for single rows.
        scores = (heads[:, 0, :, None] * self._scale) @ keys.transpose(-1, -2)
        x: Tensor = (scores.add_(self._mask).softmax(-1) @ values).view(len(heads), -1)
        return x

    def write_back(self) -> None:
        """Write what the step has added to the caches themselves."""
        rows, at = self._at
        added = self._memory[:, :, rows, :, at].unbind()
        # One call for all: one for each takes twice as long.
        torch._foreach_copy_([cache.memory[:, :, 0, :, cache.length] for cache in self._caches], added)
        for row, cache in enumerate(self._caches):
            self._known[row] = cache.contents, cache.length + 1
