"""Work that goes on in slices while its picture is on screen, which draws what is there and asks for more.

So a visitor who leaves ends it, and others are served in between.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from explorer.server.session import Session
from explorer.server.turns import FairLock

Step = TypeVar("Step")
Run = TypeVar("Run", bound="Growing[Any]")

_numbers = itertools.count(1)


class Growing(Generic[Step]):
    """The `steps` of a request that were taken so far, of `total` where that is known.

    `number` is another one for each run, by which a component knows that it draws a new one.
    """

    def __init__(
        self, request: Any, steps: Iterator[Step], seconds: float, total: float = float("inf")
    ) -> None:
        self.request, self.seconds, self.total, self._steps = request, seconds, total, steps
        self.number = next(_numbers)
        self.done: list[Step] = []
        self.lock = FairLock()  # a run of the page that was interrupted may still compute

    @property
    def count(self) -> int:
        """The number of steps so far."""
        return len(self.done)

    @property
    def finished(self) -> bool:
        """Whether no more steps will come."""
        return self.count >= self.total

    def extend(self, seconds: float | None = None) -> None:
        """Take steps for a while, one at least."""
        until = time.monotonic() + (self.seconds if seconds is None else seconds)
        with self.lock:
            while not self.finished:
                try:
                    self.done.append(step := next(self._steps))
                except StopIteration:
                    self.total = self.count
                    return
                except Exception:  # an iterator ends with its error: asked again, another run begins
                    self.request = None
                    raise
                if self.pauses(step) or time.monotonic() >= until:
                    return

    def pauses(self, step: Step) -> bool:
        """Whether a step is to be seen before the next one is taken, however quick it was."""
        return False

    @property
    def asked(self) -> dict[str, int]:
        """What a component asks for more with: nothing else makes the run go on."""
        return {"run": self.number, "count": self.count}


def current(key: "Session[Run | None]", request: Any, begin: Callable[[], Run]) -> Run:
    """This session's run; a new one if it was for another request."""
    run = key.get()
    if run is None or run.request != request:
        key.set(run := begin())
    return run
