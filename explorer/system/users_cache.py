"""The folder in which the system keeps what programs can make again."""

import os
import sys
from pathlib import Path


def users_cache() -> Path:
    """The user's cache folder. Raises RuntimeError for a user without a home folder."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
