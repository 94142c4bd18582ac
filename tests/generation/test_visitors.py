"""What visitors who wait, stop, vanish or read a long prompt cost the others."""

import threading

import pytest

from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.generation import engine
from explorer.generation.engine import engine_of
from explorer.models.stepping.step import Step
from tests.waiting import until


@pytest.fixture
def shut(gpt, monkeypatch):
    """The model's engine, shut until its event is set; counts the requests that it serves."""
    found, open_ = engine_of(gpt), threading.Event()
    found.served, serve = 0, found.serve

    def slow(requests):
        assert open_.wait(20)
        found.served += len(requests)
        return serve(requests)

    monkeypatch.setattr(found.scheduler, "_serve", slow)
    found.open = open_
    yield found
    open_.set()


def begun(generation):
    """A thread that exhausts a generation, whose first request is being served."""
    thread = threading.Thread(target=list, args=(generation,), daemon=True)
    thread.start()
    until(lambda: generation._request and generation._request.serving)
    return thread


def test_a_visitor_sees_the_place_in_line(gpt, shut):
    thread = begun(generate(gpt, "", Sampling(max_new_tokens=1)))
    waiting = [generate(gpt, "", Sampling(seed=i, max_new_tokens=2)) for i in range(3)]
    for generation in waiting:
        assert generation.place == 0
        assert generation.step(wait=0.001) is None and generation.ending is None
    assert [generation.place for generation in waiting] == [1, 2, 3]
    waiting[0].close()
    assert [generation.place for generation in waiting] == [0, 1, 2]
    shut.open.set()
    thread.join(20)
    assert waiting[1].step(wait=20) is not None and waiting[1].place == 0
    assert len(list(waiting[1])) == 1 and len(list(waiting[2])) == 2 and list(waiting[0]) == []


def test_who_stops_while_being_served_costs_that_step_and_no_other(gpt, shut):
    generation = generate(gpt, "", Sampling(max_new_tokens=9))
    thread = begun(generation)
    generation.close()
    shut.open.set()
    thread.join(20)
    assert not thread.is_alive() and generation.ending is Ending.STOPPED
    assert generation.steps == [] and shut.served == 1


def test_who_vanishes_from_the_line_costs_one_step(gpt, shut):
    thread = begun(generate(gpt, "", Sampling(max_new_tokens=1)))
    gone = generate(gpt, "", Sampling(max_new_tokens=30))
    assert gone.step(wait=0) is None
    del gone  # the browser is closed; nobody says goodbye
    shut.open.set()
    thread.join(20)
    assert len(list(generate(gpt, "", Sampling(max_new_tokens=5)))) == 5
    assert shut.served == 1 + 1 + 5


def test_a_long_prompt_does_not_hold_the_others_up(gpt, monkeypatch):
    """Its pieces and the others' steps take turns."""
    monkeypatch.setattr(engine, "PIECE", 4)
    found, order = engine_of(gpt), []
    step = Step.__call__
    monkeypatch.setattr(
        Step,
        "__call__",
        lambda self, pieces, *rest: order.append([*map(len, pieces)]) or step(self, pieces, *rest),
    )
    monkeypatch.setattr(found.scheduler, "_most", 4)
    writing = generate(gpt, "", Sampling(max_new_tokens=30))
    long = generate(gpt, "a" * 30, Sampling(max_new_tokens=2))
    next(writing)
    order.clear()
    assert long.reading == 0
    # Both stand in line before either is served.
    long._request = long._next_request()
    found.scheduler._queue.append(long._request)
    for _ in range(5):
        next(writing)
    assert order == [[4], [1]] * 5
    assert long.reading == 20 / 30
    assert len(list(long)) == 2 and long.reading == 1
