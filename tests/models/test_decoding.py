"""The quick way to read one token of many texts, against the network that everything else uses."""

import pytest
import torch

from explorer.models import FAMILIES, products
from explorer.models.decoding import Decoder
from explorer.models.gpt import GptConfig
from explorer.models.products import ROWS, Packed

SIZES = [(26, 2, 31, 270), (33, 3, 47, 293), (64, 4, 256, 1000)]


def network(d_model=26, heads=2, d_mlp=31, d_vocab=270, dtype=torch.float32, **settings):
    """Random weights that leave no distribution flat."""
    config = GptConfig(d_vocab, d_model, 3, heads, d_mlp, positions=41, **settings)
    made = FAMILIES["gpt2"].network(config)
    generator = torch.Generator().manual_seed(7)
    for parameter in made.parameters():
        parameter.data = (torch.randn(parameter.shape, generator=generator) * 0.2).to(dtype)
    return made.eval().requires_grad_(False)


@pytest.fixture(params=["packed", "plain", "streamed"])
def way(request, monkeypatch):
    """With oneDNN's layout of the weights; where PyTorch has none; and as large models do it."""
    if request.param == "plain":
        monkeypatch.setattr(products, "_packed", lambda weight: None)
        monkeypatch.setattr(products, "_fewest", {})
    if request.param == "streamed":
        monkeypatch.setattr(products, "LARGE", 0)


def ragged(net, decoder, lengths):
    """A cache for each length, that many tokens read."""
    caches = []
    for row, length in enumerate(lengths):
        cache = net.new_cache(capacity=40)
        decoder.read((torch.arange(length) * 7 + row) % net.config.d_vocab, cache)
        caches.append(cache)
    return caches


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("settings", [{}, {"activation": "gelu"}, {"activation": "silu"}, {"tied": False}])
def test_a_step_equals_reading_everything(sizes, settings, way):
    net = network(*sizes, **settings)
    decoder = Decoder(net)
    texts = [
        [(i * 7 + row) % net.config.d_vocab for i in range(length)] for row, length in enumerate((1, 4, 9))
    ]
    caches = ragged(net, decoder, [len(text) for text in texts])
    for new in ([5, 6, 7], [1, 1, 0]):
        logits = decoder.scores(decoder.step(new, caches))
        for text, id, row in zip(texts, new, logits, strict=True):
            text.append(id)
            with torch.no_grad():
                expected = net.unembed(net(torch.tensor([text])).last[0, -1])
            torch.testing.assert_close(row, expected, atol=2e-5, rtol=2e-5)
    assert [cache.length for cache in caches] == [3, 6, 11]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("sizes", SIZES)
def test_rows_come_out_the_same_in_any_company(sizes, dtype, way):
    net = network(*sizes, dtype=dtype)
    decoder = Decoder(net)
    lengths = [1 + row * 5 % 17 for row in range(ROWS)]
    ids = [row % 5 for row in range(ROWS)]
    alone = []
    for row, cache in enumerate(ragged(net, decoder, lengths)):
        states = decoder.step([ids[row]], [cache])
        states = decoder.step([3], [cache])
        alone.append((states[0], decoder.scores(states)[0]))
    for count in (2, 3, 5, 8, 13, 20, ROWS):
        caches = ragged(net, decoder, lengths)[-count:]
        decoder.step(ids[-count:], caches)
        states = decoder.step([3] * count, caches)
        logits = decoder.scores(states)
        for row in range(count):
            assert torch.equal(states[row], alone[row - count][0])
            assert torch.equal(logits[row], alone[row - count][1])


def test_bfloat16_is_close_to_float32(way):
    exact, rough = (network(*SIZES[2], dtype=dtype) for dtype in (torch.float32, torch.bfloat16))
    found = []
    for net in (exact, rough):
        decoder = Decoder(net)
        caches = ragged(net, decoder, [6, 3])
        assert caches[0].memory.dtype is net.tokens.weight.dtype
        found.append(decoder.scores(decoder.step([1, 2], caches)))
    assert all(logits.dtype is torch.float32 for logits in found)
    spread = found[0].std()
    assert (found[0] - found[1]).abs().max() < 0.15 * spread


def test_rows_are_filled_up_where_a_kernel_goes_by_their_number(monkeypatch):
    """A product whose sums depend on the number of rows below eight."""

    class Odd(Packed):
        def of(self, x, plus=None):
            y = super().of(x, plus)
            return y + 1e-3 if len(x) < 8 else y

    monkeypatch.setattr(products, "_fewest", {})
    weight, bias = torch.randn(31, 16), torch.randn(31)
    product, plain = Odd(weight, bias), Packed(weight, bias)
    assert product.fewest == 8, "the least of those compared from which all agree"
    x, plus = torch.randn(11, 16), torch.randn(11, 31)
    for rows in (1, 3, 7, 11):
        assert torch.equal(product(x[:rows]), product(x)[:rows])
    assert torch.equal(product.of(x[:8], plus[:8]), product.of(x, plus)[:8])
    torch.testing.assert_close(product(x), x @ weight.T + bias, atol=1e-5, rtol=1e-5)
    assert plain.fewest <= ROWS


def test_only_new_weights_are_laid_out_anew(way):
    net = network()
    decoder = Decoder(net)
    before = decoder.layers
    decoder.refresh()
    assert decoder.layers is before
    with torch.no_grad():
        net.blocks[1].mlp.up.bias.add_(1)
    decoder.refresh()
    assert decoder.layers is not before


def test_a_large_model_keeps_its_weights_once(monkeypatch):
    monkeypatch.setattr(products, "LARGE", 0)
    net = network()
    expected = net.unembed(net(torch.tensor([[3, 1, 4]])).last)
    decoder = Decoder(net)
    for layer, block in zip(decoder.layers, net.blocks, strict=True):
        linear = (block.attention.qkv, block.attention.output, block.mlp.up, block.mlp.down)
        for product, module in zip(layer.products, linear, strict=True):
            assert product.weight.data_ptr() == module.weight.data_ptr()
    torch.testing.assert_close(net.unembed(net(torch.tensor([[3, 1, 4]])).last), expected)
