"""The unpacked weights of an installed model: one file for all processes, and never a wrong one."""

import os
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer.checkpoints.gguf.file import GgufFile
from explorer.checkpoints.mapped import MappedWeights
from explorer.models import LanguageModel
from tests.checkpoints.conftest import NAME

MAPS = Path("/proc/self/maps")


def opened_mapped(monkeypatch) -> LanguageModel:
    """The model, opened without unpacking anything."""
    with monkeypatch.context() as patch:
        patch.setattr(GgufFile, "tensors", lambda *a: pytest.fail("unpacked again"))
        return explorer.load(NAME)


@pytest.fixture
def unpacked(package, monkeypatch) -> list[torch.Tensor]:
    """The weights of the model as they are without a cache."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", "/dev/null")
        return parameters(explorer.load(NAME))


@pytest.fixture
def file(unpacked, package):
    """The file, after the first opening."""
    explorer.load(NAME)
    return MappedWeights(NAME, package).path


def parameters(model: LanguageModel) -> list[torch.Tensor]:
    return [weight.detach().clone() for weight in model.network.parameters()]


def alike(model: LanguageModel, unpacked: list[torch.Tensor]) -> bool:
    own = list(model.network.parameters())
    return all(torch.equal(a, b) and a.stride() == b.stride() for a, b in zip(own, unpacked, strict=True))


def test_the_second_opening_maps_what_the_first_one_wrote(file, unpacked, package, monkeypatch):
    assert package.sha256[:16] in file.name and [path.name for path in file.parent.iterdir()] == [file.name]
    model = opened_mapped(monkeypatch)
    assert alike(model, unpacked)
    assert not any(weight.requires_grad for weight in model.network.parameters())
    if MAPS.exists():
        lines = [line for line in MAPS.read_text(encoding="utf-8").splitlines() if str(file) in line]
        assert lines and all(line.split()[1].endswith("p") for line in lines)  # private


def test_what_one_process_writes_into_its_weights_stays_there(file, unpacked, monkeypatch):
    model, content = opened_mapped(monkeypatch), file.read_bytes()
    for weight in model.network.parameters():
        weight.data.add_(1)
    assert file.read_bytes() == content and alike(opened_mapped(monkeypatch), unpacked)


def cut(file):
    file.write_bytes(file.read_bytes()[:-4])


def zeroed(file):
    with file.open("r+b") as stream:
        stream.seek(-400, os.SEEK_END)
        stream.write(bytes(400))


def emptied(file):
    file.write_bytes(b"")


def foreign(file):
    """Weights of the same shapes, with a header of their own."""
    save_file({name: tensor + 1 for name, tensor in load_file(file).items()}, file, metadata={"source": "x"})


def of_another_layout(file):
    """The right header on other names, with the time at which it says that it was written."""
    status = file.stat()
    content = file.read_bytes().replace(b"blocks.0.", b"blocks.7.")
    file.write_bytes(content)
    os.utime(file, ns=(status.st_mtime_ns, status.st_mtime_ns))


def made_a_folder(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [cut, zeroed, emptied, foreign, of_another_layout])
def test_a_damaged_or_foreign_file_is_made_anew(file, unpacked, monkeypatch, damage):
    damage(file)
    assert alike(explorer.load(NAME), unpacked)
    assert alike(opened_mapped(monkeypatch), unpacked)


def test_a_file_from_another_source_or_of_another_version_gives_way(file, package, unpacked, monkeypatch):
    old = file.with_name(f"{NAME}-0123456789abcdef-0.safetensors")
    shutil.copy(file, old)
    source = package.path()
    os.utime(source, ns=(0, source.stat().st_mtime_ns + 10**9))  # installed again
    assert alike(explorer.load(NAME), unpacked) and not old.exists()
    assert alike(opened_mapped(monkeypatch), unpacked)


@pytest.mark.parametrize("obstacle", ["disk", "place", "folder"])
def test_without_room_or_a_cache_it_opens_as_ever(file, unpacked, monkeypatch, obstacle):
    if obstacle == "folder":
        made_a_folder(file)
    else:
        file.unlink()
    if obstacle == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 0))
    if obstacle == "place":
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert alike(explorer.load(NAME), unpacked)
    assert not file.is_file() and not list(file.parent.glob(".*"))


def test_on_a_card_or_as_bfloat16_nothing_is_mapped(file, monkeypatch):
    file.unlink()
    assert explorer.load(NAME, dtype="bfloat16").notes and not file.exists()
