"""Bundled checkpoints with made-up records, or without any."""

import shutil
from pathlib import Path

import pytest

from explorer.assets import CHECKPOINTS, RECORD
from explorer.views.about import record
from tests import records


@pytest.fixture
def checkpoints(tmp_path, monkeypatch) -> Path:
    """The bundled checkpoints without records."""
    for name in ("bert", "bert-mini", "gpt"):
        folder = tmp_path / name
        folder.mkdir()
        for path in (CHECKPOINTS / name).iterdir():
            if path.suffix == ".safetensors":
                (folder / path.name).symlink_to(path)
            elif path.name != RECORD:
                shutil.copy(path, folder)
    monkeypatch.setattr(record, "CHECKPOINTS", tmp_path)
    return tmp_path


@pytest.fixture
def records_kept(checkpoints) -> Path:
    """The same, with a record of eight snapshots each."""
    records.write(checkpoints / "bert", records.bert())
    records.write(checkpoints / "bert-mini", records.bert())
    records.write(checkpoints / "gpt", records.gpt())
    return checkpoints
