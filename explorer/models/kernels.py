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


@intrinsic
def _number(context, stored):
    """A stored number as float32: itself, or the 16 bits of a bfloat16, which are a float's upper half."""

    def convert(context, builder, signature, arguments):
        if stored == types.float32:
            return arguments[0]
        upper = builder.shl(builder.zext(arguments[0], ir.IntType(32)), ir.IntType(32)(16))
        return builder.bitcast(upper, ir.FloatType())

    return types.float32(stored), convert


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def times(x, weight, bias, out):
    """The product, summed in float32; `weight` holds float32, or bfloat16 as uint16."""
    # Sums may be reordered, for vectors; infinities and NaN count as ever.
    for i in range(weight.shape[0]):
        for r in range(x.shape[0]):
            total = np.float32(0)
            for j in range(weight.shape[1]):
                total += x[r, j] * _number(weight[i, j])
            out[r, i] = total + bias[i]
