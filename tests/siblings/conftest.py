"""Every test of this folder asks what the bundled weights do."""

from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items) -> None:
    """Mark them so: they run where `-m` names `slow` or `weights`."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker("weights")
