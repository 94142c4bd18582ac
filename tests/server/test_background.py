"""Work in the background: the newest first, given up when nobody wants it, and nothing of it is left."""

import gc
import threading
import weakref

import pytest

from explorer.server import background, visitors
from explorer.system.interruption import Interrupted, check
from tests.waiting import until


class Work:
    """A task that goes on, pass by pass, until it is told to end."""

    def __init__(self) -> None:
        self.began, self.end, self.ended = (threading.Event() for _ in range(3))
        self.given_up = False

    def __call__(self) -> None:
        self.began.set()
        try:
            while not self.end.wait(0.01):
                check()
        except Interrupted:
            self.given_up = True
            raise
        finally:
            self.ended.set()


@pytest.fixture
def ask(monkeypatch):
    """Asks for something as a visitor of this name; those in `ask.gone` have left."""
    visitor = [""]

    def ask(name, key, work):
        visitor[0] = name
        background.ask(key, work)

    ask.gone = set()
    monkeypatch.setattr(background.streamlit_private, "session", lambda: visitor[0])
    monkeypatch.setattr(visitors, "connected", lambda session: session not in ask.gone)
    return ask


def test_the_newest_is_first_and_who_types_on_is_done_with_the_last_text(ask):
    order, first = [], Work()
    ask("ann", "a text", first)
    assert first.began.wait(20) and background.alone("a text")
    for name in ("bob", "cem"):
        ask(name, name, lambda name=name: order.append(name))
    ask("dan", "a text", first)
    ask("dan", "dan", lambda: order.append("dan"))
    assert not first.ended.is_set() and not background.alone("a text")
    ask("bob", "last", lambda: order.append("bob, who typed on"))
    ask("bob", "last", None)
    ask("ann", "ann", lambda: order.append("ann"))
    assert first.ended.wait(20) and first.given_up
    until(lambda: not background._tasks)
    assert order == ["ann", "bob, who typed on", "dan", "cem"]


def test_nothing_is_left_of_what_was_asked_for_by_somebody_who_left(ask):
    work = Work()
    left, ended, began = weakref.ref(work), work.ended, work.began
    ask("ann", "a text", work)
    del work
    assert began.wait(20)
    ask.gone.add("ann")
    assert ended.wait(20)
    done = threading.Event()
    ask("bob", "another", done.set)
    assert done.wait(20)
    gc.collect()
    assert left() is None and not [task for task in background._tasks.values() if task.key == "a text"]


def test_an_error_ends_no_more_than_its_task(ask):
    done = threading.Event()
    ask("ann", "a text", lambda: 1 / 0)
    ask("bob", "another", done.set)
    assert done.wait(20)
