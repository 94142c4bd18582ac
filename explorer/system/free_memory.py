"""Too little memory: how it is recognised, and how much of it this process may still take."""

import ctypes
import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

from explorer.errors import SizeError

CGROUP = Path("/sys/fs/cgroup")  # of a container, version 2
HINT = "Close other programs, or choose a smaller model or a shorter text."


def is_memory_error(error: BaseException) -> bool:
    """Whether memory was refused: by Python, by the system, or by PyTorch, which raises a RuntimeError."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    refused = "allocate memory" in str(error) or type(error).__name__ == "OutOfMemoryError"
    return isinstance(error, MemoryError) or refused


def size_error(what: str, file_bytes: int = 0) -> SizeError:
    """The error for something that found too little memory, with the size of its files if it has some."""
    free = free_bytes()
    left = "" if free is None else f" {free / 1e9:.2g} GB are free."
    files = f" Its files have {file_bytes / 1e9:.2g} GB, and take more in memory." if file_bytes else ""
    return SizeError(f"There is too little memory for {what}.{files}{left}", HINT)


def free_bytes() -> int | None:
    """The memory that this process may still take; None where the system does not say (Windows)."""
    if sys.platform == "darwin":  # which says only how much it has
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 5 // 8
    available, limit = _of_system("MemAvailable:"), _of_container("max")
    if available is None or limit is None:
        return available
    files = _number_after("inactive_file ", CGROUP / "memory.stat") or 0  # given up where it must be
    return max(min(available, limit - (_of_container("current") or 0) + files), 0)


def machine_bytes() -> int | None:
    """The memory of this machine, or of the container; None where the system does not say."""
    sizes = [size for size in (_of_system("MemTotal:"), _of_container("max")) if size is not None]
    return min(sizes, default=None)


def return_freed() -> None:
    """Give the system what the allocator has kept of freed memory; only glibc has a function for that."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def _of_system(name: str) -> int | None:
    kilobytes = _number_after(name, Path("/proc/meminfo"))
    return None if kilobytes is None else 1024 * kilobytes


def _number_after(name: str, path: Path) -> int | None:
    with suppress(OSError, StopIteration):
        lines = path.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name))
    return None


def _of_container(name: str) -> int | None:
    with suppress(OSError, ValueError):  # `max` where there is no limit
        return int((CGROUP / f"memory.{name}").read_text(encoding="utf-8"))
    return None
