"""A queue of requests for steps of a model, served in batches, first come, first served.

There is no worker thread: one of the visitors' waiting threads serves batches for all, until its own request
is finished. A single visitor never waits, and one whose browser is closed costs at most one step.
"""

import threading
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Generic, TypeVar

PATIENCE = 0.5  # share of the last batch's duration to wait for its visitors to return


class Request:
    """A visitor's request; its next batch step reads `size` tokens.

    One thread at a time waits for it. It is `finished` once it was served, with the `error` that serving it
    raised, or `cancelled`. `wakeup` is released to wake its thread.
    """

    size = 1

    def __init__(self) -> None:
        self.finished = self.cancelled = self.serving = False
        self.error: BaseException | None = None
        # A lock for each request: threads woken together would queue for a common one again.
        self.wakeup = threading.Lock()
        self.wakeup.acquire()

    def wake(self) -> None:
        """Wake the thread that waits for this request, or keep it from sleeping."""
        if self.wakeup.locked():
            self.wakeup.release()


AnyRequest = TypeVar("AnyRequest", bound=Request)


class Scheduler(Generic[AnyRequest]):
    """A queue of requests; `serve` processes several in a batch step of up to `most` tokens.

    `serve` returns the requests that it has not finished; they go to the end of the queue.
    """

    def __init__(self, serve: Callable[[Sequence[AnyRequest]], Sequence[AnyRequest]], most: int) -> None:
        self._serve, self._most = serve, most
        self._queue: list[AnyRequest] = []
        self._busy = False
        self._expected, self._took = 0, 0.0  # the size of the last batch, and its duration in seconds
        self._arrival = threading.Condition(threading.Lock())
        self._waiting: dict[AnyRequest, None] = {}  # requests whose threads sleep, in order of arrival

    def run(self, request: AnyRequest, wait: float | None = None) -> bool:
        """Wait for a request: False if it was cancelled, or is not finished after `wait` seconds.

        A request that timed out keeps its place: run it again. Raises the error of serving it.
        """
        until = None if wait is None else perf_counter() + wait
        with self._arrival:
            if not (request.finished or request.cancelled or request.serving or request in self._queue):
                self._queue.append(request)
                if len(self._queue) >= self._expected:  # waking it earlier would be useless
                    self._arrival.notify()
        while not (request.finished or request.cancelled):
            if not self._serve_if_free(request) and not self._wait(request, until):
                return False
        if request.error is not None:
            raise request.error
        return request.finished

    def place(self, request: AnyRequest) -> int:
        """The place of a request in the queue, from 1; 0 if it is not waiting."""
        with self._arrival:
            return self._queue.index(request) + 1 if request in self._queue else 0

    def cancel(self, request: AnyRequest) -> None:
        """Remove a request from the queue; a running step completes, and its result is discarded."""
        with self._arrival:
            request.cancelled = True
            if request in self._queue:
                self._queue.remove(request)
            self._waiting.pop(request, None)
            request.wake()
            self._wake_next()  # it may have been woken to serve the next batch

    def _serve_if_free(self, request: AnyRequest) -> bool:
        """Serve a batch; if another thread is serving, register this request as waiting instead."""
        with self._arrival:
            if request.finished or request.cancelled:  # finished meanwhile: its thread will not sleep
                return True
            if self._busy:
                self._waiting[request] = None
                return False
            self._serve_batch()
            return True

    def _wait(self, request: AnyRequest, until: float | None) -> bool:
        """Sleep until woken; False on a timeout."""
        if request.wakeup.acquire(timeout=-1 if until is None else max(0.0, until - perf_counter())):
            return True
        with self._arrival:
            self._waiting.pop(request, None)
            return request.wakeup.acquire(blocking=False)  # it may have been woken just now

    def _wake_next(self) -> None:
        """Wake a waiting thread to serve the next batch."""
        if self._queue and not self._busy and self._waiting:
            request = next(iter(self._waiting))
            del self._waiting[request]
            request.wake()

    def _serve_batch(self) -> None:
        """Serve one batch; the lock is held before and after, but not while serving."""
        self._busy = True
        try:
            self._arrival.wait_for(lambda: len(self._queue) >= self._expected, PATIENCE * self._took)
            batch = self._next_batch()
            start = perf_counter()
            unfinished: Sequence[AnyRequest] = ()
            self._arrival.release()
            try:
                unfinished = self._serve(batch) if batch else ()
            except BaseException as error:  # every request of the batch gets the error
                for request in batch:
                    request.error = error
            finally:
                self._arrival.acquire()
            self._expected, self._took = len(batch), perf_counter() - start
            for request in batch:
                request.serving = False
                if request in unfinished and not request.cancelled:
                    self._queue.append(request)
                else:
                    request.finished = True
                    self._waiting.pop(request, None)
                    request.wake()
        finally:
            self._busy = False
            self._wake_next()

    def _next_batch(self) -> list[AnyRequest]:
        """The first request, and all behind it that fit into the same batch step."""
        batch: list[AnyRequest] = []
        size = 0
        for request in self._queue:
            if not batch or size + request.size <= self._most:
                batch.append(request)
                size += request.size
                request.serving = True
        self._queue = [request for request in self._queue if not request.serving]
        return batch
