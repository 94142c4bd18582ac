"""A few pages are drawn at a time, in the order of their requests.

Each visitor has a thread, and Python runs one thread at a time. If thirty draw at once, all of them are
late. If two do, one computes while the other's compiled code runs, and the first request is answered first.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
SLOT_TIMEOUT_S = 1.0  # seconds: after that a page is drawn beside the others

_turns = threading.Semaphore(AT_ONCE)
_thread = threading.local()


@contextmanager
def render_slot() -> Iterator[None]:
    """Draw a page within a turn; wait for it for SLOT_TIMEOUT_S at most."""
    if getattr(_thread, "turn", False):  # a part of a page that has its turn
        yield
        return
    _thread.turn = _turns.acquire(timeout=SLOT_TIMEOUT_S)
    try:
        yield
    finally:
        if _thread.turn:
            _thread.turn = False
            _turns.release()


@contextmanager
def outside_slot() -> Iterator[None]:
    """Let others draw while this thread waits for something that needs no processor here."""
    if not getattr(_thread, "turn", False):
        yield
        return
    _thread.turn = False
    _turns.release()
    try:
        yield
    finally:
        _thread.turn = _turns.acquire(timeout=SLOT_TIMEOUT_S)
