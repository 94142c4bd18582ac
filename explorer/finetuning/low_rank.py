"""Low-rank adaptation (Hu et al. 2021): each matrix W of the blocks becomes W + B A, and A and B learn.

Biases and norms are small and learn whole. What has been learnt is a few hundred kilobytes.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from explorer.finetuning.body import BLOCKS, Difference


class LowRank(nn.Module):
    """A linear map with a change of low rank beside it, which begins as none."""

    def __init__(self, plain: nn.Linear, rank: int, generator: torch.Generator) -> None:
        super().__init__()
        out, d = plain.weight.shape
        self.weight, self.bias = plain.weight, plain.bias
        self.weight.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, d, generator=generator) / d**0.5)
        self.b = nn.Parameter(torch.zeros(out, rank))

    def forward(self, x: Float[Tensor, "*pos d"]) -> Float[Tensor, "*pos out"]:
        """W x + bias + B (A x)."""
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


def insert(network: nn.Module, rank: int, generator: torch.Generator) -> None:
    """Put a LowRank in place of every linear map of the blocks."""
    for name, module in list(network.named_modules()):
        if name.startswith(BLOCKS) and isinstance(module, nn.Linear):
            above, _, last = name.rpartition(".")
            setattr(network.get_submodule(above), last, LowRank(module, rank, generator))


def taken_out(before: nn.Module, after: nn.Module) -> Difference:
    """What such a network has learnt: `a` and `b` of each matrix, and what was added to the rest."""
    old = dict(before.named_parameters())
    found: Difference = {}
    for name, parameter in after.named_parameters():
        if not name.startswith(BLOCKS) or not parameter.requires_grad:
            continue
        now = parameter.detach().clone()
        plain, _, side = name.rpartition(".")
        if side in ("a", "b") and f"{plain}.weight" in old:
            found[f"{plain}.weight.{side}"] = now
        else:
            found[name] = now - old[name]
    return found
