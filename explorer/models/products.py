"""Products of few rows with a weight that is used again and again: act(x W^T + b).

Each row's result is the same, bit by bit, whatever rows stand beside it. There are two ways:

    Packed     the weight in the layout of oneDNN's kernels: many rows share one passage through it
    OneByOne   a matrix times a vector, row after row: nothing reads a weight from memory as fast

A small model stays in the processor's cache, where many rows are worth more. A large one in float32
waits for memory: GPT-2 small's weights go by at 20 GB/s the second way and at 12 the first, where a
sum of as many numbers reads 26 (one thread of an EPYC of 2023).
"""

import mmap
from functools import cache
from typing import Protocol

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.layers import ACTIVATIONS

ROWS = 32  # of a batch, at most
LARGE = 64 * 2**20  # bytes of a model's weights that no processor's cache holds
ALIGNMENT = 64  # bytes at which PyTorch lets a tensor begin
# Row counts, around the sizes of kernels' tiles; with fewer than four rows oneDNN's take longer.
COMPARED = (4, 5, 7, 8, 12, 16, 20, 31)
# What a packed product can do to its result before it is written: a name, and a way to compute it.
FUSED = {
    "": ("none", ""),
    "gelu": ("gelu", "none"),
    "gelu_new": ("gelu", "tanh"),
    "gelu_pytorch_tanh": ("gelu", "tanh"),
    "relu": ("relu", ""),
}
# Memory of this process alone: the system gives large pages to no other.
PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
_fewest: dict[tuple, int] = {}


class Product(Protocol):
    """act(x W^T + b); `fewest` is the number of rows from which they come out the same in any company."""

    fewest: int

    def __call__(self, x: Float[Tensor, "batch d_in"]) -> Float[Tensor, "batch d_out"]:
        """The product of any number of rows."""

    def of(
        self, x: Float[Tensor, "batch d_in"], plus: Float[Tensor, "batch d_out"] | None = None
    ) -> Float[Tensor, "batch d_out"]:
        """The product of `fewest` rows or more, added to `plus` where that is given."""


def product(weight: Tensor, bias: Tensor | None, size: int, activation: str = "") -> Product:
    """The product for a weight of a model whose weights take `size` bytes."""
    weight, bias = weight.detach(), None if bias is None else bias.detach()
    if size > LARGE and weight.dtype is torch.float32 and weight.device.type == "cpu":
        return OneByOne(weight, bias, activation)
    return Packed(weight, bias, activation)


class OneByOne:
    """A row at a time, by NumPy's BLAS, with the weight turned so that it is read from end to end."""

    fewest = 1

    def __init__(self, weight: Tensor, bias: Tensor | None, activation: str = "") -> None:
        _share_threads(torch.get_num_threads())
        self.weight, self.bias, self.activation = _on_large_pages(weight.t()), bias, activation

    def __call__(self, x: Tensor) -> Tensor:
        return self.of(x)

    def of(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        additions = [None] * len(x) if plus is None else plus
        rows = [self._row(row, addition) for row, addition in zip(x, additions, strict=True)]
        return rows[0][None] if len(rows) == 1 else torch.stack(rows)

    def _row(self, x: Tensor, plus: Tensor | None) -> Tensor:
        """One row, in memory of its own: kernels go by where a row begins, too."""
        y = x.new_empty(self.weight.shape[1])
        x = x if x.data_ptr() % ALIGNMENT == 0 else x.clone()
        x.numpy().dot(self.weight, out=y.numpy())
        if self.bias is not None:
            y += self.bias
        if self.activation:
            y = ACTIVATIONS[self.activation](y)
        return y if plus is None else y.add_(plus)


class Packed:
    """All rows at once, the weight laid out for kernels whose sums go by the weight's shape alone.

    `fewest` is the number of rows from which that holds: found by comparison, since it depends on
    the processor, and made up for by empty rows. Without oneDNN it is a plain product.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, activation: str = "") -> None:
        self.weight, self.bias, self.activation = weight, bias, activation
        self.packed = _packed(weight) if activation in FUSED else None

        if self.packed is not None:
            self._kind, self._algorithm = FUSED[activation]
            self._product = torch.ops.mkldnn._linear_pointwise.default
            self._sum = torch.ops.mkldnn._linear_pointwise.binary
        self.fewest = self._find_fewest()

    def __call__(self, x: Tensor) -> Tensor:
        missing = max(self.fewest - x.shape[0], 0)
        return self.of(F.pad(x, (0, 0, 0, missing)))[: x.shape[0]] if missing else self.of(x)

    def of(self, x: Tensor, plus: Tensor | None = None) -> Tensor:
        if self.packed is None:
            y = F.linear(x, self.weight, self.bias)
            y = ACTIVATIONS[self.activation](y) if self.activation else y
            return y if plus is None else y + plus
        if plus is not None:
            return self._sum(x, plus, self.packed, self.bias, "add")
        return self._product(x, self.packed, self.bias, self._kind, [], self._algorithm)

    def _find_fewest(self) -> int:
        (d_out, d_in), dtype = self.weight.shape, self.weight.dtype
        key = (d_out, d_in, dtype, self.activation, self.packed is None, torch.get_num_threads())
        if key not in _fewest:
            generator = torch.Generator().manual_seed(0)
            x, plus = (torch.randn(ROWS, d, generator=generator).to(dtype) for d in (d_in, d_out))
            additions = (None,) if self.activation else (None, plus)
            wanted = [self.of(x, p) for p in additions]
            fewest = ROWS
            for rows in reversed(COMPARED):
                found = [self.of(x[:rows], None if p is None else p[:rows]) for p in additions]
                if not all(torch.equal(f, w[:rows]) for f, w in zip(found, wanted, strict=True)):
                    break
                fewest = rows
            _fewest[key] = fewest
        return _fewest[key]


def _packed(weight: Tensor) -> Tensor | None:
    """The weight in oneDNN's layout, a copy; None where PyTorch was built without it."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available():
        return None
    if weight.dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return None
    return torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), ROWS)


@cache
def _share_threads(count: int) -> None:
    """Give NumPy's BLAS as many threads as PyTorch has: more would stall each other among visitors."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(count, user_api="blas")


def _on_large_pages(matrix: Tensor) -> np.ndarray:
    """A copy, in pages of 2 MB where the system has them: the processor finds its way a tenth faster."""
    memory = mmap.mmap(-1, matrix.nbytes, **PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    copy = np.frombuffer(memory, dtype=np.float32).reshape(matrix.shape)
    copy[:] = matrix.numpy()
    return copy
