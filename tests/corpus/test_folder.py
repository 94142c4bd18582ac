"""Private and short-lived: who may read a database, and what takes it away."""

import errno
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.analysis.senses.occurrences import Sentence
from explorer.corpus import folder
from explorer.corpus.index import build
from explorer.corpus.lookup import lookup
from explorer.corpus.matching import select_sentences
from explorer.errors import ExplorerError, TextError

ROOT = Path(__file__).parents[2]
CHILD = """
import sys, tempfile
from explorer.corpus.folder import new_file
print(new_file(), flush=True)
sys.stdin.read()
"""


def child(temporary: Path) -> subprocess.Popen:
    """Another process with a database in the temporary folder; it ends when its input does."""
    environment = os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", CHILD],
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def test_only_this_user_can_read_a_database(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "_own", None)
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folder.atexit, "register", lambda *_: None)
    old = os.umask(0)
    try:
        index = build("x", [Sentence("A bank.")])
        assert stat.S_IMODE(index.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(index.path.parent.stat().st_mode) == 0o700
        assert sorted(p.name for p in index.path.parent.iterdir()) == sorted([folder.LOCK, index.path.name])
    finally:
        os.umask(old)
        folder._leave(*folder._own)
    assert list(tmp_path.iterdir()) == []


def test_a_process_takes_its_databases_with_it_and_a_killed_one_is_cleared_up_after(tmp_path):
    with child(tmp_path) as one, child(tmp_path) as two:
        first, second = Path(one.stdout.readline().strip()), Path(two.stdout.readline().strip())
        assert first.exists() and second.exists()
        assert folder.clear_stale(tmp_path) == [], "both are alive"
        one.stdin.close()
        one.wait(10)
        assert not first.parent.exists()
        two.send_signal(signal.SIGKILL)
        two.wait(10)
    assert second.exists(), "nobody could clear it away yet"
    (tmp_path / "riverbank-texts-note").write_text("a file of somebody's")
    (tmp_path / "riverbank-texts-new").mkdir()
    assert folder.clear_stale(tmp_path) == [second.parent]
    assert not second.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["riverbank-texts-new", "riverbank-texts-note"]


def test_links_are_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    sqlite3.connect(elsewhere / folder.LOCK).close()
    (elsewhere / "mine").write_text("x")
    (tmp_path / "riverbank-texts-x").symlink_to(elsewhere)
    assert folder.clear_stale(tmp_path) == [] and (elsewhere / "mine").exists()


def test_a_deleted_text_says_so(home):
    index = build("x", [Sentence("A bank.")])
    assert lookup(index, "bank").total == 1
    index.delete()
    index.delete()
    with pytest.raises(TextError, match="no longer here"):
        lookup(index, "bank")
    assert list(home.iterdir()) == []


def test_a_text_that_another_thread_still_reads_is_deleted_after_it(home, monkeypatch):
    """Windows refuses to delete a file that is open."""
    index, unlink, refusals = build("x", [Sentence("A bank.")]), Path.unlink, iter([True, True, False])

    def refuse(path, missing_ok=False):
        if next(refusals):
            raise PermissionError(13, "The process cannot access the file", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr("explorer.corpus.index.time.sleep", lambda seconds: None)
    index.delete()
    assert not index.path.exists()
    monkeypatch.setattr(Path, "unlink", lambda path, missing_ok: refuse_always(path))
    with pytest.raises(PermissionError):
        index.delete()


def refuse_always(path):
    raise PermissionError(13, "The process cannot access the file", str(path))


class Stopped(BaseException):
    """What a rerun raises in the middle of a script."""


def test_an_index_that_is_not_finished_leaves_nothing(home):
    def stop() -> None:
        assert len(list(home.iterdir())) == 1
        raise Stopped

    with pytest.raises(Stopped):
        build("x", (Sentence(f"bank {i}") for i in range(5000)), stop)
    assert list(home.iterdir()) == []
    with pytest.raises(TextError, match="no sentences in x"):
        build("x", [])
    assert list(home.iterdir()) == []


def test_a_full_disk_is_said(home, monkeypatch):
    from explorer.corpus import index as module

    small = module._TABLES + "PRAGMA max_page_count = 40;"
    monkeypatch.setattr(module, "_TABLES", small)
    with pytest.raises(ExplorerError, match="The disk is full"):
        build("x", (Sentence(f"A bank {i} " + "x" * 400) for i in range(5000)))
    assert list(home.iterdir()) == []


def test_a_search_writes_nothing(home):
    index = build("x", [Sentence("A bank.")])
    with index.reading() as connection:
        plan = connection.execute("EXPLAIN QUERY PLAN " + (query := select_sentences(["bank"]))[0], query[1])
        assert not any("TEMP" in row[-1] for row in plan)
        assert connection.execute("PRAGMA temp_store").fetchone() == (2,)  # in memory
    with pytest.raises(ExplorerError, match="The disk is full"), index.reading():
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_reader_cannot_write(home):
    index = build("x", [Sentence("A bank.")])
    with index.reading() as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("DELETE FROM sentence")
