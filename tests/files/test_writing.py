"""A full disk is said, and nothing half-written takes a file's name."""

import sqlite3
from errno import ENOSPC

import pytest
from safetensors import SafetensorError

from explorer.errors import ExplorerError
from explorer.files.writing import is_full, replacing, write_text


@pytest.mark.parametrize(
    "error",
    [OSError(ENOSPC, "No space left on device"), SafetensorError("I/O error: No space left on device")],
)
def test_what_fails_half_way_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "config.json"
    write_text(path, "old")
    with pytest.raises(ExplorerError, match="The disk is full"), replacing(path) as unfinished:
        unfinished.write_text("ne")
        raise error
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
    with pytest.raises(ZeroDivisionError), replacing(path):
        raise ZeroDivisionError


def test_an_error_that_arose_from_a_full_disk():
    try:
        try:
            raise OSError(ENOSPC, "No space left on device")
        except OSError:
            raise RuntimeError("unexpected pos 704 vs 598")  # as torch.save does # noqa: B904
    except RuntimeError as error:
        assert is_full(error)


def test_sqlite(tmp_path):
    connection = sqlite3.connect(":memory:")
    connection.executescript("PRAGMA max_page_count = 2; CREATE TABLE t (x)")
    with pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    assert is_full(raised.value) and not is_full(sqlite3.OperationalError("no such table"))
