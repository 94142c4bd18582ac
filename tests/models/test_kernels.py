"""The compiled loops, one by one, against what they are to compute."""

import numpy as np
import pytest
import torch
from numba import njit

from explorer.models import kernels, layout
from explorer.models.layers import ACTIVATIONS

TYPES = [torch.float32, torch.bfloat16]


def random(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


@njit
def every(x, code):
    """One of the functions of a number, of all numbers of a row."""
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = kernels.exp(x[i]) if code == 0 else kernels.sigmoid(x[i])
    return out


@njit
def kept(x, like):
    """Numbers stored and read again."""
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = kernels.number(kernels.stored_as(x[i], like))
    return out


def test_exp_is_right_to_two_units_in_the_last_place():
    x = np.concatenate([np.linspace(-86, 87, 400_001), np.linspace(-1, 1, 100_001)]).astype(np.float32)
    wanted = np.exp(x.astype(np.float64))
    assert (np.abs(every(x, 0) - wanted) / np.spacing(wanted.astype(np.float32))).max() < 2


def test_exp_holds_at_its_ends():
    ends = every(np.array([-np.inf, -200, 0, 200, np.inf, np.nan], np.float32), 0)
    assert ends[0] == ends[1] == 0
    assert ends[2] == 1
    assert ends[3] == ends[4] > 1e38
    assert np.isnan(ends[5])
    assert every(np.array([-np.inf, 0, np.inf], np.float32), 1).tolist() == pytest.approx(
        [0, 0.5, 1], abs=1e-37
    )


def test_bfloat16_is_stored_as_torch_rounds_it():
    halves = torch.arange(2**12, dtype=torch.int32) << 15  # with every other one halfway between two
    x = torch.cat(
        [halves.view(torch.float32), random(5000) * 1e3, torch.tensor([torch.nan, torch.inf, -0.0])]
    )
    found = torch.from_numpy(kept(x.numpy(), np.zeros(1, np.uint16)))
    torch.testing.assert_close(found, x.bfloat16().float(), rtol=0, atol=0, equal_nan=True)
    assert torch.equal(torch.from_numpy(kept(random(9).numpy(), np.zeros(1, np.float32))), random(9))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    x = torch.cat([random(2, 300) * 4, torch.tensor([[0.0, -30, 30, 1e-3]] * 2)], dim=1)
    ours = x.numpy().copy()
    kernels.activate(ours, 302, kernels.CODES[name])
    torch.testing.assert_close(
        torch.from_numpy(ours[:, :302]), ACTIVATIONS[name](x[:, :302]), atol=1e-6, rtol=2e-6
    )
    assert np.array_equal(ours[:, 302:], x[:, 302:].numpy()), "what lies beyond is left alone"


def test_every_activation_has_a_code():
    assert kernels.CODES.keys() == ACTIVATIONS.keys()


@njit
def multiplied(x, weight, bias, out):
    """The product, called from compiled code."""
    kernels.product(x, weight, bias, out)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (31, 16), (32, 7), (33, 64), (100, 129)])
def test_a_product_is_the_plain_one_and_a_row_is_itself_in_any_company(shape, large, dtype):
    weight, bias = random(*shape, dtype=dtype), random(shape[0], seed=1)
    laid_out = layout.laid_out([weight], large)
    width = layout.width(laid_out)
    x = random(11, shape[1], seed=2)
    alone = None
    for rows in (1, 2, 4, 7, 11):
        out = np.full((rows, width), np.nan, np.float32)
        multiplied(x[-rows:].numpy(), laid_out[0], layout.padded([bias], width)[0], out)
        found = torch.from_numpy(out)
        torch.testing.assert_close(
            found[:, : shape[0]], x[-rows:] @ weight.float().T + bias, atol=1e-4, rtol=1e-5
        )
        assert (found[:, shape[0] :] == 0).all()
        alone = found[-1] if alone is None else alone
        assert torch.equal(found[-1], alone)


@pytest.mark.parametrize("large", [False, True])
def test_not_a_number_stays_so(large):
    laid_out = layout.laid_out([random(40, 8)], large)
    x, out = random(1, 8), np.zeros((1, layout.width(laid_out)), np.float32)
    x[0, 3] = torch.nan
    multiplied(x.numpy(), laid_out[0], layout.padded([torch.zeros(40)], out.shape[1])[0], out)
    assert np.isnan(out[0, :40]).all()
