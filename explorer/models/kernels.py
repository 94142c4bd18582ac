"""Compiled loops for what PyTorch leaves slow: a product that reads its weight once, from end to end.

    out[r, i] = sum over j of x[r, j] weight[i, j]  +  bias[i]

Every sum is made by the same loop, whatever rows stand beside it and wherever they lie in memory,
so that a row comes out the same, bit by bit, in any company.

Import this where it is needed: the compiler takes a moment, its results are kept on disk.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# Sums may be reordered, for vectors; infinities and NaN count as ever.
_compiled = njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})


@intrinsic
def _float_of(context, bits):
    """The float32 of these 32 bits."""

    def convert(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.uint32), convert


@_compiled
def times_float32(x, weight, bias, out):
    """The product, in float32 throughout."""
    for i in range(weight.shape[0]):
        for r in range(x.shape[0]):
            total = np.float32(0)
            for j in range(weight.shape[1]):
                total += x[r, j] * weight[i, j]
            out[r, i] = total + bias[i]


@_compiled
def times_bfloat16(x, weight, bias, out):
    """The same for a weight of the upper halves of floats, which is what bfloat16 is."""
    for i in range(weight.shape[0]):
        for r in range(x.shape[0]):
            total = np.float32(0)
            for j in range(weight.shape[1]):
                total += x[r, j] * _float_of(np.uint32(weight[i, j]) << np.uint32(16))
            out[r, i] = total + bias[i]
