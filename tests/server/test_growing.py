"""Work in slices: one step at least, as many as fit into its time, and one run of the page at a time."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
import streamlit as st

from explorer.server import growing
from explorer.server.growing import Growing
from explorer.server.session import Session

RUN = Session("run", None)


def test_a_slice_has_one_step_at_least_and_the_end_is_known_from_the_total_or_the_steps():
    known, unknown = Growing("a", count(), 0.0, total=2), Growing("a", iter("xy"), 0.0)
    for run in (known, unknown):
        run.extend()
        assert run.count == 1 and not run.finished and run.asked == {"run": run.number, "count": 1}
        run.extend(60.0), run.extend(60.0)
        assert run.count == 2 and run.finished
    assert known.number != unknown.number


def test_a_run_that_ends_by_an_error_is_not_what_was_asked_for(monkeypatch):
    def fails():
        yield 1
        raise ValueError

    monkeypatch.setattr(st, "session_state", {})
    run = growing.current(RUN, "a", lambda: Growing("a", fails(), 60.0, total=3))
    with pytest.raises(ValueError):
        run.extend()
    assert growing.current(RUN, "a", lambda: Growing("a", fails(), 60.0, total=3)) is not run


def test_two_runs_of_the_page_take_no_step_twice():
    run = Growing("a", iter(range(200)), 0.0)
    with ThreadPoolExecutor(4) as runs:
        for end in [runs.submit(run.extend) for _ in range(200)]:
            end.result()
    assert run.done == [*range(200)]


def test_a_session_has_a_run_until_something_else_is_asked_for(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    one = growing.current(RUN, "a", lambda: Growing("a", count(), 0.0))
    assert growing.current(RUN, "a", lambda: None) is one
    other = growing.current(RUN, "b", lambda: Growing("b", count(), 0.0))
    assert other is not one and growing.current(RUN, "b", lambda: None) is other
