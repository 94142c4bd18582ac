"""A folder of small texts, and what is asked of it with a tiny model."""

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.corpus.vectors import occurrences
from explorer.corpus.vectors.computing import Request, create

# The tiny model's own words.
LINES = [
    "We saw the old bank by the deep river.",
    "It is light on the water.",
    "The bank was old, and the bank was deep.",
    "A bank! Banks? The river.",
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Two files in a folder, and one that is no text."""
    folder = tmp_path / "texts"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text("\n".join(f"{LINES[i % 4]} {i}." for i in range(60)), encoding="utf-8")
    (folder / "more" / "b.jsonl").write_text(
        "\n".join(f'{{"text": "{LINES[i % 4]}", "sense": "s{i % 2}"}}' for i in range(40)), encoding="utf-8"
    )
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


@pytest.fixture
def wanted(texts: Path) -> Request:
    """The bank in these texts, at two layers."""
    return Request(str(texts), ["bank"], layers=[0, -1])


@pytest.fixture
def made(wanted: Request, tiny_bert, tmp_path: Path, monkeypatch):
    """made(words=["bank"]) -> a folder of vectors, computed 20 occurrences at a time."""
    monkeypatch.setattr(occurrences, "ROWS", 20)

    def make(name: str = "made", **other) -> Path:
        folder = tmp_path / name
        create(tiny_bert, replace(wanted, **other), folder)
        return folder

    return make
