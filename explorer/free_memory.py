"""Too little memory: how it is recognised, and how much of it this process may still take."""

import errno
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
    """The memory that this process may still take; None where the system does not say (outside of Linux)."""
    sizes = []
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
        sizes.append(1024 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")))
    with suppress(OSError, ValueError):  # `max` where there is no limit
        limit, used = ((CGROUP / f"memory.{name}").read_text(encoding="utf-8") for name in ("max", "current"))
        sizes.append(int(limit) - int(used))
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit_bytes != resource.RLIM_INFINITY:
            pages = Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]
            sizes.append(limit_bytes - int(pages) * resource.getpagesize())
    return max(min(sizes), 0) if sizes else None
