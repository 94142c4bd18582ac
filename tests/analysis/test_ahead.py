"""Reading ahead: guesses by what came last time, and texts that do not change by it."""

import pytest

from explorer.analysis.ahead import AHEAD, Guesses
from explorer.analysis.generation import Ending, Sampling, generate
from explorer.analysis.turns import desk_of
from tests.analysis.test_turns import together

GREEDY = Sampling(greedy=True, max_new_tokens=30)


def test_a_guess_is_what_came_last_time():
    guesses = Guesses()
    assert guesses.after([1, 2], 3) == []
    guesses.learn([1, 2, 3, 4, 2, 5])
    assert guesses.after([1, 2], 3) == [3, 4, 2], "two tokens decide"
    assert guesses.after([9, 2], 1) == [5], "or one, where the two are unknown"
    assert guesses.after([4], 9) == [2, 5], "5 was the last"
    guesses.learn([1, 2, 7])
    assert guesses.after([1, 2], 1) == [7]


def test_memory_has_an_end(monkeypatch):
    monkeypatch.setattr("explorer.analysis.ahead.MOST", 50)
    guesses = Guesses()
    for start in range(200):
        guesses.learn(range(start * 10, start * 10 + 10))
        assert len(guesses._after) <= 50 + 17
    assert guesses.after([1998], 1) == [1999]


@pytest.fixture
def passes(gpt, monkeypatch):
    """The rows of every pass at the model's desk, whose guesses begin anew."""
    desk, rows = desk_of(gpt), []
    step = desk.decoder.step
    monkeypatch.setattr(desk, "guesses", Guesses())

    def noted(ids, caches, ahead):
        rows.append(len(ids))
        return step(ids, caches, ahead)

    monkeypatch.setattr(desk.decoder, "step", noted)
    return rows


def seen(generation):
    """All that can be seen of a generation's steps."""
    steps = [vars(s) | {"candidates": [vars(c) for c in s.candidates]} for s in generation.steps]
    return steps, [generation.logits(i).tolist() for i in range(len(steps))], generation.ending


@pytest.mark.parametrize("prompt", ["", "the bank walking", "we saw"])
def test_the_same_steps_in_fewer_passes(gpt, passes, monkeypatch, prompt):
    with monkeypatch.context() as patch:
        patch.setattr("explorer.analysis.generation.AHEAD", 0)
        plain = generate(gpt, prompt, GREEDY)
        list(plain)
    one_each = len(passes)
    passes.clear()
    first, second = generate(gpt, prompt, GREEDY), generate(gpt, prompt, GREEDY)
    list(first)
    at_first = len(passes)
    list(second)
    assert seen(first) == seen(plain) == seen(second)
    assert 1 < max(passes[at_first + 1 :]) <= 1 + AHEAD, "after the prompt"
    # The second time everything is known but how it began.
    assert len(passes) - at_first <= one_each // 2 and at_first <= one_each


def test_nothing_is_guessed_where_tokens_are_drawn_or_rows_are_full(gpt, passes):
    drawing = Sampling(seed=1, max_new_tokens=12)
    list(generate(gpt, "", drawing))
    assert set(passes) == {1}
    crowd = [generate(gpt, "the", GREEDY) for _ in range(6)]
    together(crowd)
    assert all(seen(one) == seen(crowd[0]) for one in crowd)


def test_what_was_read_ahead_can_be_left(gpt, passes):
    """Branches and tokens by hand start from the steps that were asked for."""
    whole = generate(gpt, "the bank", GREEDY)
    list(whole)
    for count in range(1, 12):
        other = generate(gpt, "the bank", GREEDY)
        for _ in range(count):
            next(other)
        twin = other.branch(count - 1, whole.ids[count - 1])
        list(twin)
        assert seen(twin) == seen(whole)
        stray = whole.steps[count].candidates[2].id
        other.take([stray, 7])
        fresh = generate(gpt, "the bank", GREEDY)
        fresh.take([*whole.ids[:count], stray, 7])
        assert other.ids == fresh.ids
        for step, same in zip(other, fresh, strict=True):
            assert step.id == same.id and step.probability == pytest.approx(same.probability, rel=1e-4)


def test_a_text_ends_where_it_ended_without_guesses(gpt, passes, monkeypatch):
    start = gpt.tokenizer.start
    desk = desk_of(gpt)
    desk.guesses.learn([5, start, 6, 7, 8])
    generation = generate(gpt, "the", Sampling(greedy=True, max_new_tokens=9))
    generation.take([4])
    scores = desk.decoder.scores

    def always_the_end(states):
        logits = scores(states).clone()
        logits[:, start] = 50.0
        return logits

    monkeypatch.setattr(desk.decoder, "scores", always_the_end)
    assert [s.id for s in generation] == [start] and generation.ending is Ending.END_OF_TEXT


def test_closing_forgets_what_was_read_ahead(gpt, passes):
    for _ in range(2):
        generation = generate(gpt, "we", GREEDY)
        for _ in range(9):
            next(generation)
        generation.close()
        assert list(generation) == [] and len(generation.ids) == 9
