"""The product of a few rows with a matrix of weights, in the faster of two exact ways."""

from collections.abc import Sequence
from time import perf_counter

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models import stored
from explorer.models.stepping.grid import MOST_BYTES, Grid, find_grid
from explorer.system.free_memory import free_bytes

FEW = 4  # rows; for many more, one product of all takes less time than one of each
ROOM = 500_000_000  # bytes that stay free for everything else
ROUNDS = 3  # of a measurement: other work on the machine only adds time


class Product:
    """A matrix and its bias; with a `grid`, a row or two are multiplied by that.

    The weights may change in place, by training for example: the grid then no longer counts.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        self.weight, self.bias = weight, bias
        self.grid: Grid | None = None
        self._version = 0

    def __call__(self, x: Float[Tensor, "row d_in"]) -> Float[Tensor, "row d_out"]:
        if self.grid is None or len(x) > FEW or self.weight._version != self._version:
            return stored.product(x, self.weight, self.bias)
        result = self.grid.multiply(x)
        return result if self.bias is None else result.add_(self.bias)

    def find_grid(self) -> bool:
        """Look for a grid, and use it if there is one."""
        if not self.weight.is_inference():  # such a tensor does not say when it changes
            self._version = self.weight._version
            self.grid = find_grid(self.weight)
        return self.grid is not None


def use_grids(products: Sequence[Product]) -> None:
    """Find the grids of a network's products, all or none, and use them if they are faster on this machine.

    Measured on as many matrices as there are, since one alone would stay in the processor's cache. Grids are
    kept beside the weights: where there is too little memory for both, they are not looked for.
    """
    free = free_bytes()
    if free is not None and free < ROOM + MOST_BYTES * sum(product.weight.numel() for product in products):
        return
    rows = [torch.ones(1, product.weight.shape[1]) for product in products]
    plain = [Product(product.weight, product.bias) for product in products]
    complete = all(product.find_grid() for product in products)
    if not (complete and _seconds(products, rows) < _seconds(plain, rows)):
        for product in products:
            product.grid = None


@torch.inference_mode()
def _seconds(products: Sequence[Product], rows: Sequence[Tensor]) -> float:
    """The shortest time of all products with a row each."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        for product, row in zip(products, rows, strict=True):
            product(row)
        times.append(perf_counter() - start)
    return min(times)
