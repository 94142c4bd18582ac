"""Traces that visitors share: made once, bounded by their bytes, and an error is no result."""

import threading
from dataclasses import dataclass

import pytest
import torch

from explorer.server import traces
from explorer.server.traces import TraceCache, tensor_bytes


@dataclass(frozen=True)
class Result:
    states: torch.Tensor
    more: list[torch.Tensor]


def some(count: int) -> Result:
    return Result(torch.zeros(count, dtype=torch.float32), [])


def test_bytes_are_those_of_the_tensors_and_what_is_shared_counts_once():
    whole = torch.zeros(100, dtype=torch.float32)
    assert (
        tensor_bytes(Result(whole, [whole[:10], whole[10:], torch.zeros(5, dtype=torch.int64)])) == 400 + 40
    )
    assert tensor_bytes("a text") == 0


def test_a_result_is_made_once():
    cache, calls = TraceCache(), []
    for _ in range(3):
        assert cache.get("a", lambda: calls.append(1) or "result") == "result"
    assert calls == [1]


def test_the_longest_unused_go_and_a_large_one_stays_while_it_is_the_last():
    cache, calls = TraceCache(most=1000), []

    def ask(key: str, count: int) -> None:
        cache.get(key, lambda: calls.append(key) or some(count))

    ask("a", 100), ask("b", 100), ask("a", 100), ask("c", 100)  # b is the longest unused
    ask("a", 100), ask("c", 100)
    assert calls == ["a", "b", "c"]
    ask("b", 100)
    assert calls == ["a", "b", "c", "b"]
    ask("large", 10_000), ask("large", 10_000)
    assert calls[4:] == ["large"]
    ask("a", 100), ask("large", 10_000)
    assert calls[5:] == ["a", "large"]


def test_an_error_is_not_kept():
    cache = TraceCache()
    with pytest.raises(ZeroDivisionError):
        cache.get("a", lambda: 1 / 0)
    assert not cache._entries
    assert cache.get("a", lambda: "now") == "now"


def test_who_waited_for_what_failed_makes_it_for_all_later_ones():
    cache, begun, go_on, calls = TraceCache(), threading.Event(), threading.Event(), []

    def fails() -> None:
        begun.set()
        assert go_on.wait(30)
        raise ValueError

    def first() -> None:
        with pytest.raises(ValueError):
            cache.get("a", fails)

    waits = threading.Thread(target=lambda: cache.get("a", lambda: calls.append(1) or "result"))
    one = threading.Thread(target=first)
    one.start()
    assert begun.wait(30)
    waits.start()
    go_on.set()
    one.join(30), waits.join(30)
    assert cache.get("a", lambda: calls.append(2)) == "result" and calls == [1]


def test_who_asks_meanwhile_waits_for_the_same_and_others_do_not():
    cache, begun, go_on, calls = TraceCache(), threading.Event(), threading.Event(), []

    def slow() -> str:
        calls.append(1)
        begun.set()
        assert go_on.wait(30)
        return "slow"

    results: list[str] = []
    both = [threading.Thread(target=lambda: results.append(cache.get("slow", slow))) for _ in range(2)]
    both[0].start()
    assert begun.wait(30)
    both[1].start()
    assert cache.get("other", lambda: "quick") == "quick"
    go_on.set()
    for one in both:
        one.join(30)
    assert results == ["slow", "slow"] and calls == [1]


def test_a_result_that_was_begun_before_all_were_dropped_is_not_kept():
    cache = TraceCache()
    assert cache.get("a", lambda: cache.forget() or "old") == "old"
    assert cache.get("a", lambda: "new") == "new"


def test_a_result_goes_after_its_time(monkeypatch):
    now = 0.0
    monkeypatch.setattr(traces.time, "monotonic", lambda: now)
    cache = TraceCache()
    cache.get("first", object)
    now = traces.KEPT_S - 1
    cache.get("second", object)
    assert "first" in cache._entries
    now = traces.KEPT_S + 1
    cache.get("third", object)
    assert list(cache._entries) == ["second", "third"]
