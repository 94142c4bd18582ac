"""A few pages are drawn at a time, in the order of their requests.

Each visitor has a thread, and Python runs one thread at a time. If thirty draw at once, all of them are
late. If two do, one computes while the other's compiled code runs, and the first request is answered first.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
SLOT_TIMEOUT_S = 1.0  # seconds: after that a page is drawn beside the others

_turns = threading.Semaphore(AT_ONCE)
_thread = threading.local()
_times: deque[float] = deque(maxlen=100_000)  # seconds of each page that was drawn


@contextmanager
def render_slot() -> Iterator[None]:
    """Draw a page within a turn; wait for it for SLOT_TIMEOUT_S at most."""
    if getattr(_thread, "turn", False):  # a part of a page that has its turn
        yield
        return
    begin = time.monotonic()
    _thread.turn = _turns.acquire(timeout=SLOT_TIMEOUT_S)
    try:
        yield
    finally:
        _times.append(time.monotonic() - begin)
        if _thread.turn:
            _thread.turn = False
            _turns.release()


def slowest() -> float:
    """The seconds of the slowest page, with its waiting, since this was last asked; 0 without any."""
    times = [_times.popleft() for _ in range(len(_times))]
    return max(times, default=0.0)


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


class FairLock:
    """A lock that its thread may take again; a page that waits for it lets others draw.

    Whoever takes step after step gives way between them: without that it would take the lock again before a
    thread that waits has woken.
    """

    def __init__(self) -> None:
        self._lock, self._door = threading.RLock(), threading.Lock()  # whoever waits keeps the door

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with outside_slot(), self._door:
                self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def give_way(self) -> None:
        """Let a thread that waits have it first."""
        with self._door:
            pass
