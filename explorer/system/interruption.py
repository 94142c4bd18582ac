"""Long work that ends early, between two passes of a network, once nobody wants its result any more."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_thread = threading.local()


class Interrupted(Exception):
    """Nobody wants the result."""


@contextmanager
def while_wanted(wanted: Callable[[], bool]) -> Iterator[None]:
    """Within the block, in this thread, `check` raises Interrupted once `wanted` says no."""
    _thread.wanted = wanted
    try:
        yield
    finally:
        _thread.wanted = None


def check() -> None:
    """To be called between two passes."""
    wanted = getattr(_thread, "wanted", None)
    if wanted is not None and not wanted():
        raise Interrupted
