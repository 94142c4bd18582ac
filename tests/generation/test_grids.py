"""Weights that came from 4 or 8 bits: their grid, its products, and the same text with them and without."""

import gguf
import pytest
import torch

from explorer.analysis.generation.steps import Sampling, generate
from explorer.catalogue.manifest import manifests
from explorer.generation.engine import engine_of
from explorer.models.stepping import Step, product
from explorer.models.stepping.grid import find_grid
from explorer.models.stepping.product import Product
from tests.generation.texts import network, ragged
from tests.shared_models import model

TYPES = {"Q4_0": 4, "Q4_1": 4, "Q8_0": 8}


def stored(shape, name):
    """Random weights as they come back from a file of this type."""
    weights = torch.randn(shape, generator=torch.Generator().manual_seed(len(name) + shape[0])) * 0.2
    kind = gguf.GGMLQuantizationType[name]
    return torch.from_numpy(gguf.dequantize(gguf.quantize(weights.numpy(), kind), kind).copy())


def on_grids(name="Q4_1", **settings):
    """A small network with all its weights from such a file."""
    net = network(d_model=64, d_mlp=96, **settings)
    for parameter in net.parameters():
        if parameter.ndim == 2:
            parameter.data = stored(tuple(parameter.shape), name)
    return net


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(64, 32), (1100, 96), (1, 64)])
def test_products_are_those_of_the_weights(name, shape):
    weight = stored(shape, name)
    grid = find_grid(weight)
    assert grid.bits == TYPES[name]
    x = torch.randn(3, shape[1], generator=torch.Generator().manual_seed(1))
    exact = x.double() @ weight.T.double()
    torch.testing.assert_close(grid.multiply(x).double(), exact, atol=3e-6, rtol=1e-6)


def test_one_number_beside_the_grid_is_enough():
    weight = stored((130, 64), "Q4_1")
    weight[129, 63] = weight[129, 63].nextafter(torch.tensor(9.0))
    assert find_grid(weight) is None


@pytest.mark.parametrize("weight", [torch.rand(64, 64), torch.zeros(64, 33), torch.zeros(64, 64).bfloat16()])
def test_other_numbers_have_no_grid(weight):
    assert find_grid(weight) is None


def test_weights_that_change_in_place_are_multiplied_as_they_are():
    weight, x = stored((64, 64), "Q8_0"), torch.ones(1, 64)
    multiply = Product(weight, torch.ones(64))
    assert multiply.find_grid()
    torch.testing.assert_close(multiply(x), x @ weight.T + 1)
    weight.mul_(-2)
    torch.testing.assert_close(multiply(x), x @ weight.T + 1)


def prefer_grids(patch):
    """The grids take no time at all, the plain products some."""
    patch.setattr(product, "_seconds", lambda products, rows: float(products[0].grid is None))


@pytest.fixture
def always(monkeypatch):
    prefer_grids(monkeypatch)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_step_by_grids_gives_the_scores_of_a_plain_step(rows, always):
    net = on_grids()
    plain, step = Step(net), Step(net)
    step.use_grids()
    results = []
    for each in (plain, step):
        texts = [text for text, _ in ragged(net, (1, 9, 30, 2, 3)[:rows])]
        results.append(each.scores(each([text.unread for text in texts], [text.cache for text in texts])))
    assert all(part.up.grid for part in step._layers)
    torch.testing.assert_close(*results, atol=1e-5, rtol=1e-5)


def test_all_or_none(always):
    net = on_grids()
    net.blocks[2].mlp.down.weight.data[5, 5] += 0.001
    step = Step(net)
    step.use_grids()
    assert not any(part.up.grid for part in step._layers)


def test_slower_grids_are_not_used(monkeypatch):
    monkeypatch.setattr(product, "_seconds", lambda products, rows: float(products[0].grid is not None))
    step = Step(on_grids())
    step.use_grids()
    assert not any(part.up.grid for part in step._layers)


@pytest.mark.parametrize(("missing", "bits"), [(0, [4]), (1, None)])
def test_grids_take_memory_only_where_it_is_free(missing, bits, always, monkeypatch):
    net = on_grids()
    step = Step(net)
    whole = sum(part.weight.nbytes for part in step._products)
    monkeypatch.setattr(product, "free_bytes", lambda: product.ROOM + whole * 5 // 16 - missing)
    assert step.packing is None
    step.use_grids()
    assert (step.packing and step.packing[0]) == bits
    if bits:
        assert step.packing[2] == whole and 0 < step.packing[1] <= whole * 5 // 16


WAYS = [
    {"temperature": 0}, {"temperature": 0.7}, {"temperature": 1.3}, {"top_k": 20}, {"top_p": 0.9},
    {"temperature": 0.7, "top_k": 50, "top_p": 0.8},
]  # fmt: skip
PROMPTS = ["The boat left before", "def area(width):", "Why do cats", "In the town hall, the mayor said that"]


@pytest.fixture(scope="module")
def both_steps():
    """SmolLM2's step from the weights, and from the grids, which take seconds to find."""
    with pytest.MonkeyPatch.context() as patch:
        prefer_grids(patch)
        plain, step = (Step(model("smollm2").network) for _ in range(2))
        step.use_grids()
    assert step._scores.grid
    return plain, step


@pytest.mark.weights
@pytest.mark.skipif(not manifests()["smollm2"].is_available(), reason="its package is not installed")
@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=pytest.mark.long if len(way) == 1 else ()) for way in WAYS], ids=str
)
def test_smollm2_writes_the_same_text(way, both_steps, monkeypatch):
    engine = engine_of(model("smollm2"))
    for seed, prompt in enumerate(PROMPTS):
        texts = []
        for each in both_steps:
            monkeypatch.setattr(engine, "step", each)
            steps = list(generate(model("smollm2"), prompt, Sampling(seed=seed, max_new_tokens=10, **way)))
            texts.append([(s.id, s.probability, [c.id for c in s.candidates]) for s in steps])
        for (id, probability, candidates), other in zip(*texts, strict=True):
            if id != other[0] and {"top_k", "top_p"}.isdisjoint(way):
                # Drawn from the whole vocabulary: where rare tokens follow one another, rounding decides.
                assert way["temperature"] and max(probability, other[1]) < 0.01
                break
            # Rounding by way of thirty layers: 7e-6 on one processor, 1.2e-5 on another.
            assert (id, pytest.approx(probability, abs=3e-5), candidates) == other
