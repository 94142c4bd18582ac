"""Texts that a server continues are, token for token, those that the same model writes here."""

import gc
import threading
import time

import pytest

from explorer.analysis.generation import Sampling, generate
from explorer.analysis.generation.beam import Beam, BeamSearch
from explorer.analysis.generation.caching import compare_caching
from explorer.analysis.generation.contrastive import Contrastive, ContrastiveSearch
from explorer.generation.engine import engine_of
from explorer.generation.watermark import Watermark

PROMPT = "the old bank by the river"
SETTINGS = [
    Sampling(seed=3, max_new_tokens=20),
    Sampling(seed=8, temperature=0.7, top_k=9, max_new_tokens=20),
    Sampling(seed=5, top_p=0.8, max_new_tokens=20),
    Sampling(greedy=True, max_new_tokens=20),
    Sampling(repetition_penalty=1.4, min_p=0.05, order=["min_p", "repetition_penalty"], max_new_tokens=20),
    Sampling(grammar="[a-z ]+", watermark=Watermark(3.0), max_new_tokens=20),
    Sampling(seed=1, max_new_tokens=500),  # until the context is full
]


def same_steps(far, near):
    assert [step.id for step in far] == [step.id for step in near]
    for one, other in zip(far, near, strict=True):
        assert (one.token, one.text, one.rank, one.draw) == (other.token, other.text, other.rank, other.draw)
        assert one.probability == pytest.approx(other.probability, abs=1e-5)
        assert [c.id for c in one.candidates] == [c.id for c in other.candidates]


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_the_same_text_for_a_seed(far_gpt, tiny_gpt, sampling):
    far, near = (generate(model, PROMPT, sampling) for model in (far_gpt, tiny_gpt))
    same_steps(list(far), list(near))
    assert far.ending == near.ending and far.text == near.text


def test_a_text_is_one_stream(far_gpt, monkeypatch):
    client, requests = far_gpt.network.client, []
    stream = client.stream

    def counting(*request):
        requests.append(request)
        return stream(*request)

    monkeypatch.setattr(client, "stream", counting)
    assert len(list(generate(far_gpt, PROMPT, SETTINGS[0]))) == 20 and len(requests) == 1


def test_logits_of_a_step(far_gpt, tiny_gpt):
    far, near = (generate(model, PROMPT, SETTINGS[0]) for model in (far_gpt, tiny_gpt))
    list(far), list(near)
    assert (far.logits(3) - near.logits(3)).abs().max() < 1e-5


def test_tokens_by_hand_and_branches(far_gpt, tiny_gpt):
    def story(model):
        generation = generate(model, PROMPT, SETTINGS[0])
        next(generation)
        generation.take([11, 12, 13])
        steps = list(generation)
        return [steps, list(generation.branch(2, 40)), list(generation.branch(0, 7, SETTINGS[1]))]

    for far, near in zip(story(far_gpt), story(tiny_gpt), strict=True):
        same_steps(far, near)


def test_beams_and_contrastive_search(far_gpt, tiny_gpt):
    beams = [BeamSearch(model, PROMPT, Beam(width=3, max_new_tokens=6)) for model in (far_gpt, tiny_gpt)]
    far, near = ([[h.ids for h in step] for step in beam] for beam in beams)
    assert far == near
    searches = [ContrastiveSearch(m, PROMPT, Contrastive(k=3, max_new_tokens=5)) for m in (far_gpt, tiny_gpt)]
    far, near = ([step.id for step in search] for search in searches)
    assert far == near


def test_a_step_can_be_waited_for_in_pieces(far_gpt, tiny_gpt, monkeypatch):
    scheduler, gave_up = engine_of(tiny_gpt).scheduler, threading.Event()
    serve = scheduler._serve
    monkeypatch.setattr(scheduler, "_serve", lambda requests: gave_up.wait(20) and serve(requests))
    generation = generate(far_gpt, PROMPT, SETTINGS[0])
    assert generation.step(wait=0.001) is None and generation.ending is None
    gave_up.set()
    same_steps(list(generation), list(generate(tiny_gpt, PROMPT, SETTINGS[0])))


@pytest.mark.slow
def test_a_visitor_who_leaves_stops_the_server(far_gpt, tiny_gpt, monkeypatch):
    """Closed, or just dropped: no further step is made for nobody."""
    engine, steps = engine_of(tiny_gpt), []
    serve = engine.scheduler._serve

    def slow(requests):
        steps.extend(requests)
        time.sleep(0.2)
        return serve(requests)

    monkeypatch.setattr(engine.scheduler, "_serve", slow)
    for leave in (lambda generation: generation.close(), lambda generation: None):
        generation = generate(far_gpt, PROMPT, Sampling(seed=2, max_new_tokens=60))
        next(generation)
        leave(generation)
        del generation
        gc.collect()
        count = -1
        while count < len(steps):  # until none is made for a while
            count = len(steps)
            time.sleep(1)
        assert count < 30
        steps.clear()


def test_a_text_that_nobody_looks_at_lets_its_stream_go_and_goes_on(far_gpt, tiny_gpt):
    far, near = (generate(model, PROMPT, SETTINGS[0]) for model in (far_gpt, tiny_gpt))
    first = [next(far) for _ in range(3)]
    stream = far._cached.cache.stream
    far.rest()
    stream._thread.shutdown(wait=True)
    with pytest.raises(StopIteration):
        next(stream._steps)
    assert far.ending is None
    same_steps([*first, *far], list(near))


def test_who_waits_for_a_step_is_woken_when_the_text_is_closed(far_gpt, monkeypatch):
    silent = threading.Event()

    def no_step(*_):
        silent.wait(20)
        yield {}, {}

    monkeypatch.setattr(far_gpt.network.client, "stream", no_step)
    generation = generate(far_gpt, PROMPT, SETTINGS[0])
    thread = threading.Thread(target=list, args=(generation,), daemon=True)
    thread.start()
    while generation._cached.cache.stream is None:
        time.sleep(0.001)
    generation.close()
    thread.join(20)
    silent.set()
    assert not thread.is_alive()


def test_a_text_without_the_cache_is_the_same(far_gpt):
    comparison = compare_caching(far_gpt, "the old river", Sampling(max_new_tokens=4))
    assert len(list(comparison)) == 4 and comparison.same and comparison.weights is None
