"""The unpacked weights of an installed model: one file for all processes, and never a wrong one."""

import os
import shutil
from pathlib import Path

import pytest
import torch

import explorer
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.mapped import LATER, MappedWeights
from explorer.models import LanguageModel
from tests.checkpoints.conftest import NAME

DAMAGE = {
    "cut": lambda content: content[:-4],
    "zeroed": lambda content: content[:-400] + bytes(400),
    "empty": lambda content: b"",
    "other": lambda content: content.replace(b"source", b"sauces"),
    "parts": lambda content: content.replace(b"blocks.0.", b"blocks.7."),
}
TIME_KEPT = ("other", "parts")  # as if they had been written so


@pytest.fixture
def unpacked(package, monkeypatch) -> list[torch.Tensor]:
    """The weights of the model as they are without a cache."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", os.devnull)
        return list(explorer.load(NAME).network.parameters())


@pytest.fixture
def file(unpacked, package) -> Path:
    """The file, after the first opening."""
    explorer.load(NAME)
    return MappedWeights(NAME, package).path


def opened_mapped(monkeypatch) -> LanguageModel:
    """The model, opened without unpacking anything."""
    with monkeypatch.context() as patch:
        patch.setattr(GgufFile, "tensors", lambda *a: pytest.fail("unpacked again"))
        return explorer.load(NAME)


def alike(model: LanguageModel, unpacked: list[torch.Tensor]) -> bool:
    own = list(model.network.parameters())
    return all(torch.equal(a, b) and a.stride() == b.stride() for a, b in zip(own, unpacked, strict=True))


def test_the_second_opening_maps_what_the_first_one_wrote(file, unpacked, package, monkeypatch):
    assert package.sha256[:16] in file.name and [path.name for path in file.parent.iterdir()] == [file.name]
    model, content = opened_mapped(monkeypatch), file.read_bytes()
    assert alike(model, unpacked)
    for weight in model.network.parameters():
        weight.data.add_(1)
    assert file.read_bytes() == content and alike(opened_mapped(monkeypatch), unpacked)


def test_a_server_writes_it_later_and_then_maps_it_too(unpacked, package, monkeypatch):
    later, file = [], MappedWeights(NAME, package).path
    token = LATER.set(later)
    model = explorer.load(NAME)
    LATER.reset(token)
    assert alike(model, unpacked) and not file.exists()
    places = [weight.data_ptr() for weight in model.network.parameters()]
    later.pop()()
    assert all(weight.data_ptr() not in places for weight in model.network.parameters())
    assert alike(model, unpacked) and alike(opened_mapped(monkeypatch), unpacked)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_or_foreign_file_is_written_again(file, unpacked, monkeypatch, damage):
    content, time = file.read_bytes(), file.stat().st_mtime_ns
    assert DAMAGE[damage](content) != content
    file.write_bytes(DAMAGE[damage](content))
    if damage in TIME_KEPT:
        os.utime(file, ns=(time, time))
    assert alike(explorer.load(NAME), unpacked)
    assert alike(opened_mapped(monkeypatch), unpacked)


def test_a_file_from_another_source_or_of_another_version_gives_way(file, package, unpacked, monkeypatch):
    old = file.with_name(f"{NAME}-0123456789abcdef-0.safetensors")
    shutil.copy(file, old)
    source = package.path()
    os.utime(source, ns=(0, source.stat().st_mtime_ns + 10**9))  # installed again
    assert alike(explorer.load(NAME), unpacked) and not old.exists()
    assert alike(opened_mapped(monkeypatch), unpacked)


@pytest.mark.parametrize("obstacle", ["no room", "no folder", "bfloat16"])
def test_without_room_or_a_cache_it_opens_as_ever(file, unpacked, monkeypatch, obstacle):
    file.unlink()
    if obstacle == "no room":
        monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 0))
    if obstacle == "no folder":
        monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    model = explorer.load(NAME, dtype="bfloat16" if obstacle == "bfloat16" else None)
    assert alike(model, unpacked) == (obstacle != "bfloat16") and not list(file.parent.iterdir())
