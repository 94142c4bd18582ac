"""The folder of numba's cache, so that only the first start on a machine has to compile."""

import atexit
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

from explorer.system.users_cache import users_cache

VARIABLE = "NUMBA_CACHE_DIR"  # numba reads it when it is imported; the user's own setting is respected

ROOM = 50_000_000  # bytes that must be free; the compiled code takes a tenth of it

# Two threads that import a package and one of its modules at once can lock each other out.
importing = threading.RLock()


def import_numba() -> Any:
    """Numba, imported after the folder of its cache is chosen."""
    with importing:
        choose_folder()
        import numba

        return numba


def choose_folder() -> bool:
    """Set numba's cache to a folder in the user's cache, or to a temporary one if that is not possible.

    By default numba writes beside the source, and refuses to compile if it cannot. Returns
    whether there is room for a cache.
    """
    if VARIABLE in os.environ:
        return _has_room(Path(os.environ[VARIABLE]))
    try:
        folder = users_cache() / "riverbank" / "numba"
    except RuntimeError:  # no home folder
        folder = None
    if folder is None or not (_writable(folder) and _has_room(folder)):
        folder = Path(tempfile.mkdtemp(prefix="riverbank-numba-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[VARIABLE] = str(folder)
    return _has_room(folder)


def _has_room(folder: Path) -> bool:
    """Whether the disk has room for the compiled code."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return shutil.disk_usage(there).free >= ROOM


def _writable(folder: Path) -> bool:
    """Whether the folder can be written to or created; creates nothing."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
