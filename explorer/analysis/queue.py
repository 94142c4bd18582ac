"""One line for all who want a step of a model; whoever finds nobody at work serves as many as fit.

There is no thread of its own. A visitor's thread that finds nobody at work takes the first
requests of the line, has them served together, hands the results out, and goes on until its own is
done; then another that waits takes over. A single visitor never waits, and one whose browser has
gone costs one step, since a request is no larger than that.
"""

import threading
from collections.abc import Callable, Sequence
from time import perf_counter

PATIENCE = 0.5  # how long to wait for those served last to come back: a share of what that took


class Request:
    """What one visitor asks for: `size` rows of a go, or a go of its own where it is `alone`."""

    def __init__(self, size: int = 1, alone: bool = False) -> None:
        self.size, self.alone = size, alone
        self.done = self.dropped = self.in_hand = False
        self.error: BaseException | None = None
        self._waiting = False
        self._gate = threading.Lock()  # a waiting visitor stands before it until it is opened
        self._gate.acquire()


class Queue:
    """A line of requests, first come, first served, and `serve`, which does several in one go.

    `serve` returns those that it has not finished; they go to the end of the line.
    """

    def __init__(self, serve: Callable[[Sequence[Request]], Sequence[Request]], most: int) -> None:
        self._serve, self._most = serve, most
        self._lock = threading.Lock()
        self._line: list[Request] = []
        self._at_work = False
        self._expected, self._took = 0, 0.0  # how many were served last, and the seconds it took
        self._all_back = threading.Event()

    def ask(self, request: Request, wait: float | None = None) -> bool:
        """Stand in line until the request is done: False if it was dropped, or after `wait` seconds.

        A request that waited in vain keeps its place: ask again. Raises what serving it raised.
        """
        until = None if wait is None else perf_counter() + wait
        with self._lock:
            if not (request.done or request.dropped or request.in_hand or request in self._line):
                self._line.append(request)
                if len(self._line) >= self._expected:
                    self._all_back.set()
        while True:
            with self._lock:
                if request.done or request.dropped:
                    break
                lead = not self._at_work
                self._at_work = True
                request._waiting = not lead
            if lead:
                self._work()
            elif not self._rest(request, until):
                return False
        if request.error is not None:
            raise request.error
        return request.done

    def place(self, request: Request) -> int:
        """How many stand in line up to this request, itself included; 0 where it does not wait."""
        with self._lock:
            return self._line.index(request) + 1 if request in self._line else 0

    def drop(self, request: Request) -> None:
        """Take a request out of the line; what is being served is finished, for nobody."""
        with self._lock:
            request.dropped = True
            if request in self._line:
                self._line.remove(request)
            self._wake(request)

    def _rest(self, request: Request, until: float | None) -> bool:
        """Wait to be woken; False if that did not happen in time."""
        left = -1 if until is None else max(until - perf_counter(), 0)
        if request._gate.acquire(timeout=left):
            return True
        with self._lock:
            if request._waiting:
                request._waiting = False
                return False
        request._gate.acquire()  # woken in this very moment: the gate is to be shut again
        return True

    def _work(self) -> None:
        """Serve one go, and wake those who are done and one who is to go on."""
        self._all_back.clear()
        if len(self._line) < self._expected:
            self._all_back.wait(PATIENCE * self._took)
        with self._lock:
            chosen = self._first()
        start, error, unfinished = perf_counter(), None, ()
        try:
            unfinished = self._serve(chosen) if chosen else ()
        except BaseException as raised:  # everyone who was served is to know, not the one at work alone
            error = raised
        with self._lock:
            self._expected, self._took = len(chosen), perf_counter() - start
            for request in chosen:
                request.in_hand = False
                if request in unfinished and not request.dropped:
                    self._line.append(request)
                else:
                    request.done, request.error = True, error
                    self._wake(request)
            self._at_work = False
            if waiting := next((r for r in self._line if r._waiting), None):
                self._wake(waiting)

    def _first(self) -> list[Request]:
        """Those to be served now: the first of the line, and all who can go with it."""
        if not self._line:
            return []
        first = self._line[0]
        chosen, room = [first], 0 if first.alone else self._most - first.size
        for request in self._line[1:]:
            if not request.alone and request.size <= room:
                chosen.append(request)
                room -= request.size
        for request in chosen:
            self._line.remove(request)
            request.in_hand = True
        return chosen

    def _wake(self, request: Request) -> None:
        if request._waiting:
            request._waiting = False
            request._gate.release()
