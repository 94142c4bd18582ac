"""Products of few rows with a weight that is used again and again: act(x W^T + b).

Each row's result is the same, bit by bit, whatever rows stand beside it. There are two ways:

    Packed     the weight in the layout of oneDNN's kernels: many rows share one passage through it
    Streamed   loops of our own, which read the weight as fast as memory gives it (see `streaming`)

A small model stays in the processor's cache, where many rows are worth more. A large one waits for
memory, and for nothing else.
"""

from typing import Protocol

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.models.layers import ACTIVATIONS
from explorer.models.streaming import TYPES, Streamed

ROWS = 32  # of a batch, at most
LARGE = 64 * 2**20  # bytes of a model's weights that no processor's cache holds
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
    if size > LARGE and weight.dtype in TYPES and weight.device.type == "cpu":
        return Streamed(weight, bias, activation)
    return Packed(weight.detach(), None if bias is None else bias.detach(), activation)


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
