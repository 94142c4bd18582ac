"""A matrix of float16 times a vector of float32, compiled by numba; used by `models.stepping.product`.

A float16 is converted to a float32 by moving its bits, eight numbers at a time in compiled code: the sign to
the front, the other fifteen bits to the end of the exponent and the front of the fraction.
As exponents begin at -15 and -127, the result is the number times 2^-112, also for subnormal numbers.
Two factors of 2^56 compensate for it, so that nothing overflows in between.
"""

import numpy as np

from explorer.system.numba_cache import choose_folder

KEPT = choose_folder()  # before numba is imported

from numba import njit  # noqa: E402

FACTOR = np.float32(2.0**56)
SHIFT = np.int32(13)
BITS_KEPT = np.int32(0x0FFFE000 - 0x80000000)  # the sign, and the other fifteen bits: three copies of it go


# With its types named it is compiled here, in whichever thread imports it, and not when it is first called.
@njit(
    "void(int16[:, ::1], float32[::1], float32[::1], float32[::1])",
    cache=KEPT,
    fastmath={"reassoc", "contract", "nsz"},
    nogil=True,
)
def half_product(weights: np.ndarray, x: np.ndarray, added: np.ndarray, out: np.ndarray) -> None:
    """Write `weights @ x + added` to `out`; the weights are the bits of float16, as int16.

    >>> out = np.empty(1, np.float32)
    >>> weights = np.array([[1.5, -2.0, 0.25]], np.float16).view(np.int16)
    >>> half_product(weights, np.array([2, 1, 4], np.float32), np.array([10], np.float32), out)
    >>> out
    array([12.], dtype=float32)
    """
    rows, columns = weights.shape
    grown = np.empty(columns, np.float32)
    for j in range(columns):
        grown[j] = x[j] * FACTOR
    for i in range(rows):
        row, total = weights[i], np.float32(0.0)
        for j in range(columns):
            bits = np.int32(np.int32(np.int32(row[j]) << SHIFT) & BITS_KEPT)
            total += bits.view(np.float32) * grown[j]
        out[i] = total * FACTOR + added[i]
