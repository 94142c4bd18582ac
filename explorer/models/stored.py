"""Matrices that may be stored as bfloat16, in half the memory; what is computed with them is float32.

A product reads some rows of the matrix at a time as float32, few enough for the processor's cache. So its
result is that of the same numbers stored as float32, and everything else of a network (norms, angles of
positions, scores, softmax, the residual stream) has the precision that it always has: a checkpoint that was
saved as bfloat16 loses nothing. A product takes 1.1 to 2 times as long.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

ROWS = 512  # of a matrix that are float32 at a time


class Linear(nn.Linear):
    """A linear map whose matrix may be stored as bfloat16."""

    def forward(self, x: Float[Tensor, "*pos d_in"]) -> Float[Tensor, "*pos d_out"]:
        """The map of each vector."""
        return product(x, self.weight, self.bias)


class Embedding(nn.Embedding):
    """A table of vectors that may be stored as bfloat16."""

    def forward(self, ids: Int[Tensor, "*pos"]) -> Float[Tensor, "*pos width"]:
        """The vector of each id."""
        return as_computed(super().forward(ids))


def product(
    x: Float[Tensor, "*pos d_in"], weight: Float[Tensor, "d_out d_in"], bias: Float[Tensor, "d_out"] | None
) -> Float[Tensor, "*pos d_out"]:
    """The product of vectors with a matrix, as `torch.nn.functional.linear` has it, plus the bias.

    >>> product(torch.ones(1, 2), torch.tensor([[1.0, 2.0], [3.0, 4.0]]).bfloat16(), None).tolist()
    [[3.0, 7.0]]
    """
    if weight.dtype != torch.bfloat16:
        return F.linear(x, weight, bias)
    result = torch.cat([F.linear(x, rows.to(x.dtype)) for rows in weight.split(ROWS)], dim=-1)
    return result if bias is None else result + bias


def as_computed(weight: Tensor) -> Tensor:
    """Numbers as they are computed with: those stored as bfloat16 copied to float32, others as they are."""
    return weight.float() if weight.dtype == torch.bfloat16 else weight


def matrices(network: nn.Module) -> set[str]:
    """The names of the parameters that may be stored as bfloat16; all others stay float32."""
    modules = network.named_modules()
    names = {f"{name}.weight" for name, module in modules if isinstance(module, Linear | Embedding)}
    outputs = {name for name, _ in network.named_parameters() if name.rpartition(".")[2] == "decoder"}
    return names | outputs
