"""Weights that a file stores in 4 or 8 bits lie on a grid: recovered from the numbers, and exact.

Q4_0, Q4_1 and Q8_0 of GGUF give 32 weights of a row a common scale (and Q4_1 an offset): each weight is
`scale * q + offset` with a small whole number q. A step for one text waits for the memory that holds the
weights. Reading the q's in their place takes less than half the time, and the sums are of the same numbers in
the same float32: only their order differs, as between one row and several. Where the numbers lie on no such
grid, or no longer, the plain product is taken.
"""

from collections.abc import Callable
from functools import cache
from inspect import unwrap
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from explorer.system.numba_cache import import_numba

BLOCK = 32  # weights that share a scale and an offset
LANES = 64  # outputs that are summed side by side
MOST_BYTES = 1.25  # a weight: 8 bits, and 8 bytes for the scale and the offset of 32
AHEAD = 2  # blocks that are fetched while one is multiplied
PIECE = 16 * LANES  # rows that are looked at at a time: they stay in the processor's cache


class Grid(NamedTuple):
    """A matrix as scales, offsets and signed numbers of a few bits, ordered as `multiply` reads them.

    `words` [part, block, word, lane] hold 32 / bits inputs each; `scale` and `offset` are
    [part, block, lane].
    """

    bits: int
    outputs: int
    words: NDArray[np.int32]
    scale: NDArray[np.float32]
    offset: NDArray[np.float32]

    def multiply(self, x: Float[Tensor, "row d_in"]) -> Float[Tensor, "row d_out"]:
        """The product with each row of `x`, one row at a time."""
        out = x.new_empty(len(x), len(self.words) * LANES)
        product = _product(self.bits)
        for row, result in zip(x.numpy(), out.numpy(), strict=True):
            product(self.words, self.scale, self.offset, row, result)
        return out[:, : self.outputs]


def find_grid(weight: Float[Tensor, "d_out d_in"]) -> Grid | None:
    """The grid that a matrix lies on, every number of it to the last bit, or None."""
    if weight.dtype != torch.float32 or weight.device.type != "cpu" or weight.shape[1] % BLOCK:
        return None
    for way in (_from_ends, _from_largest, _from_largest_of_8_bits):
        parts = []
        for rows in weight.detach().split(PIECE):
            blocks = rows.unflatten(1, (-1, BLOCK))
            bits, scale, offset, lowest = way(blocks)
            whole = ((blocks - offset) / scale.where(scale != 0, 1)).round_()
            if not torch.equal(whole * scale + offset, blocks) or whole.abs().max() >= 2**bits:
                break
            parts.append(_order(whole + lowest, scale, offset - lowest * scale, bits))
        else:
            return Grid(bits, len(weight), *(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    return None


def _from_ends(blocks: Tensor) -> tuple[int, Tensor, Tensor, int]:
    """Q4_1: the lowest weight is 0 steps above the offset, the highest 15."""
    low, high = blocks.amin(-1, True), blocks.amax(-1, True)
    return 4, (high - low) / 15, low, -8


def _from_largest(blocks: Tensor) -> tuple[int, Tensor, Tensor, int]:
    """Q4_0: the weight of largest size is -8 steps from 0."""
    return 4, _largest(blocks) / -8, torch.zeros(1), 0


def _from_largest_of_8_bits(blocks: Tensor) -> tuple[int, Tensor, Tensor, int]:
    """Q8_0: the weight of largest size is 127 steps from 0."""
    return 8, _largest(blocks).abs() / 127, torch.zeros(1), 0


def _largest(blocks: Tensor) -> Tensor:
    low, high = blocks.amin(-1, True), blocks.amax(-1, True)
    return torch.where(-low > high, low, high)


def _order(whole: Tensor, scale: Tensor, offset: Tensor, bits: int) -> tuple[NDArray[Any], ...]:
    """Words of numbers moved above 0, scales and offsets; the rows in parts, innermost, filled with zeros."""
    numbers = (whole + 2 ** (bits - 1)).to(torch.uint8).numpy()
    if bits == 4:
        numbers = numbers[..., 0::2] | numbers[..., 1::2] << 4
    words = np.ascontiguousarray(numbers).view(np.int32)
    offset = offset.expand_as(scale)

    def lanes(array: NDArray[Any]) -> NDArray[Any]:
        filled = np.pad(array, [(0, -len(array) % LANES)] + [(0, 0)] * (array.ndim - 1))
        return np.ascontiguousarray(np.moveaxis(filled.reshape(-1, LANES, *array.shape[1:]), 1, -1))

    return lanes(words), lanes(scale[..., 0].numpy()), lanes(offset[..., 0].numpy())


@cache
def _product(bits: int) -> Callable[..., None]:
    """A compiled product of a grid with one row of inputs, computed by the processor's vector units."""
    fields, half = 32 // bits, 2 ** (bits - 1)
    prefetch, line = prefetcher(), 16  # numbers of four bytes that the memory brings at once

    def multiply(words: Any, scale: Any, offset: Any, x: Any, out: Any) -> None:
        sums = np.empty(LANES, np.float32)
        for part in range(words.shape[0]):
            result = out[part * LANES : (part + 1) * LANES]
            result[:] = 0
            for block in range(words.shape[1]):
                later = (part * words.shape[1] + block + AHEAD) * LANES
                for lane in range(0, LANES, line):
                    prefetch(scale, later + lane)
                    prefetch(offset, later + lane)
                    for word in range(bits):
                        prefetch(words, later * bits + word * LANES + lane)
                first, total = block * BLOCK, np.float32(0)
                for i in range(BLOCK):
                    total += x[first + i]
                sums[:] = 0
                for word in range(bits):
                    for lane in range(LANES):
                        packed, sum = words[part, block, word, lane], sums[lane]
                        for i in range(fields):
                            whole = np.int32(((packed >> (bits * i)) & (2 * half - 1)) - half)
                            sum += x[first + word * fields + i] * np.float32(whole)
                        sums[lane] = sum
                for lane in range(LANES):
                    result[lane] += sums[lane] * scale[part, block, lane] + total * offset[part, block, lane]

    arrays = "int32[:,:,:,::1], float32[:,:,::1], float32[:,:,::1], float32[::1], float32[::1]"
    # fastmath: the order of summation is free, as in PyTorch's own products.
    options = {"nopython": True, "nogil": True, "fastmath": True, "error_model": "numpy"}
    # Unwrapped: where annotations are checked, every function is wrapped.
    compiled: Callable[..., None] = import_numba().jit(f"void({arrays})", **options)(unwrap(multiply))
    return compiled


@cache
def prefetcher() -> Callable[[Any, int], None]:
    """A function for compiled code: bring element `index` of an array's memory into the processor's cache.

    A hint that changes no number: an index beyond the array does no harm.
    """
    import_numba()
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def prefetch(typing: Any, array: Any, index: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            first, number = context.make_array(array)(context, builder, values[0]).data, ir.IntType(32)
            address = builder.bitcast(builder.gep(first, [values[1]]), ir.IntType(8).as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
            hint = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
            builder.call(hint, [address, number(0), number(3), number(1)])  # to read; keep; data
            return context.get_dummy_value()

        return types.void(array, index), build

    hint: Callable[[Any, int], None] = intrinsic(unwrap(prefetch))
    return hint
