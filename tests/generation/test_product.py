"""A single row by half the bytes gives the numbers of PyTorch's product, or is left to it."""

import sys
import threading

import pytest
import torch
import torch.nn.functional as F

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.generation.engine import engine_of
from explorer.models.stepping.product import Product, halve
from explorer.system.half_product import half_product


def halved(product):
    return product._kernel is not None


def random(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


def test_every_number_of_float16_is_itself():
    bits = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16)
    numbers = bits.view(torch.float16)
    numbers = numbers[numbers.isfinite()].float()[:, None]
    product = Product(numbers)
    halve([product])
    assert halved(product) and len(numbers) == 63_488
    assert torch.equal(product(torch.ones(1, 1))[0], numbers[:, 0])


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (17, 31), (64, 256), (257, 1023)])
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("biased", [True, False])
def test_a_row_is_what_pytorch_makes_of_it(shape, size, biased):
    weight, x = random(*shape).half().float(), size * random(1, shape[1])
    bias = random(shape[0]) if biased else None
    product = Product(weight, bias)
    assert product.halve(half_product)
    rounding = 1e-6 * size * shape[1] ** 0.5  # a sum of as many numbers
    torch.testing.assert_close(product(x), F.linear(x, weight, bias), atol=rounding, rtol=1e-5)
    # Stored the other way round, as GPT-2's matrices are.
    turned = Product(weight.T.contiguous().T, bias)
    assert turned.halve(half_product)
    assert torch.equal(turned(x), product(x))


def test_several_rows_are_pytorchs():
    weight, x = random(7, 5).half().float(), random(3, 5)
    product = Product(weight)
    assert product.halve(lambda *_: pytest.fail("one row alone is halved"))
    assert torch.equal(product(x), F.linear(x, weight))


@pytest.mark.parametrize("wrong", [1 + 2**-20, 1e6, float("inf"), float("nan")])
def test_weights_that_are_not_float16s_are_left_alone(wrong):
    weight = random(4, 6).half().float()
    weight[2, 3] = wrong
    assert not Product(weight).halve(half_product)
    assert not Product(weight.double()).halve(half_product)
    with torch.inference_mode():
        untold = random(4, 6).half().float()
    assert not Product(untold).halve(half_product), "it does not tell when it is written to"


def test_weights_may_change():
    weight, x = random(4, 6).half().float(), random(1, 6)
    product = Product(weight)
    halve([product])
    weight.mul_(-3)
    assert torch.equal(product(x), F.linear(x, weight))


def test_numbers_that_are_none_stay_so():
    product = Product(random(4, 6).half().float())
    halve([product])
    x = random(1, 6)
    x[0, 2] = torch.nan
    assert halved(product) and product(x).isnan().all()


def test_without_numba_pytorch_goes_on(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "explorer.system.half_product", None)
    product = Product(random(4, 6).half().float())
    halve([product])
    assert not halved(product) and "PyTorch" in caplog.text


def test_a_text_goes_over_to_it_and_stays_the_same():
    model = explorer.load("gpt")  # a model of its own: not one that other tests have written with
    asked = Sampling(temperature=0.7, max_new_tokens=40)
    first, again = (generate(model, "The old man and the", asked) for _ in range(2))
    list(first)
    for thread in threading.enumerate():
        if thread.name == "halving":
            thread.join(60)
    products = engine_of(model).step._products
    assert len(products) == 4 * model.config.layers + 1 and all(map(halved, products))
    list(again)
    assert again.ids == first.ids
    for one, other in zip(first.steps, again.steps, strict=True):
        assert one.probability == pytest.approx(other.probability, abs=1e-5)


def test_nothing_is_compiled_for_weights_that_are_not_float16s(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "explorer.system.half_product", None)  # its import fails
    halve([Product(torch.tensor([[0.1, 1.0]]))])
    assert not caplog.records
    halve([Product(torch.tensor([[0.5, 1.0]]))])
    assert "stay with PyTorch" in caplog.text
