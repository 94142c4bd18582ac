"""Writing files: whole or not at all, with a clear error on a full disk."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.errors import ExplorerError

ROOM = "Make room on the disk of Riverbank’s computer, and try again."


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it arose from, is that of a full disk."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
            return True
        if "No space left" in str(error):  # safetensors has errors of its own
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def disk_errors(place: Path, hint: str = ROOM) -> Iterator[None]:
    """Raises ExplorerError if the disk of a folder or file is full; other errors pass."""
    try:
        yield
    except Exception as error:
        if isinstance(error, ExplorerError) or not is_full(error):
            raise
        raise ExplorerError(f"The disk is full: {place} cannot be written.", hint) from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to; what is written takes the place of `path` once it is whole.

    Raises ExplorerError if the disk is full; whatever ends it early, `path` stays as it was.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with disk_errors(path.parent):
            yield unfinished
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, as `replacing` does."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
