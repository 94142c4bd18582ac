"""What the system does not let us read is said to be unreadable, not to be missing or damaged."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

import explorer.checkpoints  # noqa: F401
from explorer.errors import CheckpointError, FormatError, NotFoundError
from tests.checkpoints.refusal import refused

NOBODY = 65534

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no permissions of this kind here")


@pytest.fixture
def place(bert_folder):
    """A copy of the tiny BERT that everybody may read, in a folder that everybody may enter."""
    parent = Path(tempfile.mkdtemp(prefix="riverbank-test-"))
    folder = shutil.copytree(bert_folder, parent / "bert")
    for path in (parent, folder, *folder.glob("*")):
        path.chmod(0o755)
    yield folder
    for path in (parent, folder, *folder.glob("*")):
        path.chmod(0o700)
    shutil.rmtree(parent)


@pytest.fixture
def ordinary():
    """Not root, whom no permission stops."""
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(NOBODY)
    yield
    if was_root:
        os.seteuid(0)


def unreadable(name) -> CheckpointError:
    error = refused(name, CheckpointError)
    assert "permission" in error.message and "chmod" in error.hint
    return error


@pytest.mark.parametrize("what", ["bert", "."])
def test_a_folder_that_may_not_be_entered(request, place, what):
    (place.parent / what).chmod(0)
    request.getfixturevalue("ordinary")
    assert str(place) in unreadable(place).message


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"])
def test_a_file_that_may_not_be_read(request, place, name):
    (place / name).chmod(0)
    request.getfixturevalue("ordinary")
    assert name in unreadable(place).message


def test_vectors_that_may_not_be_read(request, place):
    path = place / "v.txt"
    path.write_text("the 0 1\nof 1 0\n")
    path.chmod(0)
    request.getfixturevalue("ordinary")
    unreadable(path)


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000])
def test_a_name_that_is_too_long(tmp_path, name):
    error = refused(f"folder:{tmp_path}/{name}", CheckpointError)
    assert "too long" in error.message and len(error.message) < 300


def test_nobodys_home():
    assert "home" in refused("folder:~nobody-of-this-name/models", NotFoundError).message


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt", "SHA256SUMS"])
def test_a_folder_in_place_of_a_file(bert, name):
    (bert / name).unlink(missing_ok=True)
    (bert / name).mkdir()
    error = refused(bert, FormatError)
    assert name in error.message and "not a file" in error.message


def test_a_pipe_in_place_of_a_file(bert):
    (bert / "config.json").unlink()
    os.mkfifo(bert / "config.json")
    assert "not a file" in refused(bert, FormatError).message
