"""Turns: so many draw at once, the others after them, and nobody waits for long."""

import re
import threading
import time
from contextlib import nullcontext

import pytest

from explorer.server import hourly, turns


@pytest.fixture(autouse=True)
def free(monkeypatch):
    """A room in which nobody draws, and in which one waits as long as the test takes."""
    monkeypatch.setattr(turns, "_turns", threading.Semaphore(turns.AT_ONCE))
    monkeypatch.setattr(turns, "SLOT_TIMEOUT_S", 20.0)


class Visitor:
    """A thread that draws from when it gets its turn until it is told to leave."""

    def __init__(self, within=nullcontext) -> None:
        self.drawing, self.leave = threading.Event(), threading.Event()
        self.within = within
        self.thread = threading.Thread(target=self._draw, daemon=True)
        self.thread.start()

    def _draw(self) -> None:
        with turns.render_slot(), self.within():
            self.drawing.set()
            self.leave.wait(20)

    def finish(self) -> None:
        self.leave.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


def full(**settings) -> list[Visitor]:
    """As many visitors as draw at once, all with their turn."""
    visitors = [Visitor(**settings) for _ in range(turns.AT_ONCE)]
    assert all(one.drawing.wait(20) for one in visitors)
    return visitors


def test_one_more_waits_until_somebody_is_done():
    first, *others = full()
    late = Visitor()
    assert not late.drawing.wait(0.2)
    first.finish()
    assert late.drawing.wait(20)
    for one in (late, *others):
        one.finish()


def test_who_waits_for_something_else_lets_another_draw_and_gets_its_turn_back():
    waiting = full(within=turns.outside_slot)
    drawing = full()
    for one in (*drawing, *waiting):
        one.finish()
    for one in full():  # every turn was given back
        one.finish()


def test_a_part_of_a_page_draws_within_the_turn_of_its_page():
    for one in full(within=turns.render_slot):
        one.finish()


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(turns, "SLOT_TIMEOUT_S", 0.1)
    slow = full()
    late = Visitor()
    assert late.drawing.wait(20)
    late.finish()
    for one in slow:
        one.finish()
    for one in full():  # and a turn that was not got is not given back
        one.finish()
    assert turns._turns._value == turns.AT_ONCE


def test_a_page_that_fails_gives_its_turn_back():
    for _ in range(turns.AT_ONCE + 1):
        with pytest.raises(ValueError), turns.render_slot():
            raise ValueError
    start = time.monotonic()
    with turns.render_slot():
        assert time.monotonic() - start < 10


def test_the_slowest_page_since_the_last_line_is_logged_without_a_text(monkeypatch):
    monkeypatch.setattr(hourly.streamlit_private, "sessions", lambda: ["a", "b"])
    turns.slowest()
    visitor = Visitor()
    assert visitor.drawing.wait(20)
    time.sleep(0.1)
    visitor.finish()
    line = r"Riverbank [\d.]+: 2 visitors(, [\d,]+ MB)?, slowest page (?!0\.0)[\d.]+ s"
    assert re.fullmatch(line, hourly.line())
    assert turns.slowest() == 0.0
