"""A network for reading many texts: the same numbers, its weights laid out for oneDNN's kernels.

Laying them out takes as long as reading a few sentences, and a copy's memory: it is done for a
long list of texts, and forgotten after it.
"""

import copy

from torch import Tensor, nn

from explorer.models.products import Packed


class PackedLinear(nn.Module):
    """x W^T + b, as `nn.Linear`, by a packed weight."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = plain.weight, plain.bias
        self.product = Packed(plain.weight.detach(), plain.bias.detach())

    def forward(self, x: Tensor) -> Tensor:
        """The product of every row."""
        return self.product(x.flatten(0, -2)).view(*x.shape[:-1], -1)


def packed(module: nn.Module) -> nn.Module:
    """A twin of a network that shares all its parameters and packs the weights of its linear maps."""
    if isinstance(module, nn.Linear):
        return PackedLinear(module)
    twin = copy.copy(module)
    twin._modules = {name: None if m is None else packed(m) for name, m in module._modules.items()}
    return twin
