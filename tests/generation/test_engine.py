"""Batch steps: the network's numbers, whoever shares them; the same texts alone and in company; and what
visitors who stop, vanish or fail cost the others."""

import gc
import threading
import weakref

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer
from explorer.analysis.generation.beam import Beam, beam_search
from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.errors import ExplorerError
from explorer.generation import attention, engine
from explorer.generation.engine import CachedText, Engine, StepRequest, engine_of
from explorer.models import FAMILIES
from explorer.models.gpt import GptConfig
from tests.analysis import small
from tests.generation.test_scheduler import until

PROMPTS = ["", "the", "the bank walking", "we saw", "b", "walk in the bank"]
SIZES = [(26, 2, 31, 270), (33, 3, 47, 293), (64, 4, 256, 1000)]
ROWS = 32


def network(d_model=26, heads=2, d_mlp=31, d_vocab=270, **settings):
    """Random weights that leave no distribution flat."""
    config = GptConfig(d_vocab, d_model, 3, heads, d_mlp, positions=41, **settings)
    made = FAMILIES["gpt2"].network(config)
    generator = torch.Generator().manual_seed(7)
    for parameter in made.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator) * 0.2
    return made.eval().requires_grad_(False)


def ragged(net, lengths):
    """A text for each length, one of its tokens unread, and all its ids."""
    texts = []
    for row, length in enumerate(lengths):
        ids = [(i * 7 + row) % net.config.d_vocab for i in range(length)]
        text = CachedText(net.new_cache(capacity=40), ids[-1:])
        if length > 1:
            net(torch.tensor([ids[:-1]]), cache=text.cache)
        texts.append((text, ids))
    return texts


def served(model_engine, *texts, **asked):
    request = StepRequest(texts, **asked)
    model_engine.serve([request])
    assert request.error is None
    return request


@pytest.fixture(params=["own caches", "batch cache"])
def way(request, monkeypatch):
    """The two ways to attend: row by row, and all in one call."""
    choice = request.param == "batch cache"
    monkeypatch.setattr(attention.BatchCache, "suits", staticmethod(lambda caches: choice))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("changed", [{}, {"activation": "gelu"}, {"activation": "silu"}, {"tied": False}])
def test_a_step_is_what_the_network_makes_of_the_whole_text(sizes, changed, way):
    net = network(*sizes, **changed)
    made, texts = Engine(net), ragged(net, (1, 4, 9, 30))
    for new in ([5, 6, 7, 8], [1, 1, 0, 3]):
        logits = served(made, *(text for text, _ in texts)).logits
        for (text, ids), row in zip(texts, logits, strict=True):
            expected = net.unembed(net(torch.tensor([ids])).last[0, -1])
            torch.testing.assert_close(row, expected, atol=1e-5, rtol=1e-5)
            assert text.cache.length == len(ids) and text.unread == []
        for (text, ids), id in zip(texts, new, strict=True):
            text.unread = [id]
            ids.append(id)


@pytest.mark.parametrize("sizes", SIZES)
def test_rows_differ_in_company_by_rounding_alone(sizes):
    net = network(*sizes)
    lengths = [1 + row * 5 % 17 for row in range(ROWS)]
    alone = [served(Engine(net), text).logits[0] for text, _ in ragged(net, lengths)]
    for count in (2, 3, 8, 20, ROWS):
        made, texts = Engine(net), ragged(net, lengths)[-count:]
        requests = [StepRequest([text]) for text, _ in texts]
        assert made.serve(requests) == []
        for request, expected in zip(requests, alone[-count:], strict=True):
            torch.testing.assert_close(request.logits[0], expected, atol=1e-5, rtol=1e-5)


def test_rows_keep_their_texts_when_company_changes():
    """Texts come, go, come back in another order, and one goes on by itself in between."""
    net = network()
    made, texts = Engine(net), ragged(net, [3, 9, 5, 12, 7])
    for step, company in enumerate([(0, 1, 2, 3), (3, 1, 0), (1,), (4, 2, 1, 3), (0, 4, 2), (3, 0, 1, 2, 4)]):
        logits = served(made, *(texts[i][0] for i in company)).logits
        for i, row in zip(company, logits, strict=True):
            text, ids = texts[i]
            torch.testing.assert_close(
                row, net.unembed(net(torch.tensor([ids])).last[0, -1]), atol=1e-5, rtol=1e-5
            )
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
    torch.testing.assert_close(logits[1], logits[0], atol=1e-5, rtol=1e-5)
    expected = net.unembed(net(torch.tensor([[*ids, 4]])).last[0, -1])
    torch.testing.assert_close(logits[0], expected, atol=1e-5, rtol=1e-5)
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


# --- Many visitors


def together(visits):
    """Let every iterator be exhausted in a thread of its own; returns what each made."""
    made = [[] for _ in visits]
    threads = [
        threading.Thread(target=lambda v=visit, m=mine: m.extend(v), daemon=True)
        for visit, mine in zip(visits, made, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return made


SAMPLINGS = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.7, 1.0, 1.6]),
    top_k=st.none() | st.integers(1, 60),
    top_p=st.none() | st.floats(0.05, 1),
    seed=st.integers(0, 99),
    max_new_tokens=st.integers(1, 14),
)


@settings(max_examples=12)
@given(st.lists(st.tuples(st.sampled_from(PROMPTS), SAMPLINGS, st.integers(1, 9)), min_size=2, max_size=7))
def test_a_text_is_the_same_whoever_else_is_writing(gpt, visits):
    alone = [list(generate(gpt, *visit)) for visit in visits]
    crowd = [generate(gpt, *visit) for visit in visits]
    others = [
        beam_search(gpt, "the", Beam(3, 9)),
        contrastive_search(gpt, "we", Contrastive(max_new_tokens=9)),
    ]
    together([*crowd, *others])
    for generation, steps in zip(crowd, alone, strict=True):
        assert [(s.id, s.text, s.draw, s.rank) for s in generation.steps] == [
            (s.id, s.text, s.draw, s.rank) for s in steps
        ]
        for one, other in zip(generation.steps, steps, strict=True):
            assert one.probability == pytest.approx(other.probability, rel=1e-3)
            assert one.chance == pytest.approx(other.chance, rel=1e-3)
            assert [c.id for c in one.candidates] == [c.id for c in other.candidates]


def test_searches_are_the_same_in_company(gpt):
    def searches():
        return [
            beam_search(gpt, "the bank", Beam(width=4, max_new_tokens=8)),
            beam_search(gpt, "we", Beam(width=2, max_new_tokens=12)),
            contrastive_search(gpt, "the", Contrastive(max_new_tokens=8)),
        ]

    alone, crowd = searches(), searches()
    for search in alone:
        list(search)
    together([*crowd, *(generate(gpt, "the", Sampling(seed=i)) for i in range(4))])
    for one, other in zip(crowd, alone, strict=True):
        assert (one.ids, one.ending) == (other.ids, other.ending)
    assert crowd[0].best.log_probability == pytest.approx(alone[0].best.log_probability, rel=1e-4)
    penalties = [s.penalty for s in alone[2].steps]
    assert [s.penalty for s in crowd[2].steps] == pytest.approx(penalties, abs=1e-4)


def test_a_hundred_seeds_write_the_same_alone_and_among_nineteen_others(gpt):
    def texts(first):
        return [generate(gpt, "the", Sampling(seed=first + i, max_new_tokens=10)) for i in range(20)]

    for first in range(0, 100, 20):
        alone, company = texts(first), texts(first)
        for text in alone:
            list(text)
        together(company)
        assert [text.ids for text in company] == [text.ids for text in alone]


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
    read, step = found._read, found.step
    monkeypatch.setattr(found, "_read", lambda request: order.append("piece") or read(request))
    monkeypatch.setattr(found, "step", lambda *rows: order.append("step") or step(*rows))
    monkeypatch.setattr(found.scheduler, "_most", 4)
    writing = generate(gpt, "", Sampling(max_new_tokens=30))
    long = generate(gpt, "a" * 30, Sampling(max_new_tokens=2))
    next(writing)
    order.clear()
    assert long.reading == 0
    # Both stand in line before either is served.
    long._request = long._next_request()
    found.scheduler._line.append(long._request)
    for _ in range(5):
        next(writing)
    assert order == ["piece", "step"] * 5
    assert long.reading == 20 / 30
    assert len(list(long)) == 2 and long.reading == 1


def test_a_model_that_is_dropped_takes_its_engine_along(tmp_path):
    model = small.model(tmp_path)
    list(generate(model, "a", Sampling(max_new_tokens=3)))
    found = weakref.ref(engine_of(model))
    del model
    gc.collect()
    assert found() is None


def test_a_failure_is_told_and_the_next_try_goes_on(gpt, monkeypatch):
    found, sampling = engine_of(gpt), Sampling(seed=1, max_new_tokens=6)
    expected = [s.id for s in generate(gpt, "the", sampling)]
    for name in ("step", "logits"):
        generation = generate(gpt, "the", sampling)
        next(generation)

        def broken(*_):
            raise MemoryError

        with monkeypatch.context() as patch, pytest.raises(MemoryError):
            patch.setattr(found, name, broken)
            next(generation)
        list(generation)
        assert generation.ids == expected


def test_one_visitors_failure_leaves_the_others_alone(gpt):
    """A cache without room, and scores that are not numbers, in one batch with a good request."""
    made, net = Engine(gpt.network), gpt.network
    full, broken, good = (CachedText(net.new_cache(capacity=3), [5]) for _ in range(3))
    for text in (full, broken, good):
        net(torch.tensor([[1, 2, 3][: 3 if text is full else 2]]), cache=text.cache)
    broken.cache.memory[..., :2, :] = float("nan")
    ask = generate(gpt, "", Sampling())._sampling_request(0)
    requests = [StepRequest([text], ask) for text in (full, broken, good)]
    assert made.serve(requests) == []
    assert [type(request.error) for request in requests] == [IndexError, ExplorerError, type(None)]
    assert requests[2].sampled.id == served(made, *ragged_again(net), sampling=ask).sampled.id
    assert (full.cache.length, broken.cache.length, good.cache.length) == (3, 2, 3)


def ragged_again(net):
    """The good text of the test above, alone."""
    text = CachedText(net.new_cache(capacity=3), [5])
    net(torch.tensor([[1, 2]]), cache=text.cache)
    return [text]
