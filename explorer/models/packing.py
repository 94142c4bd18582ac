"""A copy of a network whose linear maps have their weights in oneDNN's layout, to read many texts."""

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# Packing takes as long as reading a few sentences, and the memory of a copy: it is done for a long list of
# texts, and the copy is discarded after it.
PACKED_ROWS = 32  # rows of a product for which the layout is chosen


class PackedLinear(nn.Module):
    """x W^T + b, as `nn.Linear`, with a packed weight; without oneDNN the plain product."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = plain.weight, plain.bias
        self.packed = _packed(plain.weight.detach())

    def forward(self, x: Tensor) -> Tensor:
        """The product of every row."""
        if self.packed is None:
            return F.linear(x, self.weight, self.bias)
        product = torch.ops.mkldnn._linear_pointwise.default
        rows: Tensor = product(x.flatten(0, -2), self.packed, self.bias.detach(), "none", [], "")
        return rows.view(*x.shape[:-1], -1)


def packed(module: nn.Module) -> nn.Module:
    """A copy of a network that shares its parameters and packs the weights of its linear maps."""
    if isinstance(module, nn.Linear):
        return PackedLinear(module)
    result = copy.copy(module)
    result._modules = {name: None if m is None else packed(m) for name, m in module._modules.items()}
    return result


def _packed(weight: Tensor) -> Tensor | None:
    """A copy of the weight in oneDNN's layout; None if PyTorch was built without oneDNN."""
    if weight.device.type != "cpu" or not torch.backends.mkldnn.is_available():
        return None
    if weight.dtype is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return None
    layout: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), PACKED_ROWS)
    return layout
