"""Requests for steps of one model, served in batches, first come, first served.

There is no thread of its own: of the visitors' threads that wait, one serves a batch for all, and
then another, until its own request is done. A single visitor never waits, and one whose browser has
gone costs one step, since a request is no larger than that.
"""

import threading
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Generic, TypeVar

PATIENCE = 0.5  # wait for those served last to come back: at most this share of what that batch took


class Request:
    """What one visitor waits for; its next batch step reads `size` tokens.

    One thread asks for it at a time. `done` once it was served, with the `error` that serving it raised;
    `cancelled` if it was taken back. `bell` is rung when its visitor is to look again.
    """

    size = 1

    def __init__(self) -> None:
        self.done = self.cancelled = self.serving = False
        self.error: BaseException | None = None
        # A bell for each: those woken together would stand in line for a common lock once more.
        self.bell = threading.Lock()
        self.bell.acquire()

    def ring(self) -> None:
        """Wake the thread that waits for this, or keep it from falling asleep."""
        if self.bell.locked():
            self.bell.release()


Asked = TypeVar("Asked", bound=Request)


class Scheduler(Generic[Asked]):
    """A line of requests, and `serve`, which does several in one batch step of up to `most` tokens.

    `serve` returns those that it has not finished; they go to the end of the line.

    >>> scheduler = Scheduler(lambda batch: [], most=4)  # finishes all it is given
    >>> scheduler.run(Request())
    True
    """

    def __init__(self, serve: Callable[[Sequence[Asked]], Sequence[Asked]], most: int) -> None:
        self._serve, self._most = serve, most
        self._line: list[Asked] = []
        self._busy = False
        self._expected, self._took = 0, 0.0  # how many were served last, and the seconds it took
        self._arrival = threading.Condition(threading.Lock())
        self._waiting: dict[Asked, None] = {}  # whose threads sleep, in the order in which they came

    def run(self, request: Asked, wait: float | None = None) -> bool:
        """Have a request served: False if it was cancelled, or is not done after `wait` seconds.

        A request that waited in vain keeps its place: run it again. Raises what serving it raised.
        """
        until = None if wait is None else perf_counter() + wait
        with self._arrival:
            if not (request.done or request.cancelled or request.serving or request in self._line):
                self._line.append(request)
                if len(self._line) >= self._expected:  # before that it would wake in vain, every time
                    self._arrival.notify()
        while not (request.done or request.cancelled):
            if not self._serve_if_free(request) and not self._wait(request, until):
                return False
        if request.error is not None:
            raise request.error
        return request.done

    def place(self, request: Asked) -> int:
        """How many stand in line up to this request, itself included; 0 where it does not wait."""
        with self._arrival:
            return self._line.index(request) + 1 if request in self._line else 0

    def cancel(self, request: Asked) -> None:
        """Take a request out of the line; a step that is under way is finished, for nobody."""
        with self._arrival:
            request.cancelled = True
            if request in self._line:
                self._line.remove(request)
            self._waiting.pop(request, None)
            request.ring()
            self._wake_next()  # it may have been the one woken to serve

    def _serve_if_free(self, request: Asked) -> bool:
        """Serve a batch, unless somebody is at it: then note that this visitor waits."""
        with self._arrival:
            if request.done or request.cancelled:  # meanwhile: who never sleeps must not be noted
                return True
            if self._busy:
                self._waiting[request] = None
                return False
            self._serve_batch()
            return True

    def _wait(self, request: Asked, until: float | None) -> bool:
        """Sleep until the bell is rung; False if it was not, in time."""
        if request.bell.acquire(timeout=-1 if until is None else max(0.0, until - perf_counter())):
            return True
        with self._arrival:
            self._waiting.pop(request, None)
            return request.bell.acquire(blocking=False)  # it may be rung just now

    def _wake_next(self) -> None:
        """Have one of those who wait serve the next batch."""
        if self._line and not self._busy and self._waiting:
            request = next(iter(self._waiting))
            del self._waiting[request]
            request.ring()

    def _serve_batch(self) -> None:
        """Serve one batch; the lock is held before and after, and free meanwhile."""
        self._busy = True
        try:
            self._arrival.wait_for(lambda: len(self._line) >= self._expected, PATIENCE * self._took)
            batch = self._next_batch()
            start = perf_counter()
            unfinished: Sequence[Asked] = ()
            self._arrival.release()
            try:
                unfinished = self._serve(batch) if batch else ()
            except BaseException as error:  # all who were served are to know, not only this thread
                for request in batch:
                    request.error = error
            finally:
                self._arrival.acquire()
            self._expected, self._took = len(batch), perf_counter() - start
            for request in batch:
                request.serving = False
                if request in unfinished and not request.cancelled:
                    self._line.append(request)
                else:
                    request.done = True
                    self._waiting.pop(request, None)
                    request.ring()
        finally:
            self._busy = False
            self._wake_next()

    def _next_batch(self) -> list[Asked]:
        """The first in line, and all behind it that fit into the same batch step."""
        batch: list[Asked] = []
        size = 0
        for request in self._line:
            if not batch or size + request.size <= self._most:
                batch.append(request)
                size += request.size
                request.serving = True
        self._line = [request for request in self._line if not request.serving]
        return batch
