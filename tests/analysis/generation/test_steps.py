"""Generation: cached against uncached, what a step says, how it ends, branches and forced tokens."""

import pytest
import torch

from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.errors import AbilityError, ExplorerError
from explorer.generation.engine import engine_of
from explorer.generation.pipeline import pipeline
from tests.generation.test_sampling import by_definition


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
    monkeypatch.setattr(engine_of(gpt), "logits", lambda states: always.expand(len(states), -1))
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


def test_a_character_of_several_tokens_shows_when_it_is_whole(gpt):
    generation = generate(gpt, "the ", Sampling(max_new_tokens=7))
    taken = generation.take(gpt.tokenizer.encode("é🙂!").ids.tolist())
    assert [s.text for s in taken] == ["", "é", "", "", "", "🙂", "!"]
    assert generation.text == "the é🙂!" and generation.ending is Ending.LENGTH


def test_texts_of_steps_join_to_the_continuation(gpt):
    for seed in range(20):
        generation = generate(gpt, "the", Sampling(seed=seed, max_new_tokens=20))
        joined = "".join(step.text for step in generation)
        assert generation.continuation.rstrip("�") == joined.rstrip("�")


def test_only_a_left_to_right_model_continues(bert):
    with pytest.raises(AbilityError):
        generate(bert, "the", Sampling())


def test_logits_are_those_that_a_step_was_drawn_from(gpt):
    sampling = Sampling(1.4, 30, 0.9, seed=3, max_new_tokens=10, repetition_penalty=1.5)
    generation = generate(gpt, "the bank", sampling)
    list(generation)
    for i, step in enumerate(generation.steps):
        text = [*generation.prompt_ids, *generation.ids[:i]]
        walked = pipeline(generation.logits(i), sampling, step.draw, text)
        assert walked.id == step.id
        assert float(walked.chances[step.id]) == step.chance
        assert float(walked.logits.softmax(0)[step.id]) == pytest.approx(step.probability, rel=1e-6)
        shares = {c.id: c.chance for c in step.candidates}
        assert {id: float(walked.chances[id]) for id in shares} == shares


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("greedy", [False, True])
def test_a_branch_with_the_same_token_is_the_same_text(gpt, ended, greedy):
    sampling = Sampling(seed=8, temperature=1.3, greedy=greedy, max_new_tokens=14)
    generation = generate(gpt, "we saw", sampling)
    for _ in range(14 if ended else 9):
        next(generation)
    assert (generation.ending is not None) == ended
    twin = generation.branch(6, generation.steps[6].id)
    assert twin.steps[:6] == generation.steps[:6] and len(twin.steps) == 7 and twin.forced == {6}
    list(twin)
    list(generation)
    assert twin.ids == generation.ids and twin.ending is generation.ending
    for i in range(14):
        torch.testing.assert_close(twin.logits(i), generation.logits(i), atol=1e-5, rtol=1e-5)
        assert twin.steps[i].draw == generation.steps[i].draw


def test_a_branch_takes_another_way(gpt):
    generation = generate(gpt, "we saw", Sampling(greedy=True, max_new_tokens=8))
    list(generation)
    other = generation.steps[3].candidates[4]
    twin = generation.branch(3, other.id)
    step = twin.steps[3]
    assert (step.id, step.rank, step.probability, step.chance) == (other.id, 5, other.probability, 0)
    list(twin)
    text = [*gpt.tokenizer.encode("we saw").ids.tolist(), *twin.ids[:4]]
    for id in twin.ids[4:]:
        logits = gpt.network.unembed(gpt.network(torch.tensor([text])).last[0, -1])
        assert id == int(logits.argmax())
        text.append(id)
    again = twin.branch(5, other.id, Sampling(seed=2, max_new_tokens=11))
    assert again.forced == {3, 5} and again.ids[:5] == twin.ids[:5] and len(list(again)) == 5
    assert len(generation.steps) == 8 and generation.forced == frozenset(), "the parent is left alone"


def test_a_branch_off_a_cut_prompt_reads_what_its_parent_read(gpt):
    generation = generate(gpt, "the bank walking " * 40, Sampling(max_new_tokens=5))
    list(generation)
    twin = generation.branch(2, generation.ids[2], Sampling(max_new_tokens=20))
    assert (twin.prompt_ids, twin.cut) == (generation.prompt_ids, generation.cut)
    list(twin)
    assert twin.ids[:5] == generation.ids


def test_where_no_branch_can_be(gpt):
    generation = generate(gpt, "we saw", Sampling(max_new_tokens=8))
    next(generation)
    with pytest.raises(IndexError):
        generation.branch(1, 5)
    list(generation)
    with pytest.raises(ExplorerError) as error:
        generation.branch(4, 5, Sampling(max_new_tokens=4))
    assert error.value.hint


def test_tokens_given_by_hand_are_judged_as_if_drawn(gpt):
    sampling = Sampling(seed=4, temperature=1.2, top_k=50, max_new_tokens=40, repetition_penalty=1.3)
    written = generate(gpt, "the old bank", sampling)
    list(written)
    again = generate(gpt, "the old bank", sampling)
    ids = written.ids
    taken = [*again.take(ids[:1]), next(again), *again.take(ids[2 : len(ids) - 3]), *again]
    assert taken == again.steps and again.ids == ids
    assert again.forced == {0, *range(2, len(ids) - 3)}
    for one, other in zip(taken, written.steps, strict=True):
        assert (one.rank, one.draw, one.text) == (other.rank, other.draw, other.text)
        assert one.probability == pytest.approx(other.probability, rel=1e-3)
        assert one.chance == pytest.approx(other.chance, rel=1e-3)


def test_tokens_given_by_hand_end_where_any_text_ends(gpt):
    start = gpt.tokenizer.start
    generation = generate(gpt, "the", Sampling(max_new_tokens=9))
    assert [s.id for s in generation.take([5, start, 7])] == [5, start]
    assert generation.ending is Ending.END_OF_TEXT and generation.take([5]) == []
    short = generate(gpt, "the", Sampling(max_new_tokens=3))
    assert len(short.take([5, 6, 7, 8])) == 3 and short.ending is Ending.LENGTH
    assert generate(gpt, "the", Sampling()).take([]) == []


def test_a_prompt_is_read_in_pieces(gpt, monkeypatch):
    prompt = "the bank walking by"
    whole = [s.probability for s in generate(gpt, prompt, Sampling(greedy=True, max_new_tokens=6))]
    monkeypatch.setattr("explorer.generation.engine.PIECE", 3)
    generation = generate(gpt, prompt, Sampling(greedy=True, max_new_tokens=6))
    assert generation.reading == 0
    assert [s.probability for s in generation] == pytest.approx(whole, rel=1e-4)
    assert generation.reading == 1 and len(generation.prompt_ids) > 3
