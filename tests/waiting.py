"""Waiting for a state, not for a time."""

import time
from collections.abc import Callable


def until(reached: Callable[[], object], seconds: float = 20) -> None:
    """Go on once it is reached; a test that waits in vain fails."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "this never came about"
        time.sleep(0.002)
