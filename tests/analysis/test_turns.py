"""Many visitors at one model: the same texts as alone, fair places, and no work for those who left."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.beam import Beam, beam_search
from explorer.analysis.contrastive import Contrastive, contrastive_search
from explorer.analysis.generation import Ending, Sampling, generate
from explorer.analysis.turns import desk_of
from tests.analysis.test_queue import until

PROMPTS = ["", "the", "the bank walking", "we saw", "b", "walk in the bank"]


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
        assert [vars(s) | {"candidates": None} for s in generation.steps] == [
            vars(s) | {"candidates": None} for s in steps
        ]
        for one, other in zip(generation.steps, steps, strict=True):
            assert [vars(c) for c in one.candidates] == [vars(c) for c in other.candidates]


def test_searches_are_the_same_in_company(gpt):
    def searches():
        return [
            beam_search(gpt, "the bank", Beam(width=4, max_new_tokens=8)),
            beam_search(gpt, "we", Beam(width=2, max_new_tokens=12)),
            contrastive_search(gpt, "the", Contrastive(max_new_tokens=8)),
        ]

    alone = searches()
    for search in alone:
        list(search)
    crowd = searches()
    together([*crowd, *(generate(gpt, "the", Sampling(seed=i)) for i in range(4))])
    for one, other in zip(crowd, alone, strict=True):
        assert (one.ids, one.ending) == (other.ids, other.ending)
    assert crowd[0].best.log_probability == alone[0].best.log_probability
    assert [s.penalty for s in crowd[2].steps] == [s.penalty for s in alone[2].steps]


@pytest.fixture
def shut(gpt, monkeypatch):
    """The model's desk, shut until its event is set; counts the tokens it reads."""
    desk, open_ = desk_of(gpt), threading.Event()
    desk.read, step = 0, desk.decoder.step

    def slow(ids, caches, ahead):
        assert open_.wait(20)
        desk.read += len(ids)
        return step(ids, caches, ahead)

    monkeypatch.setattr(desk.decoder, "step", slow)
    desk.open = open_
    yield desk
    open_.set()


def test_a_visitor_sees_the_place_in_line(gpt, shut):
    first = generate(gpt, "", Sampling(max_new_tokens=1))
    thread = threading.Thread(target=list, args=(first,), daemon=True)
    thread.start()
    until(lambda: first._turn and first._turn.in_hand)
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
    thread = threading.Thread(target=list, args=(generation,), daemon=True)
    thread.start()
    until(lambda: generation._turn and generation._turn.in_hand)
    generation.close()
    shut.open.set()
    thread.join(20)
    assert not thread.is_alive() and generation.ending is Ending.STOPPED
    assert generation.steps == [] and shut.read == 1


def test_who_vanishes_from_the_line_costs_one_step(gpt, shut):
    first = generate(gpt, "", Sampling(max_new_tokens=1))
    thread = threading.Thread(target=list, args=(first,), daemon=True)
    thread.start()
    until(lambda: first._turn and first._turn.in_hand)
    gone = generate(gpt, "", Sampling(max_new_tokens=30))
    assert gone.step(wait=0) is None
    del gone  # the browser is closed; nobody says goodbye
    shut.open.set()
    thread.join(20)
    assert len(list(generate(gpt, "", Sampling(max_new_tokens=5)))) == 5
    assert shut.read == 1 + 1 + 5


def test_a_long_prompt_does_not_hold_the_others_up(gpt, monkeypatch):
    """Its pieces and the others' steps take turns."""
    monkeypatch.setattr("explorer.analysis.turns.PIECE", 4)
    monkeypatch.setattr("explorer.analysis.turns.SHORT", 3)
    desk, order = desk_of(gpt), []
    read, step = desk.decoder.read, desk.decoder.step
    monkeypatch.setattr(desk.decoder, "read", lambda ids, cache: order.append("piece") or read(ids, cache))
    monkeypatch.setattr(desk.decoder, "step", lambda *rows: order.append("step") or step(*rows))
    writing = generate(gpt, "", Sampling(max_new_tokens=30))
    long = generate(gpt, "a" * 30, Sampling(max_new_tokens=2))
    next(writing)
    order.clear()
    assert long.reading == 0
    # Both stand in line before either is served.
    turn = long._turn = long._next_turn()
    desk.queue._line.append(turn)
    for _ in range(5):
        next(writing)
    assert order == ["piece", "step"] * 5
    assert long.reading == 20 / 30
    assert len(list(long)) == 2 and long.reading == 1


def test_a_model_that_is_dropped_takes_its_desk_along(tmp_path):
    import gc
    import weakref

    from tests.analysis import small

    model = small.model(tmp_path)
    list(generate(model, "a", Sampling(max_new_tokens=3)))
    desk = weakref.ref(desk_of(model))
    del model
    gc.collect()
    assert desk() is None


def test_a_failure_is_told_and_the_next_try_goes_on(gpt, monkeypatch):
    desk = desk_of(gpt)
    expected = [s.id for s in generate(gpt, "the", Sampling(seed=1, max_new_tokens=6))]
    generation = generate(gpt, "the", Sampling(seed=1, max_new_tokens=6))
    next(generation)

    def broken(ids, caches, ahead):
        raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        patch.setattr(desk.decoder, "step", broken)
        next(generation)
    list(generation)
    assert generation.ids == expected
