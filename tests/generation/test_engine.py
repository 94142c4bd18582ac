"""Batch steps: the network's numbers, whoever shares them."""

import gc
import threading
import weakref

import pytest
import torch

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.generation import engine
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.models.stepping import cached_attention
from explorer.models.stepping.step import Step
from tests.analysis import small
from tests.generation.texts import network, ragged, same_scores, served

SIZES = [(26, 2, 31, 270), (33, 3, 47, 293), (64, 4, 256, 1000)]
ROWS = 32


@pytest.fixture(params=["own caches", "batch cache"])
def way(request, monkeypatch):
    """The two ways to attend: row by row, and all in one call."""
    choice = request.param == "batch cache"
    monkeypatch.setattr(cached_attention.BatchCache, "can_batch", staticmethod(lambda caches: choice))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("changed", [{}, {"activation": "gelu"}, {"activation": "silu"}, {"tied": False}])
def test_a_step_is_what_the_network_makes_of_the_whole_text(sizes, changed, way):
    net = network(*sizes, **changed)
    made, texts = Engine(net), ragged(net, (1, 4, 9, 30))
    for new in ([5, 6, 7, 8], [1, 1, 0, 3]):
        logits = served(made, *(text for text, _ in texts)).logits
        same_scores(net, texts, logits)
        for text, ids in texts:
            assert text.cache.length == len(ids) and text.unread == []
        for (text, ids), id in zip(texts, new, strict=True):
            text.unread = [id]
            ids.append(id)


@pytest.mark.parametrize("sizes", SIZES)
def test_rows_differ_among_others_by_rounding_alone(sizes):
    net = network(*sizes)
    lengths = [1 + row * 5 % 17 for row in range(ROWS)]
    alone = [served(Engine(net), text).logits[0] for text, _ in ragged(net, lengths)]
    for count in (2, 3, 8, 20, ROWS):
        made, texts = Engine(net), ragged(net, lengths)[-count:]
        requests = [StepRequest([text]) for text, _ in texts]
        assert made.serve(requests) == []
        for request, expected in zip(requests, alone[-count:], strict=True):
            torch.testing.assert_close(request.logits[0], expected, atol=1e-5, rtol=1e-5)


def test_rows_keep_their_texts_when_others_change():
    """Texts come, go, come back in another order, and one goes on by itself in between."""
    net = network()
    made, texts = Engine(net), ragged(net, [3, 9, 5, 12, 7])
    for step, rows in enumerate([(0, 1, 2, 3), (3, 1, 0), (1,), (4, 2, 1, 3), (0, 4, 2), (3, 0, 1, 2, 4)]):
        logits = served(made, *(texts[i][0] for i in rows)).logits
        same_scores(net, [texts[i] for i in rows], logits)
        for i in rows:
            text, ids = texts[i]
            text.unread = [(step * 11 + i) % 270]
            ids.append(text.unread[0])


def test_a_cache_that_was_changed_is_read_anew():
    net = network()
    made, texts = Engine(net), ragged(net, [6, 6, 6])
    served(made, *(text for text, _ in texts))
    (first, ids), (second, _), (third, _) = texts
    second.cache.copy_from(first.cache, 6)
    third.cache.take_last(first.cache)
    for text, _ in texts:
        text.unread = [4]
    logits = served(made, first, second, third).logits
    same_scores(net, [(first, [*ids, 4]), (second, [*ids, 4])], logits[:2])
    assert not torch.allclose(logits[2], logits[0], atol=1e-3), "only its last position is another's"


@pytest.mark.parametrize("every", [False, True])
def test_a_prompt_is_read_in_pieces(monkeypatch, every):
    monkeypatch.setattr(engine, "PIECE", 4)
    net = network()
    made, ids = Engine(net), [3, 1, 4, 1, 5, 9, 2, 6, 5]
    request = StepRequest([CachedText(net.new_cache(capacity=9), ids)], every=every)
    for left in (5, 1, 0):
        made.serve([request])
        assert len(request.texts[0].unread) == left and (request.states is None) == (left > 0)
    expected = net.norm(net(torch.tensor([ids])).last[0])
    torch.testing.assert_close(request.states, expected if every else expected[-1:], atol=1e-5, rtol=1e-5)


def test_the_networks_weights_may_change(gpt_folder):
    model = explorer.load(f"folder:{gpt_folder}")
    asked = Sampling(greedy=True, max_new_tokens=8)
    before = generate(model, "the bank", asked)
    list(before)
    with torch.no_grad():
        model.network.tokens.weight.mul_(-1.5)
    after = generate(model, "the bank", asked)
    list(after)
    ids = model.tokenizer.encode("the bank").ids.tolist()
    for id in after.ids:
        assert id == int(model.network.unembed(model.network(torch.tensor([ids])).last[0, -1]).argmax())
        ids.append(id)
    assert after.ids != before.ids


def test_a_model_that_is_dropped_takes_its_engine_along(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "MANY", 2)
    model = small.model(tmp_path)
    list(generate(model, "a", Sampling(max_new_tokens=3)))
    made = engine_of(model)
    caches = [made.new_cache(4) for _ in range(2)]
    made.serve([StepRequest([CachedText(cache, [5])]) for cache in caches])
    found, thread = weakref.ref(made), *made._thread._threads
    del model, made
    gc.collect()
    assert found() is None
    thread.join(20)
    assert not thread.is_alive()


def test_prompts_of_several_visitors_are_read_in_one_pass(monkeypatch):
    """Of unlike lengths, one of them begun before, with one who reads a single token beside them."""
    net = network()
    made, passes = Engine(net), []
    texts, step = ragged(net, [1, 4, 9, 6]), Step.__call__
    for text, ids in texts[:3]:
        text.unread = [*text.unread, 8, 7]
        ids += [8, 7]
    monkeypatch.setattr(
        Step,
        "__call__",
        lambda self, pieces, *rest: passes.append([*map(len, pieces)]) or step(self, pieces, *rest),
    )
    requests = [StepRequest([text], every=i == 1) for i, (text, _) in enumerate(texts)]
    assert made.serve(requests) == [] and passes == [[3, 3, 3], [1]]
    for request, (text, ids) in zip(requests, texts, strict=True):
        expected = net.norm(net(torch.tensor([ids])).last[0])[-3 if request.every else -1 :]
        torch.testing.assert_close(request.states, expected, atol=1e-5, rtol=1e-5)
        assert text.cache.length == len(ids) and text.unread == []


def test_many_are_served_in_one_thread_and_one_alone_in_its_own(monkeypatch):
    monkeypatch.setattr(engine, "MANY", 2)
    net = network()
    made, threads = Engine(net), []
    step = Step.__call__
    monkeypatch.setattr(
        Step, "__call__", lambda *asked: threads.append(threading.current_thread()) or step(*asked)
    )
    for count in (2, 1, 3):
        assert made.serve([StepRequest([text]) for text, _ in ragged(net, [1] * count)]) == []
    apart, own, again = threads
    assert apart is again and own is threading.current_thread() is not apart


def test_texts_of_very_unlike_lengths_share_a_step():
    net = network()
    made, texts = Engine(net), ragged(net, [40, 1, 2, 1, 2, 3])
    assert not cached_attention.BatchCache.can_batch([text.cache for text, _ in texts])
    logits = served(made, *(text for text, _ in texts)).logits
    same_scores(net, texts, logits)


def test_memory_for_many_short_texts_does_not_become_that_for_as_many_long_ones(monkeypatch):
    monkeypatch.setattr(cached_attention, "KEPT", 128)
    net = network()
    made = Engine(net)
    served(made, *(text for text, _ in ragged(net, [3] * 12)))
    assert made.step._batch._memory.shape[2] == 12
    monkeypatch.setattr(
        cached_attention.BatchCache, "can_batch", staticmethod(lambda caches: len(caches) > 1)
    )
    long = [CachedText(net.new_cache(capacity=100), [5]) for _ in range(2)]
    for text in long:
        text.cache.length = 70  # what they know is of no matter here
        text.cache.shift = -50
    made.step._batch.arrange([text.cache for text in long])
    assert made.step._batch._memory.shape[2] == 2
