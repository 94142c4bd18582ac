"""For the tests of own texts: every database in a folder that the test can look into."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.corpus import folder
from explorer.corpus.index import Index, build
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The process's folder, its own for each test."""
    place = tmp_path / "texts"
    place.mkdir()
    monkeypatch.setattr(folder, "own_folder", lambda: place)
    return place


@pytest.fixture
def indexed(home: Path) -> Callable[..., Index]:
    """indexed("Some text.", "notes.txt") -> its index."""

    def index(text: str | bytes, name: str = "notes.txt", report: Report | None = None) -> Index:
        file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
        return build(name, read(inspect(name, file), file, report or Report()))

    return index
