"""A twin of a network whose linear maps have their weights laid out for oneDNN, to read many texts."""

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Reading many texts: weights laid out for oneDNN. That takes as long as reading a few sentences, and
# a copy's memory: it is done for a long list of texts, and forgotten after it.
PACKED_ROWS = 32  # of a product, for which the weight is laid out


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
        found: Tensor = product(x.flatten(0, -2), self.packed, self.bias.detach(), "none", [], "")
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
    found: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), PACKED_ROWS)
    return found
