"""The sampler against its definition, and generation against uncached reading."""

import itertools

import pytest
import torch

from explorer.analysis.generation import Ending, Sampling, _draw, chances, generate
from explorer.errors import AbilityError, ExplorerError

LOGITS = torch.tensor([1.0, 3.0, 0.0, 2.0, -1.0])


def by_definition(logits, temperature, top_k, top_p):
    """Temperature, then top-k, then top-p, in plain Python and float64."""
    values = (logits.double() / temperature).softmax(0).tolist()
    order = sorted(range(len(values)), key=lambda i: -values[i])
    kept = order[: top_k or len(order)]
    total = sum(values[i] for i in kept)
    if top_p is not None:
        smallest, mass = [], 0.0
        for i in kept:
            if mass >= top_p:
                break
            smallest.append(i)
            mass += values[i] / total
        kept = smallest
        total = sum(values[i] for i in kept)
    return [values[i] / total if i in kept else 0.0 for i in range(len(values))]


@pytest.mark.parametrize(
    ("temperature", "top_k", "top_p"),
    list(itertools.product([0.3, 1.0, 2.5], [None, 1, 2, 4, 5, 99], [None, 0.1, 0.64, 0.9, 1.0])),
)
def test_chances_follow_the_definition(temperature, top_k, top_p):
    found = chances(LOGITS, Sampling(temperature=temperature, top_k=top_k, top_p=top_p))
    expected = by_definition(LOGITS, temperature, top_k, top_p)
    torch.testing.assert_close(found, torch.tensor(expected), atol=1e-6, rtol=1e-5)
    assert [c == 0 for c in found.tolist()] == [c == 0 for c in expected]


@pytest.mark.parametrize("top_p", [0.2, 0.7, 0.95, 0.9999])
@pytest.mark.parametrize("top_k", [None, 100, 700])
def test_chances_over_a_vocabulary_too_large_to_sort_at_once(top_k, top_p):
    logits = torch.randn(1000, generator=torch.Generator().manual_seed(3)) * 1.3
    found = chances(logits, Sampling(top_k=top_k, top_p=top_p))
    expected = torch.tensor(by_definition(logits, 1.0, top_k, top_p))
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-4)
    assert int((found > 0).sum()) == int((expected > 0).sum())


@pytest.mark.parametrize(
    "sampling", [Sampling(greedy=True), Sampling(temperature=0), Sampling(temperature=1e-30)]
)
def test_greedy_is_certain(sampling):
    assert chances(LOGITS, sampling).tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1},
        {"temperature": float("nan")},
        {"temperature": float("inf")},
        {"top_k": 0},
        {"top_p": 0.0},
        {"top_p": 1.1},
        {"top_p": float("nan")},
        {"seed": -1},
        {"seed": 2**63},
        {"max_new_tokens": 0},
    ],
)
def test_nonsense_is_refused_with_a_hint(wrong):
    with pytest.raises(ExplorerError) as error:
        Sampling(**wrong)
    assert error.value.hint


def uncached(model, prompt, steps):
    """Greedy continuation that reads the whole text at every step."""
    ids = model.tokenizer.encode(prompt).ids.tolist()
    for _ in range(steps):
        ids.append(int(model.network.unembed(model.network(torch.tensor([ids])).last[0, -1]).argmax()))
    return ids[-steps:]


def test_greedy_equals_uncached(gpt):
    steps = list(generate(gpt, "the walk", Sampling(greedy=True, max_new_tokens=15)))
    assert [s.id for s in steps] == uncached(gpt, "the walk", 15)
    assert all(s.rank == 1 and s.chance == 1 for s in steps)


def test_probability_and_rank_are_the_models_own(gpt):
    sampling = Sampling(temperature=3.0, top_k=9, seed=5, max_new_tokens=12)
    ids = gpt.tokenizer.encode("the bank").ids.tolist()
    for step in generate(gpt, "the bank", sampling, candidates=12):
        logits = gpt.network.unembed(gpt.network(torch.tensor([ids])).last[0, -1])
        own = logits.softmax(-1)
        drawn = torch.tensor(by_definition(logits, 3.0, 9, None))
        assert step.probability == pytest.approx(float(own[step.id]), rel=1e-4)
        assert step.rank == int((own > own[step.id]).sum()) + 1 <= 9
        assert [c.id for c in step.candidates] == own.sort(descending=True).indices[:12].tolist()
        for c in step.candidates:
            assert c.probability == pytest.approx(float(own[c.id]), rel=1e-4)
            assert c.chance == pytest.approx(float(drawn[c.id]), rel=1e-4)
            assert (c.chance == 0) == (c.rank > 9)
        ids.append(step.id)


def test_the_seed_decides_and_the_global_one_is_left_alone(gpt):
    torch.manual_seed(11)
    before = torch.get_rng_state()

    def text(seed):
        return [s.id for s in generate(gpt, "the", Sampling(seed=seed, max_new_tokens=12))]

    assert text(1) == text(1)
    assert text(1) != text(2)
    assert torch.equal(before, torch.get_rng_state())


def test_draws_have_the_right_frequencies():
    expected = chances(LOGITS, Sampling(temperature=1.5, top_k=4))
    generator, n = torch.Generator().manual_seed(2), 4000
    drawn = torch.tensor([_draw(expected, generator) for _ in range(n)]).bincount(minlength=5) / n
    deviation = (expected * (1 - expected) / n).sqrt()
    assert ((drawn - expected).abs() <= 4 * deviation).all()  # 0 where cut, exactly


def test_one_step_at_a_time_and_close(gpt):
    generation = generate(gpt, "the", Sampling(max_new_tokens=9))
    assert generation.steps == []
    next(generation)
    assert len(generation.steps) == 1 and generation.ending is None
    generation.close()
    assert list(generation) == [] and generation.ending is Ending.STOPPED


def test_length_and_context_end_it(gpt):
    short = generate(gpt, "the", Sampling(greedy=True, max_new_tokens=3))
    assert len(list(short)) == 3 and short.ending is Ending.LENGTH
    prompt = "a" * (gpt.config.positions - 4)
    full = generate(gpt, prompt, Sampling(greedy=True, max_new_tokens=30))
    assert len(list(full)) == 4 and full.ending is Ending.CONTEXT and full.cut == 0


def test_end_of_text_ends_it(gpt, monkeypatch):
    start = gpt.tokenizer.start
    always = torch.zeros(gpt.config.d_vocab).index_fill_(0, torch.tensor(start), 50.0)
    monkeypatch.setattr(gpt.network, "unembed", lambda hidden: always.expand(*hidden.shape[:-1], -1))
    generation = generate(gpt, "the", Sampling(max_new_tokens=9))
    assert [s.token for s in generation] == ["<|endoftext|>"]
    assert generation.ending is Ending.END_OF_TEXT and generation.continuation == ""


@pytest.mark.parametrize("wanted", [5, 1000])
def test_a_long_prompt_keeps_its_end(gpt, wanted):
    prompt = "the bank walking " * 40
    ids = gpt.tokenizer.encode(prompt).ids.tolist()
    generation = generate(gpt, prompt, Sampling(greedy=True, max_new_tokens=wanted))
    assert generation.cut > 0 and generation.prompt_ids == ids[generation.cut :]
    steps = list(generation)
    assert len(steps) == min(wanted, gpt.config.positions - len(generation.prompt_ids))
    expected = gpt.network.unembed(gpt.network(torch.tensor([generation.prompt_ids])).last[0, -1])
    assert steps[0].id == int(expected.argmax())


def test_an_empty_prompt_starts_from_the_start_token(gpt):
    generation = generate(gpt, "", Sampling(greedy=True, max_new_tokens=2))
    assert generation.prompt_ids == [gpt.tokenizer.start]
    assert len(list(generation)) == 2


def test_a_character_of_several_tokens_shows_when_it_is_whole(gpt, monkeypatch):
    ids = iter(gpt.tokenizer.encode("é🙂!").ids.tolist())
    monkeypatch.setattr("explorer.analysis.generation._draw", lambda spread, generator: next(ids))
    generation = generate(gpt, "the ", Sampling(max_new_tokens=7))
    assert [s.text for s in generation] == ["", "é", "", "", "", "🙂", "!"]
    assert generation.text == "the é🙂!"


def test_texts_of_steps_join_to_the_continuation(gpt):
    for seed in range(20):
        generation = generate(gpt, "the", Sampling(seed=seed, max_new_tokens=20))
        joined = "".join(step.text for step in generation)
        assert generation.continuation.rstrip("�") == joined.rstrip("�")


def test_only_a_left_to_right_model_continues(bert):
    with pytest.raises(AbilityError):
        generate(bert, "the", Sampling())
