"""Too little memory: what is recognised as such, and what the visitor reads of what is needed and free."""

import errno

import pytest
import torch

import explorer
from explorer import checkpoints
from explorer.errors import SizeError
from explorer.models import LanguageModel
from explorer.server.memory import TRACE_BYTES, most_trace_bytes
from explorer.system import free_memory
from tests.views.opening import opened, told

TORCH = "[enforce fail at alloc_cpu.cpp:121] DefaultCPUAllocator: can't allocate memory: you tried ..."
ERRORS = [MemoryError(), RuntimeError(TORCH), OSError(errno.ENOMEM, "Cannot allocate memory")]


def raising(error):
    def refuse(*_, **__):
        raise error

    return refuse


@pytest.mark.parametrize("error", ERRORS)
def test_a_model_that_finds_no_memory_says_what_its_files_have_and_what_is_free(monkeypatch, error):
    monkeypatch.setattr(checkpoints, "read_model", raising(error))
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 12_000_000)
    with pytest.raises(SizeError) as refusal:
        explorer.load("bert")
    assert refusal.value.message == (
        "There is too little memory for bert. Its files have 0.046 GB, and take more in memory. "
        "0.012 GB are free."
    )


def test_a_real_refusal_is_recognised():
    with pytest.raises(RuntimeError) as refusal:
        torch.empty(2**60, dtype=torch.uint8)
    assert free_memory.is_memory_error(refusal.value)
    assert not free_memory.is_memory_error(RuntimeError("sizes do not match"))


@pytest.mark.parametrize("error", ERRORS)
def test_a_picture_that_finds_no_memory_says_so(monkeypatch, error):
    monkeypatch.setattr(LanguageModel, "trace", raising(error))
    assert "There is too little memory for this picture." in told(
        opened("attention", text="Too little is left for this.")
    )


def test_no_more_is_free_than_a_container_may_have(monkeypatch, tmp_path):
    (tmp_path / "memory.max").write_text("5000000\n")
    (tmp_path / "memory.current").write_text("3000000\n")
    monkeypatch.setattr(free_memory, "CGROUP", tmp_path)
    assert free_memory.free_bytes() == 2_000_000
    (tmp_path / "memory.stat").write_text("anon 2000000\ninactive_file 1000000\n")
    assert free_memory.free_bytes() == 3_000_000
    assert free_memory.machine_bytes() == 5_000_000 and most_trace_bytes() == 5_000_000 // 16
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory.free_bytes() > 2_000_000 and most_trace_bytes() <= TRACE_BYTES
