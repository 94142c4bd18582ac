"""Rows times a matrix of weights; a single row with float16 weights if they are exact.

For one row such a product waits for memory: every weight is fetched and used once. The bundled checkpoints
are stored in float16, so that their float32 copy holds no more information. One row is multiplied by the
float16 values, in a loop that numba compiles (`half_product`); PyTorch computes several rows, other weights,
and everything until the loop is compiled. The two sum in different orders, and differ by rounding.
"""

import logging
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

Kernel = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


class Product:
    """`F.linear` with these weights, whose values may change.

    >>> weight = torch.tensor([[1.0, 2.0], [0.5, -4.0]])
    >>> Product(weight, torch.ones(2))(torch.tensor([[3.0, 1.0]]))
    tensor([[ 6.0000, -1.5000]])
    """

    def __init__(self, weight: Float[Tensor, "out in"], bias: Float[Tensor, "out"] | None = None) -> None:
        self.weight, self.bias = weight, bias
        self._kernel: Kernel | None = None
        self._halves = self._added = np.empty(0)
        self._version = -1

    def __call__(self, x: Float[Tensor, "row in"]) -> Float[Tensor, "row out"]:
        if self._kernel is None or len(x) > 1 or self._version != self._state():
            return F.linear(x, self.weight, self.bias)
        out = np.empty((1, len(self._halves)), np.float32)
        self._kernel(self._halves, x[0].contiguous().numpy(), self._added, out[0])
        return torch.from_numpy(out)

    def as_halves(self) -> Tensor | None:
        """The weights in float16; None if they are not exact in it, or elsewhere."""
        weight = self.weight
        if weight.dtype != torch.float32 or weight.device.type != "cpu":
            return None
        halves = weight.detach().half()
        exact = halves.isfinite().all() and torch.equal(halves.float(), weight.detach())
        return halves if exact else None

    def halve(self, kernel: Kernel) -> bool:
        """Use the kernel for single rows from now on if the weights are exact in float16; returns whether."""
        if self.weight.is_inference():
            return False  # it does not count its changes
        version, halves = self._state(), self.as_halves()
        if halves is None:
            return False
        self._halves = halves.contiguous().numpy().view(np.int16)
        self._added = np.zeros(len(halves), np.float32) if self.bias is None else self.bias.detach().numpy()
        self._version, self._kernel = version, kernel
        return True

    def _state(self) -> int:
        """The version of the weights, which changes whenever they are written to."""
        return self.weight._version


def halve(products: Sequence[Product]) -> None:
    """Halve all that can be halved; the first call in a process compiles for a second, or reads a cache."""
    if not products or products[0].as_halves() is None:
        return  # nothing is compiled for a checkpoint that is not stored in float16
    try:
        from explorer.system.half_product import half_product
    except Exception:  # numba runs on fewer machines than PyTorch, and may have no room for its compiled code
        logging.getLogger(__name__).warning("Single rows stay with PyTorch", exc_info=True)
        return
    for product in products:
        if not product.halve(half_product):
            return  # the checkpoint is not stored in float16
