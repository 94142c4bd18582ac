"""Low-rank adaptation (Hu et al. 2021): each matrix W of the blocks becomes W + B A, and A and B are trained.

Biases and norms are small and are trained in full. The difference takes a few hundred kilobytes.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from explorer.finetuning.base_model import BLOCKS, Difference


class LowRank(nn.Module):
    """A linear map plus a change of low rank, which is 0 at first."""

    def __init__(self, linear: nn.Linear, rank: int, generator: torch.Generator) -> None:
        super().__init__()
        out, d = linear.weight.shape
        self.weight, self.bias = linear.weight, linear.bias
        self.weight.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, d, generator=generator) / d**0.5)
        self.b = nn.Parameter(torch.zeros(out, rank))

    def forward(self, x: Float[Tensor, "*pos d"]) -> Float[Tensor, "*pos out"]:
        """W x + bias + B (A x)."""
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


def insert_low_rank(network: nn.Module, rank: int, generator: torch.Generator) -> None:
    """Replace every linear map of the blocks with a LowRank."""
    for name, module in list(network.named_modules()):
        if name.startswith(BLOCKS) and isinstance(module, nn.Linear):
            parent, _, child = name.rpartition(".")
            setattr(network.get_submodule(parent), child, LowRank(module, rank, generator))


def low_rank_difference(before: nn.Module, after: nn.Module) -> Difference:
    """What training added to a network with LowRank maps: `a` and `b` of each matrix, the rest in full."""
    old = dict(before.named_parameters())
    difference: Difference = {}
    for name, parameter in after.named_parameters():
        if not name.startswith(BLOCKS) or not parameter.requires_grad:
            continue
        value = parameter.detach().clone()
        module, _, last = name.rpartition(".")
        if last in ("a", "b") and f"{module}.weight" in old:
            difference[f"{module}.weight.{last}"] = value
        else:
            difference[name] = value - old[name]
    return difference
