"""The line by itself, without a model: who is served when, by whom, and what a visitor who leaves costs."""

import threading

import pytest

from explorer.generation.scheduler import Request, Scheduler
from tests.waiting import until


def asked(scheduler, request, **settings):
    """A visitor's thread, standing in line."""
    thread = threading.Thread(target=scheduler.run, args=(request,), kwargs=settings, daemon=True)
    thread.start()
    return thread


class Served:
    """A `serve` that notes each go and, while `shut`, does not finish one."""

    def __init__(self):
        self.goes, self.at_work = [], 0
        self.open = threading.Event()
        self.open.set()

    def __call__(self, requests):
        self.at_work += 1
        assert self.at_work == 1, "two at work at once"
        self.goes.append(list(requests))
        assert self.open.wait(20)
        self.at_work -= 1
        return []


@pytest.fixture
def served():
    return Served()


def busy(scheduler, served):
    """Shut the desk with one visitor at it; returns the thread."""
    served.open.clear()
    thread = asked(scheduler, Request())
    until(lambda: served.at_work)
    return thread


def test_a_single_visitor_is_served_at_once_by_its_own_thread(served):
    scheduler, request = Scheduler(served, most=4), Request()
    assert scheduler.run(request) and request.finished and served.goes == [[request]]
    assert scheduler.run(request), "asked again: it stays done"
    assert len(served.goes) == 1


def test_those_who_wait_are_served_together_in_their_order(served):
    scheduler = Scheduler(served, most=3)
    threads = [busy(scheduler, served)]
    requests = [Request() for _ in range(5)]
    for place, request in enumerate(requests, 1):
        threads.append(asked(scheduler, request))
        until(lambda request=request, place=place: scheduler.place(request) == place)
    served.open.set()
    for thread in threads:
        thread.join(20)
    assert [go for go in served.goes[1:]] == [requests[:3], requests[3:]]
    assert all(r.finished and scheduler.place(r) == 0 for r in requests)


def sized(size):
    request = Request()
    request.size = size
    return request


def test_a_batch_holds_all_that_fit_and_one_that_is_too_large_stands_alone(served):
    scheduler = Scheduler(served, most=4)
    threads = [busy(scheduler, served)]
    requests = [sized(size) for size in (3, 2, 1, 9, 1)]
    for request in requests:
        threads.append(asked(scheduler, request))
        until(lambda request=request: scheduler.place(request))
    served.open.set()
    for thread in threads:
        thread.join(20)
    a, b, c, large, d = requests
    assert served.goes[1:] == [[a, c], [b, d], [large]]


def test_a_visitor_who_does_not_want_to_wait_keeps_the_place(served):
    scheduler, request, behind = Scheduler(served, most=1), Request(), Request()
    thread = busy(scheduler, served)
    assert not scheduler.run(request, wait=0.01) and scheduler.place(request) == 1
    assert not scheduler.run(behind, wait=0) and scheduler.place(behind) == 2
    assert not scheduler.run(request, wait=0) and scheduler.place(request) == 1
    served.open.set()
    thread.join(20)
    assert scheduler.run(behind, wait=0), "served after the one before it, by its own thread"
    assert served.goes[1:] == [[request], [behind]] and request.finished


def test_nobody_is_left_standing_when_those_ahead_have_gone(served):
    scheduler, gone, last = Scheduler(served, most=1), Request(), Request()
    thread = busy(scheduler, served)
    scheduler.run(gone, wait=0)  # its visitor never comes back
    waiting = asked(scheduler, last)
    until(lambda: scheduler.place(last) == 2)
    served.open.set()
    waiting.join(20)
    thread.join(20)
    assert last.finished and served.goes[1:] == [[gone], [last]], "one who is gone costs one go"


def test_a_request_taken_back_is_not_served(served):
    scheduler, request, behind = Scheduler(served, most=1), Request(), Request()
    thread = busy(scheduler, served)
    waiting = [asked(scheduler, request)]
    until(lambda: scheduler.place(request) == 1)
    waiting.append(asked(scheduler, behind))
    until(lambda: scheduler.place(behind) == 2)
    scheduler.cancel(request)
    waiting[0].join(20)
    assert not waiting[0].is_alive() and not request.finished and scheduler.place(behind) == 1
    served.open.set()
    waiting[1].join(20)
    thread.join(20)
    assert served.goes[1:] == [[behind]]
    assert not scheduler.run(request), "and does not come back"


def test_what_is_not_finished_goes_to_the_end_of_the_line():
    goes, left = [], {}

    def serve(requests):
        goes.append(list(requests))
        for request in requests:
            left[request] -= 1
        return [request for request in requests if left[request]]

    scheduler, long, short = Scheduler(serve, most=1), Request(), Request()
    left.update({long: 3, short: 1})
    scheduler._queue.append(short)  # stands there before
    assert scheduler.run(long)
    assert goes == [[short], [long], [long], [long]]


def test_an_error_reaches_everyone_who_was_served(served):
    def serve(requests):
        raise ArithmeticError("no")

    scheduler = Scheduler(serve, most=4)
    other = Request()
    scheduler._queue.append(other)
    for request in (Request(), other):
        with pytest.raises(ArithmeticError):
            scheduler.run(request)
    scheduler._serve = served
    assert scheduler.run(Request()), "the next is served as ever"


def test_many_visitors_all_get_all_their_steps():
    counts = {}

    def serve(requests):
        for request in requests:
            counts[request.who] = counts.get(request.who, 0) + 1
        return []

    scheduler = Scheduler(serve, most=4)

    def visit(who):
        for step in range(60):
            request = Request()
            request.who = who
            while not scheduler.run(request, wait=None if step % 2 else 0.0005):
                pass

    def leave(who):
        for _ in range(200):
            request = Request()
            request.who = who
            scheduler.run(request, wait=0.0003)
            scheduler.cancel(request)  # it may just have been woken to serve

    threads = [threading.Thread(target=visit, args=(who,), daemon=True) for who in range(12)]
    threads += [threading.Thread(target=leave, args=(who,), daemon=True) for who in ("left", "gone")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stayed = {who: count for who, count in counts.items() if isinstance(who, int)}
    assert stayed == dict.fromkeys(range(12), 60) and not scheduler._queue


def test_a_request_that_is_done_meanwhile_is_not_taken_for_one_that_sleeps(served):
    """Its thread has seen that it is not done, and then it is, and the desk is busy with another."""
    scheduler = Scheduler(served, most=1)

    class Late(Request):
        looks = 0

        @property
        def finished(self):
            self.looks += 1
            return self.looks > 2  # not yet when it joins the line, nor right before it looks at the desk

        @finished.setter
        def finished(self, value):
            pass

    thread = busy(scheduler, served)
    late = Late()
    late.wake()  # as who served it does
    assert scheduler.run(late, wait=0) and not scheduler._waiting
    served.open.set()
    thread.join(20)
