"""Steps that nobody waits for any more are taken out of the model's queue."""

import asyncio
import threading
from contextlib import suppress

import pytest

from explorer.generation.engine import engine_of
from explorer.generation.sampling import Sampling
from explorer.model_server.served import WritingRequest
from tests.loops import in_a_thread

REQUEST = WritingRequest(ids=[1, 2], draws=[0.5] * 3, sampling=Sampling(), candidates=1)


@pytest.fixture
def cancellations(tiny_gpt, monkeypatch):
    """hold() -> the model computes no further step until one is cancelled; gives those that were.

    What hold() returns is set once a step waits.
    """
    scheduler, steps, cancelled = engine_of(tiny_gpt).scheduler, [], threading.Event()
    waits = threading.Event()
    serve, cancel = scheduler._serve, scheduler.cancel

    def note(step):
        steps.append(step)
        cancel(step)
        cancelled.set()

    def held(batch):
        waits.set()
        return cancelled.wait(60) and serve(batch)

    def hold():
        monkeypatch.setattr(scheduler, "_serve", held)
        return waits

    monkeypatch.setattr(scheduler, "cancel", note)
    return hold, steps


@pytest.mark.parametrize("before", [0, 1], ids=["first", "second"])
def test_a_step_that_nobody_waits_for_is_cancelled(served_gpt, cancellations, before):
    hold, steps = cancellations

    async def story():
        lines = served_gpt.write(REQUEST)
        for _ in range(before):
            await anext(lines)
        waits = hold()
        waiting = asyncio.create_task(anext(lines))
        assert await asyncio.to_thread(waits.wait, 60)
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    in_a_thread(story())
    assert len(steps) == 1


def test_as_many_steps_wait_in_line_as_there_are_visitors(served_gpt, tiny_gpt, monkeypatch):
    """Each in a thread of its own, however few the processors: only who stands in line shares a batch."""
    all_here, scheduler = threading.Barrier(20), engine_of(tiny_gpt).scheduler
    run = scheduler.run
    monkeypatch.setattr(scheduler, "run", lambda step: (all_here.wait(60) and run(step)) or run(step))

    async def story():
        await asyncio.gather(*(anext(served_gpt.write(REQUEST)) for _ in range(20)))

    in_a_thread(story())
