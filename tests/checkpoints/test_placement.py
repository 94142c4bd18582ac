"""Where a model's numbers go: the device, the precision, and what is said where there is no room."""

import pytest
import torch

import explorer
from explorer.checkpoints import integrity, placement
from explorer.checkpoints.placement import VARIABLE, WORK, Placement
from explorer.errors import CheckpointError, SizeError
from tests import gguf_files
from tests.checkpoints.refusal import refused


@pytest.fixture
def free(monkeypatch):
    """Sets what is free in memory, in bytes."""
    return lambda size: [
        monkeypatch.setattr(module, "free_bytes", lambda: size) for module in (placement, integrity)
    ]


@pytest.fixture(params=["folder", "GGUF"])
def name(request, gpt, tmp_path) -> str:
    """A model of random numbers."""
    if request.param == "GGUF":
        gguf_files.write_model(tmp_path / "a.gguf", "llama")
    return f"folder:{gpt if request.param == 'folder' else tmp_path / 'a.gguf'}"


def test_a_model_opens_in_the_precision_that_fits_and_is_refused_where_none_does(name, free):
    whole = explorer.load(name)
    sizes = [parameter.numel() for parameter in whole.network.parameters()]
    unpacked = 4 * max(sizes) + WORK
    free(unpacked + 3 * sum(sizes))
    half = explorer.load(name)
    assert half.nbytes < 0.65 * whole.nbytes and "bfloat16" in half.notes[0] and not whole.notes
    for given, stored in zip(whole.network.parameters(), half.network.parameters(), strict=True):
        assert torch.equal(stored, given.to(stored.dtype))
    with pytest.raises(SizeError) as caught:
        explorer.load(name, dtype="float32")
    assert "as float32" in caught.value.message and 'dtype="bfloat16"' in caught.value.hint
    free(unpacked + sum(sizes))
    error = refused(name, SizeError)
    assert "needs 0.5 GB of memory as bfloat16" in error.message and "fewer parameters" in error.hint
    free(None)
    assert not explorer.load(name).notes


def test_what_ships_is_float32_whatever_is_free(free):
    free(50_000_000)  # its file has 46 MB
    whole, half = explorer.load("bert-en-zh"), explorer.load("bert-en-zh", dtype=torch.bfloat16)
    assert not whole.notes and half.nbytes < 0.55 * whole.nbytes


@pytest.mark.parametrize(
    ("device", "dtype", "said"),
    [
        ("gpu", None, "“gpu”"),
        ("cuda:x", None, "“cuda:x”"),
        ("cpu:1", None, "1 of this kind"),
        (None, "int8", "int8"),
    ],
)
def test_what_is_not_a_device_or_a_precision_is_said(device, dtype, said):
    with pytest.raises(CheckpointError) as caught:
        explorer.load("gpt", device=device, dtype=dtype)
    assert said in caught.value.message and caught.value.hint


def test_a_missing_card_is_said_and_the_variable_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    with pytest.raises(CheckpointError) as caught:
        Placement.of("cuda", None)
    assert "no such card" in caught.value.message
    monkeypatch.setenv(VARIABLE, "cuda")
    assert f"{VARIABLE} is “cuda”" in refused("gpt", CheckpointError).message
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert Placement.of(None, None).device == torch.device("cuda")
    assert Placement.of("cuda:1", None).device.index == 1
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (WORK + 300, 10**9))
    assert Placement.of("cuda", None).for_sizes([50], "x").dtype == torch.bfloat16
