"""Products of a model whose weights no cache holds: act(x W^T + b) at the speed of memory.

GPT-2 small's weights go by at 34 GB/s, as fast as they can be summed up; BLAS's product of a matrix
and a vector gets 25, oneDNN's of few rows 20 (one thread of an AMD EPYC). All rows of a batch
share one passage.
"""

import mmap

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models.layers import ACTIVATIONS

TYPES = (torch.float32, torch.bfloat16)
PAGE = 2 * 2**20  # bytes of a large page
# Memory of this process alone: the system gives large pages to no other.
PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


class Streamed:
    """The product with a weight that is read from end to end; summed in float32 for either type.

    The weight moves to large pages, and its owner's with it: there is no second copy.
    """

    fewest = 1

    def __init__(self, weight: Tensor, bias: Tensor | None, activation: str = "") -> None:
        from explorer.models.kernels import times

        weight.data = on_large_pages(weight.detach())
        self.weight, self.activation = weight.detach(), activation
        zero = weight.new_zeros(len(weight), dtype=torch.float32)
        self.bias = (zero if bias is None else bias.detach().float()).numpy()
        half = weight.dtype is torch.bfloat16  # a type that NumPy does not know
        self._times, self._numbers = times, (self.weight.view(torch.uint16) if half else self.weight).numpy()

    def __call__(self, x: Tensor) -> Tensor:
        return self.of(x)

    def of(self, x: Float[Tensor, "batch d_in"], plus: Tensor | None = None) -> Float[Tensor, "batch d_out"]:
        """The product of any number of rows, added to `plus` where that is given."""
        y = torch.empty(len(x), len(self.bias))
        self._times(x.float().contiguous().numpy(), self._numbers, self.bias, y.numpy())
        if self.activation:  # row by row: what is left over at the end of a vector is computed otherwise
            for row in y:
                row.copy_(ACTIVATIONS[self.activation](row))
        if plus is not None:
            y += plus
        return y.to(x.dtype)


def on_large_pages(matrix: Tensor) -> Tensor:
    """A copy, in large pages where the system has them: the processor finds its way a fifth faster."""
    memory = mmap.mmap(-1, matrix.nbytes + PAGE, **PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    room = torch.frombuffer(memory, dtype=torch.uint8)
    room = room[-room.data_ptr() % PAGE :][: matrix.nbytes]  # the system gives whole pages only
    return room.view(matrix.dtype).view(matrix.shape).copy_(matrix)
