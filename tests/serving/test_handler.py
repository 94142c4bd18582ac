"""What a server holds for a visitor is let go of as soon as the visitor leaves."""

import asyncio
import threading
from contextlib import suppress

import torch

from explorer.generation.engine import engine_of
from explorer.serving.handler import Frames, Handler

ASKED = {"ids": torch.tensor([1, 2]), "draws": torch.tensor([0.5, 0.5, 0.5])}
SETTINGS = {"sampling": {}, "candidates": 1}


def test_a_step_that_nobody_waits_for_is_taken_back(served_gpt, tiny_gpt, monkeypatch):
    handler, open_ = Handler(served_gpt), threading.Event()
    cancelled = []
    monkeypatch.setattr(served_gpt, "cancel", lambda step: (cancelled.append(step), open_.set()))

    async def story():
        frames = await handler._generate(ASKED, SETTINGS)
        handler.ongoing = 1
        await anext(frames)
        scheduler = engine_of(tiny_gpt).scheduler
        serve = scheduler._serve
        monkeypatch.setattr(scheduler, "_serve", lambda batch: open_.wait(10) and serve(batch))
        waiting = asyncio.create_task(anext(frames))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    asyncio.run(story())
    assert len(cancelled) == 1 and handler.ongoing == 0


def test_a_stream_is_closed_with_its_connection():
    ended = []

    async def endless():
        try:
            while True:
                yield b"frame"
        finally:
            ended.append(True)

    async def gone(message):
        if message["type"] == "http.response.body":
            raise OSError("the connection was closed")

    async def story():
        frames = endless()
        scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
        await Frames(frames, "text/plain", {})(scope, gone, gone)  # whoever left is no error
        return frames, list(ended)

    _, then = asyncio.run(story())
    assert then == [True], "not when it is collected"


def test_a_first_step_that_takes_too_long_is_taken_back(served_gpt, tiny_gpt, monkeypatch):
    handler, open_, cancelled = Handler(served_gpt), threading.Event(), []
    monkeypatch.setattr(served_gpt, "cancel", lambda step: (cancelled.append(step), open_.set()))
    scheduler = engine_of(tiny_gpt).scheduler
    serve = scheduler._serve
    monkeypatch.setattr(scheduler, "_serve", lambda batch: open_.wait(10) and serve(batch))

    async def story():
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await handler._generate(ASKED, SETTINGS)

    asyncio.run(story())
    assert len(cancelled) == 1


def test_as_many_steps_wait_in_line_as_there_are_visitors(served_gpt, monkeypatch):
    """Each in a thread of its own, however few the processors: only who stands in line shares a batch."""
    handler, all_here = Handler(served_gpt), threading.Barrier(20)
    monkeypatch.setattr(served_gpt, "run_step", lambda step: all_here.wait(10))

    async def story():
        await asyncio.gather(*(handler._step(None) for _ in range(20)))

    asyncio.run(story())
