"""Beam search against trying every text, and against its definition, both without a cache."""

import pytest
import torch

from explorer.analysis.generation.beam import Beam, beam_search
from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.errors import AbilityError, ExplorerError
from tests.analysis import small


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return small.model(tmp_path_factory.mktemp("small"))


def every_text(model, prompt, length):
    """All continuations that end with end-of-text or have `length` tokens, and their log P."""
    finished, growing = [], [([], 0.0)]
    for _ in range(length):
        longer = []
        for ids, total in growing:
            for id, value in enumerate(small.log_probabilities(model, prompt + ids).tolist()):
                (finished if id == 0 else longer).append(([*ids, id], total + value))
        growing = longer
    return finished + growing


def by_definition(model, prompt, width, length, penalty):
    """The hypotheses after every step: extend all, keep the best `width`, in plain Python."""
    alive, history = [([], 0.0)], []
    for _ in range(length):
        pool = [h for h in alive if h[0][-1:] == [0]]
        for ids, total in alive:
            if ids[-1:] != [0]:
                values = small.log_probabilities(model, prompt + ids).tolist()
                pool += [([*ids, id], total + value) for id, value in enumerate(values)]
        alive = sorted(pool, key=lambda h: -h[1] / ((5 + len(h[0])) / 6) ** penalty)[:width]
        history.append(alive)
        ended = [ids[-1] == 0 for ids, _ in alive]
        if all(ended) or (ended[0] and penalty == 0):
            break
    return history


@pytest.mark.parametrize("penalty", [0.0, 0.7, 3.0])
@pytest.mark.parametrize("prompt", ["a", "dcb"])
def test_a_wide_beam_finds_the_best_of_all_texts(model, prompt, penalty):
    ids = model.tokenizer.encode(prompt).ids.tolist()
    texts = every_text(model, ids, 4)
    assert len(texts) == 4**4 + sum(4**n for n in range(4))
    best, total = max(texts, key=lambda t: t[1] / ((5 + len(t[0])) / 6) ** penalty)
    search = beam_search(model, prompt, Beam(width=4**3 * 5, max_new_tokens=4, length_penalty=penalty))
    list(search)
    assert search.ids == best
    assert search.best.log_probability == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize("penalty", [0.0, 1.5])
@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_each_step_keeps_what_the_definition_keeps(model, width, penalty):
    prompt = model.tokenizer.encode("bad").ids.tolist()
    expected = by_definition(model, prompt, width, 8, penalty)
    search = beam_search(model, "bad", Beam(width=width, max_new_tokens=8, length_penalty=penalty))
    steps = list(search)
    assert [[h.ids for h in step] for step in steps] == [[ids for ids, _ in step] for step in expected]
    for step, wanted in zip(steps, expected, strict=True):
        assert [h.log_probability for h in step] == pytest.approx([total for _, total in wanted], abs=1e-5)
        assert all(h.ended == (h.ids[-1] == 0) for h in step)
        assert all(h.score == h.log_probability / ((5 + len(h.ids)) / 6) ** penalty for h in step)


def test_a_beam_of_one_is_greedy(gpt):
    greedy = generate(gpt, "the walk", Sampling(greedy=True, max_new_tokens=15))
    list(greedy)
    search = beam_search(gpt, "the walk", Beam(width=1, max_new_tokens=15))
    assert len(list(search)) == 15
    assert (search.ids, search.text, search.ending) == (greedy.ids, greedy.text, greedy.ending)


def test_a_beam_ends_where_any_text_ends(gpt):
    prompt = "a" * (gpt.config.positions - 4)
    full = beam_search(gpt, prompt, Beam(width=3, max_new_tokens=30))
    assert len(list(full)) == 4 and full.ending is Ending.CONTEXT
    stopped = beam_search(gpt, "the", Beam())
    next(stopped)
    stopped.close()
    assert list(stopped) == [] and stopped.ending is Ending.STOPPED and len(stopped.ids) == 1


def test_a_beam_without_meaning_is_refused(gpt, bert):
    for wrong in (
        {"width": 0},
        {"max_new_tokens": 0},
        {"length_penalty": -1},
        {"length_penalty": float("nan")},
    ):
        with pytest.raises(ExplorerError) as error:
            Beam(**wrong)
        assert error.value.hint
    with pytest.raises(AbilityError):
        beam_search(bert, "the")


def test_the_vocabulary_of_five_can_end(model):
    """A model that never ended, or always did, would leave half of this file untested."""
    ends = [float(small.log_probabilities(model, [i]).softmax(-1)[0]) for i in range(1, 5)]
    assert all(torch.tensor(ends) > 0.005) and all(torch.tensor(ends) < 0.9)
