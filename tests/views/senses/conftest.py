"""For the tests of Word senses: a model that loads at once, and a folder for a visitor's own text."""

from pathlib import Path

import pytest

from explorer.corpus import folder


@pytest.fixture(scope="session")
def tiny(bert_folder) -> str:
    """A checkpoint that loads at once."""
    return f"folder:{bert_folder}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The process's folder, its own for each test."""
    monkeypatch.setattr(folder, "own_folder", lambda: tmp_path)
    return tmp_path
