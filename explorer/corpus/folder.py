"""Where visitors' databases live: one folder per process, readable by its user alone, removed at exit.

The folder holds a lock file that the process keeps locked for as long as it lives. A folder whose lock is
free was left behind by a process that was killed: the next process removes it.
"""

import atexit
import contextlib
import os
import shutil
import stat
import tempfile
import threading
from pathlib import Path

from filelock import FileLock, Timeout

PREFIX = "riverbank-texts-"
LOCK = "in-use.lock"

_guard = threading.Lock()
_own: tuple[Path, FileLock] | None = None


def new_file() -> Path:
    """An empty file that only this user can read, in this process's folder."""
    try:
        handle, name = tempfile.mkstemp(suffix=".sqlite", dir=own_folder())  # mkstemp makes it 0600
    except FileNotFoundError:  # a process that started at the same moment took our folder for abandoned
        handle, name = tempfile.mkstemp(suffix=".sqlite", dir=own_folder())
    os.close(handle)
    return Path(name)


def own_folder() -> Path:
    """This process's folder; the first call creates it, and removes what dead processes left."""
    global _own
    with _guard:
        if _own is None or not _own[0].is_dir():  # some systems empty their temporary folder by themselves
            clear_stale()
            path = Path(tempfile.mkdtemp(prefix=PREFIX))  # mkdtemp makes it 0700
            _own = path, FileLock(path / LOCK, timeout=0, thread_local=False)
            _own[1].acquire()
            atexit.register(_leave, *_own)
        return _own[0]


def clear_stale(parent: Path | None = None) -> list[Path]:
    """Remove the folders of processes that no longer run, and return them."""
    removed = []
    for path in (parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, Timeout):
            # A folder without a lock file may be about to get one.
            if _is_ours(path) and (path / LOCK).is_file():
                with FileLock(path / LOCK, timeout=0):  # raises Timeout while its process lives
                    pass
                shutil.rmtree(path)
                removed.append(path)
    return removed


def _is_ours(folder: Path) -> bool:
    """Whether it is a real folder of this user: others may write to the temporary folder too."""
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _leave(folder: Path, lock: FileLock) -> None:
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)
