"""What visitors share: computed once, bounded in number, bytes and time; an error is no result."""

import gc
import threading
from dataclasses import dataclass, replace
from weakref import ref

import pytest
import torch

import explorer
from explorer.generation import grammar
from explorer.model_server.remote import RemoteModel
from explorer.models.language_model import LanguageModel
from explorer.server import kept as keeping
from explorer.server.kept import Kept, kept, tensor_bytes
from explorer.text.search import search_for
from explorer.trace import Checkpoint


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
    cache, calls = Kept(), []
    for _ in range(3):
        assert cache.get("a", lambda: calls.append(1) or "result") == "result"
    assert calls == [1]


def test_the_longest_unused_go_and_a_large_one_stays_while_it_is_the_last():
    cache, calls = Kept(most_bytes=1000), []

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
    cache = Kept()
    with pytest.raises(ZeroDivisionError):
        cache.get("a", lambda: 1 / 0)
    assert not cache._entries
    assert cache.get("a", lambda: "now") == "now"


def test_who_waited_for_what_failed_makes_it_for_all_later_ones():
    cache, begun, go_on, calls = Kept(), threading.Event(), threading.Event(), []

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
    cache, begun, go_on, calls = Kept(), threading.Event(), threading.Event(), []

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
    cache = Kept()
    assert cache.get("a", lambda: cache.clear() or "old") == "old"
    assert cache.get("a", lambda: "new") == "new"


def test_a_result_goes_after_its_time(monkeypatch):
    now = 0.0
    monkeypatch.setattr(keeping.time, "monotonic", lambda: now)
    cache = Kept()
    cache.get("first", object)
    now = keeping.KEPT_S - 1
    cache.get("second", object)
    assert "first" in cache._entries
    now = keeping.KEPT_S + 1
    keeping.forget_old_results()
    assert list(cache._entries) == ["second"]
    assert cache.look_up("first") is None and cache.look_up("second") is not None


def model_named(name: str, of: type[LanguageModel] = LanguageModel) -> LanguageModel:
    model = explorer.load("word2vec")
    return of(Checkpoint.parse(name), model.config, model.network, model.tokenizer, model.abilities)


@dataclass(frozen=True)
class Asked:
    layer: int
    words: tuple[str, ...]


@pytest.fixture
def counting():
    calls = []

    @kept(8)
    def compute(model, text, *more):
        calls.append((str(model.checkpoint), text, *more))
        return f"{model.checkpoint}: {text}"

    return compute, calls


def test_the_types_are_called_what_they_are():
    names = {f"{one.__module__}.{one.__qualname__}" for one in (LanguageModel, RemoteModel)}
    assert names == keeping.MODELS


@pytest.mark.parametrize("of", [LanguageModel, RemoteModel])
def test_a_model_counts_as_its_name(counting, of):
    compute, calls = counting
    first = model_named("serve:http://here:8000/one", of)
    assert compute(first, "a text") == compute(replace(first), "a text")
    assert len(calls) == 1
    compute(model_named("serve:http://here:8000/other", of), "a text")
    assert len(calls) == 2


def test_what_else_is_asked_counts_as_before(counting):
    compute, calls = counting
    model = model_named("word2vec")
    layers, pairs = [(Asked(1, ("a",)),), (Asked(2, ("a",)),)], [((1, "a"), None), ((1, "b"), None)]
    for more in [("a",), ("b",), *layers, *pairs]:
        compute(model, "a text", *more)
        compute(model, "a text", *more)
    compute(model, "another")
    assert len(calls) == 7


def test_the_model_is_not_kept(counting):
    compute, _ = counting
    model = model_named("word2vec")
    compute(model, "a text")
    there = ref(model)
    del model
    gc.collect()
    assert there() is None


def test_results_are_computed_again_once_they_have_been_dropped(counting):
    compute, calls = counting
    for _ in range(2):
        compute(model_named("word2vec"), "a text")
        keeping.forget_results()
    assert len(calls) == 2


def test_a_grammar_that_was_typed_is_forgotten():
    tokenizer = explorer.load("gpt").tokenizer
    grammar.allowed(tokenizer, "wordingrammar", [], tokenizer.size)
    assert grammar._mask.cache_info().currsize
    keeping.forget_results()
    assert grammar._mask.cache_info().currsize == 0


def test_what_was_measured_of_a_model_goes_with_models_and_stays_when_visitors_leave():
    of_texts, of_models = Kept(1), Kept(1, of="models")
    of_texts.put("text", 1), of_models.put("model", 1)
    search_for("wordinsearch")
    keeping.forget_results()
    assert of_texts.look_up("text") is None and of_models.look_up("model") == 1
    assert search_for.cache_info().currsize == 0, "a cache of a layer below, with words that visitors typed"
    keeping.forget_models()
    assert of_models.look_up("model") is None
