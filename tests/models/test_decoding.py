"""The quick way to read one token of many texts, against the network that everything else uses."""

import pytest
import torch

from explorer.models import FAMILIES, layout
from explorer.models.decoding import ROWS, Decoder
from explorer.models.gpt import GptConfig

SIZES = [(26, 2, 31, 270), (33, 3, 47, 293), (64, 4, 256, 1000)]


def network(d_model=26, heads=2, d_mlp=31, d_vocab=270, dtype=torch.float32, **settings):
    """Random weights that leave no distribution flat."""
    config = GptConfig(d_vocab, d_model, 3, heads, d_mlp, positions=41, **settings)
    made = FAMILIES["gpt2"].network(config)
    generator = torch.Generator().manual_seed(7)
    for parameter in made.parameters():
        parameter.data = (torch.randn(parameter.shape, generator=generator) * 0.2).to(dtype)
    return made.eval().requires_grad_(False)


@pytest.fixture(params=["panels", "matrices"])
def way(request, monkeypatch):
    """The layout of the weights: as small models have it, and as large ones do."""
    if request.param == "matrices":
        monkeypatch.setattr(layout, "LARGE", 0)


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


def test_a_full_cache_is_told():
    net = network()
    decoder, cache = Decoder(net), net.new_cache(capacity=2)
    for _ in range(2):
        decoder.step([1], [cache])
    with pytest.raises(IndexError, match="position 2"):
        decoder.step([1], [cache])


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


def test_only_new_weights_are_laid_out_anew(way):
    net = network()
    decoder = Decoder(net)
    cache = net.new_cache(capacity=9)

    def scores():
        cache.length = 0
        return decoder.scores(decoder.step([3], [cache]))

    before, laid_out = scores(), decoder._parts
    decoder.refresh()
    assert decoder._parts is laid_out
    with torch.no_grad():
        net.blocks[1].mlp.up.bias.add_(1)
    assert torch.equal(scores(), before), "nobody has said that there are new ones"
    decoder.refresh()
    assert not torch.equal(scores(), before)


def test_a_large_model_keeps_its_weights_once(monkeypatch):
    monkeypatch.setattr(layout, "LARGE", 0)
    net = network()
    ids = torch.tensor([[3, 1, 4]])
    expected = net.unembed(net(ids).last)
    decoder = Decoder(net)
    laid_out = [matrix for stack in decoder._parts[3] for matrix in stack] + [decoder._vocabulary[0]]
    kinds = [
        [block.attention.qkv, block.attention.output, block.mlp.up, block.mlp.down] for block in net.blocks
    ]
    owners = [product for kind in zip(*kinds, strict=True) for product in kind] + [net.tokens]
    for matrix, owner in zip(laid_out, owners, strict=True):
        assert matrix.ctypes.data == owner.weight.data_ptr()
    torch.testing.assert_close(net.unembed(net(ids).last), expected, rtol=0, atol=0)


def test_a_small_model_keeps_its_weights_where_they_are():
    net = network()
    before = [p.data_ptr() for p in net.parameters()]
    Decoder(net)
    assert [p.data_ptr() for p in net.parameters()] == before
