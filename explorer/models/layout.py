"""Weights laid out for the compiled loops that write text (see `kernels`).

A small model stays in the processor's cache, where many rows are worth more: its weights are copied
into panels. A large one waits for memory and for nothing else: its weights move to large pages as they
are, and their owner's with them, so that there is no second copy.
"""

import mmap
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

LARGE = 64 * 2**20  # bytes of a model's weights that no processor's cache holds
PAGE = 2 * 2**20  # bytes of a large page
# Memory of this process alone: the system gives large pages to no other.
PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def laid_out(weights: Sequence[Tensor], large: bool) -> np.ndarray:
    """Weights of one shape [d_out, d_in], stacked: as matrices [n, d_out, d_in], or in panels."""
    return numbers(_moved(weights) if large else torch.stack([panels(w.detach()) for w in weights]))


def panels(weight: Tensor) -> Tensor:
    """A copy [panel, d_in, lane]: lane l of panel p is row 32 p + l of the weight, or nothing."""
    from explorer.models.kernels import LANES

    d_out, d_in = weight.shape
    padded = torch.nn.functional.pad(weight, (0, 0, 0, -d_out % LANES))
    return padded.view(-1, LANES, d_in).transpose(1, 2).contiguous()


def padded(biases: Sequence[Tensor], width: int) -> np.ndarray:
    """Biases as float32 [n, width], 0 beyond their end."""
    rows = [torch.nn.functional.pad(b.detach().float(), (0, width - len(b))) for b in biases]
    return torch.stack(rows).numpy()


def width(weights: np.ndarray) -> int:
    """How many numbers a product with one of the stacked weights gives."""
    return weights.shape[1] if weights.ndim == 3 else weights.shape[1] * weights.shape[3]


def numbers(tensor: Tensor) -> np.ndarray:
    """The same memory for NumPy, which does not know bfloat16: its bits as uint16."""
    return (tensor.view(torch.uint16) if tensor.dtype is torch.bfloat16 else tensor).numpy()


def _moved(weights: Sequence[Tensor]) -> Tensor:
    """Weights moved together, in large pages where the system has them: the way there is a fifth shorter."""
    size = sum(w.nbytes for w in weights)
    memory = mmap.mmap(-1, size + PAGE, **PRIVATE)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    room = torch.frombuffer(memory, dtype=torch.uint8)
    room = room[-room.data_ptr() % PAGE :][:size]  # the system gives whole pages only
    stack = room.view(weights[0].dtype).view(len(weights), *weights[0].shape)
    for weight, place in zip(weights, stack, strict=True):
        place.copy_(weight.detach())
        weight.data = place
    return stack
