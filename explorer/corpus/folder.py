"""Where visitors' databases live: one folder per process, open to its user alone, gone at its end.

The folder holds `owner.lock`, a database that the process keeps locked for as long as it lives. A
folder whose lock is free was left behind by a process that was killed: the next one removes it.
"""

import atexit
import contextlib
import os
import shutil
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

PREFIX = "riverbank-texts-"
LOCK = "owner.lock"

_guard = threading.Lock()
_own: tuple[Path, sqlite3.Connection] | None = None


def new_file() -> Path:
    """An empty file that only this user can read, in this process's folder."""
    try:
        handle, name = tempfile.mkstemp(suffix=".sqlite", dir=own_folder())  # mkstemp makes it 0600
    except FileNotFoundError:  # a process that started at the same moment took our folder for a dead one's
        handle, name = tempfile.mkstemp(suffix=".sqlite", dir=own_folder())
    os.close(handle)
    return Path(name)


def own_folder() -> Path:
    """This process's folder; the first call makes it, and clears away what dead processes left."""
    global _own
    with _guard:
        if _own is None or not _own[0].is_dir():  # some systems empty their temporary folder by themselves
            clear_stale()
            path = Path(tempfile.mkdtemp(prefix=PREFIX))  # mkdtemp makes it 0700
            _own = (path, _lock(path))
            atexit.register(_leave, *_own)
        return _own[0]


def clear_stale(parent: Path | None = None) -> list[Path]:
    """Remove the folders of processes that live no more; return which."""
    removed = []
    for path in (parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if _is_ours(path) and _is_free(path):
                shutil.rmtree(path)
                removed.append(path)
    return removed


@contextlib.contextmanager
def held(lock: Path) -> Iterator[bool]:
    """Hold a lock, a file of this path, until the end or the process's death; False where another does."""
    connection = sqlite3.connect(lock, timeout=0, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("BEGIN EXCLUSIVE")
        mine = True
    except sqlite3.OperationalError:
        mine = False
    try:
        yield mine
    finally:
        connection.close()


def _lock(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / LOCK, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("BEGIN EXCLUSIVE")
    return connection


def _is_free(folder: Path) -> bool:
    """Whether no process holds a folder's lock; a folder without one may be about to get it."""
    if not (folder / LOCK).is_file():
        return False
    connection = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def _is_ours(folder: Path) -> bool:
    """Whether it is a real folder of this user: others may write to the temporary folder too."""
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _leave(folder: Path, lock: sqlite3.Connection) -> None:
    lock.close()
    shutil.rmtree(folder, ignore_errors=True)
