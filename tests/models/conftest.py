"""What the tests of several architectures share."""

from pathlib import Path

import pytest

from tests.models import bilm


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ELMo with bilm-tf's names and options; tests read it and leave it as it is."""
    folder = tmp_path_factory.mktemp("bilm")
    bilm.write(folder)
    return folder
