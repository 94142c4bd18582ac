"""A packed twin: the same parameters, the same numbers, and the network itself unchanged."""

import torch
from torch import nn

from explorer.models.packing import PackedLinear, packed


def test_a_twin_shares_parameters_and_leaves_the_network_as_it_was(tiny_bert):
    twin = packed(tiny_bert.network)
    ours, theirs = dict(tiny_bert.network.named_parameters()), dict(twin.named_parameters())
    assert ours.keys() <= theirs.keys() and all(theirs[name] is ours[name] for name in ours)
    assert not any(isinstance(module, PackedLinear) for module in tiny_bert.network.modules())
    assert not any(isinstance(module, nn.Linear) for module in twin.modules())


def test_a_packed_product_is_the_plain_one():
    plain = nn.Linear(37, 53)
    x = torch.randn(3, 41, 37, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        torch.testing.assert_close(PackedLinear(plain)(x), plain(x), rtol=1e-5, atol=1e-6)
        assert PackedLinear(plain)(x[:1, :1]).shape == (1, 1, 53)
