"""A network for reading many texts: the same numbers, its weights laid out for oneDNN's kernels.

Laying them out takes as long as reading a few sentences, and a copy's memory: it is done for a
long list of texts, and forgotten after it.
"""

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn

ROWS = 32  # of a product, for which the weight is laid out


class PackedLinear(nn.Module):
    """x W^T + b, as `nn.Linear`, by a packed weight. Without oneDNN it is the plain product."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = plain.weight, plain.bias
        self.packed = _packed(plain.weight.detach())

    def forward(self, x: Tensor) -> Tensor:
        """The product of every row."""
        if self.packed is None:
            return F.linear(x, self.weight, self.bias)
        product = torch.ops.mkldnn._linear_pointwise.default
        found = product(x.flatten(0, -2), self.packed, self.bias.detach(), "none", [], "")
        return found.view(*x.shape[:-1], -1)


def packed(module: nn.Module) -> nn.Module:
    """A twin of a network that shares all its parameters and packs the weights of its linear maps."""
    if isinstance(module, nn.Linear):
        return PackedLinear(module)
    twin = copy.copy(module)
    twin._modules = {name: None if m is None else packed(m) for name, m in module._modules.items()}
    return twin


def _packed(weight: Tensor) -> Tensor | None:
    """The weight in oneDNN's layout, a copy; None where PyTorch was built without it."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available():
        return None
    if weight.dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return None
    return torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), ROWS)
