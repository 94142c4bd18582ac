"""Visitors' pages are drawn a few at a time, in the order in which they were asked for.

Each visitor has a thread, and Python runs one of them at a time. Where thirty draw at once, each waits for
the other twenty-nine at every step that gives the interpreter's lock up, and all are late together. Where
two do, the one calculates while the other's compiled code runs, and who came first is served first.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
PATIENCE = 1.0  # seconds: after that a page is drawn beside the others, whatever keeps them

_room = threading.Semaphore(AT_ONCE)
_held = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn, for a second at most, and hold it while a page is drawn."""
    if getattr(_held, "turn", False):  # a part of a page that has its turn
        yield
        return
    _held.turn = _room.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if _held.turn:
            _held.turn = False
            _room.release()


@contextmanager
def aside() -> Iterator[None]:
    """Let others draw while this thread waits for something that needs no processor here."""
    if not getattr(_held, "turn", False):
        yield
        return
    _held.turn = False
    _room.release()
    try:
        yield
    finally:
        _held.turn = _room.acquire(timeout=PATIENCE)
