"""A hub on the loopback address and a cache of its own for each test."""

import shutil
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants

from tests.checkpoints.fake_hub import FakeHub


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
