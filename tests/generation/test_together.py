"""The same texts alone and together."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.generation.beam import Beam, beam_search
from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
from explorer.analysis.generation.steps import Sampling, generate
from explorer.generation.sampling_steps import STEPS

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
        thread.join(300)
        assert not thread.is_alive()
    return made


SAMPLINGS = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.7, 1.0, 1.6]),
    top_k=st.none() | st.integers(1, 60),
    top_p=st.none() | st.floats(0.05, 1),
    seed=st.integers(0, 99),
    max_new_tokens=st.integers(1, 14),
    min_p=st.none() | st.floats(0, 0.3),
    typical_p=st.none() | st.floats(0.2, 1),
    repetition_penalty=st.none() | st.floats(0.8, 2),
    order=st.permutations(list(STEPS)),
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


def test_searches_are_the_same_together(gpt):
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


@pytest.mark.slow
def test_a_hundred_seeds_write_the_same_alone_and_among_nineteen_others(gpt):
    def texts(first):
        return [generate(gpt, "the", Sampling(seed=first + i, max_new_tokens=10)) for i in range(20)]

    for first in range(0, 100, 20):
        alone, others = texts(first), texts(first)
        for text in alone:
            list(text)
        together(others)
        assert [text.ids for text in others] == [text.ids for text in alone]
