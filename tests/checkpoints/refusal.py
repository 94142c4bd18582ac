"""Loads that must fail."""

from pathlib import Path

import pytest

import explorer
from explorer.errors import CheckpointError


def refused(name: str | Path, kind: type[CheckpointError]) -> CheckpointError:
    """The error of loading a name or a folder; it has something to say and something to do."""
    with pytest.raises(CheckpointError) as caught:
        explorer.load(f"folder:{name}" if isinstance(name, Path) else name)
    assert type(caught.value) is kind, caught.value
    assert caught.value.message.endswith(".") and caught.value.hint.endswith((".", "?"))
    return caught.value
