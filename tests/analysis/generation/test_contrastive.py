"""Contrastive search against equation 5 of its paper, read without a cache."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
from explorer.analysis.generation.steps import Ending, Sampling, generate
from explorer.errors import AbilityError, ExplorerError


def by_definition(model, prompt, k, alpha, length):
    """Every candidate is read with the whole text before it; returns (id, probability, penalty) a step."""
    ids, steps = model.tokenizer.encode(prompt).ids.tolist(), []

    def states(ids):
        with torch.no_grad():
            return model.network.norm(model.network(torch.tensor([ids])).last[0])

    for _ in range(length):
        last = states(ids)[-1]
        top = (last @ model.network.tokens.weight.T).softmax(0).topk(k)
        tried = []
        for id, p in zip(top.indices.tolist(), top.values.tolist(), strict=True):
            *before, new = states([*ids, id])
            likeness = max(float(F.cosine_similarity(new, other, dim=0)) for other in before)
            tried.append(((1 - alpha) * p - alpha * likeness, id, p, likeness))
        _, id, p, likeness = max(tried)
        steps.append((id, p, likeness))
        ids.append(id)
    return steps


@pytest.mark.slow
@settings(max_examples=12)
@given(st.sampled_from(["the", "the bank walking", "b"]), st.integers(1, 6), st.floats(0, 1))
def test_every_step_follows_the_equation(gpt, prompt, k, alpha):
    search = contrastive_search(gpt, prompt, Contrastive(k=k, alpha=alpha, max_new_tokens=7))
    expected = by_definition(gpt, prompt, k, alpha, 7)
    steps = list(search)
    assert search.ids == [id for id, _, _ in expected[: len(steps)]]
    for step, (_, probability, penalty) in zip(steps, expected, strict=False):
        assert step.probability == pytest.approx(probability, rel=1e-3)
        assert step.penalty == pytest.approx(penalty, abs=1e-4)
        assert step.score == pytest.approx((1 - alpha) * probability - alpha * penalty, abs=1e-4)
        assert [c.rank for c in step.candidates] == list(range(1, k + 1))
        assert step.score == max(c.score for c in step.candidates)


@pytest.mark.parametrize("settings", [{"alpha": 0.0}, {"k": 1}])
def test_without_a_penalty_or_a_choice_it_is_greedy(gpt, settings):
    greedy = generate(gpt, "the walk", Sampling(greedy=True, max_new_tokens=15))
    list(greedy)
    search = contrastive_search(gpt, "the walk", Contrastive(max_new_tokens=15, **settings))
    assert "".join(step.text for step in search) == "".join(step.text for step in greedy.steps)
    assert (search.ids, search.ending) == (greedy.ids, greedy.ending)


def test_it_ends_where_any_text_ends(gpt):
    prompt = "a" * (gpt.config.positions - 4)
    full = contrastive_search(gpt, prompt, Contrastive(max_new_tokens=30))
    assert len(list(full)) == 4 and full.ending is Ending.CONTEXT
    stopped = contrastive_search(gpt, "the")
    next(stopped)
    stopped.close()
    assert list(stopped) == [] and stopped.ending is Ending.STOPPED and len(stopped.ids) == 1


def test_settings_without_meaning_are_refused(gpt, bert):
    for wrong in ({"k": 0}, {"alpha": 1.1}, {"alpha": float("nan")}, {"max_new_tokens": 0}):
        with pytest.raises(ExplorerError) as error:
            Contrastive(**wrong)
        assert error.value.hint
    with pytest.raises(AbilityError):
        contrastive_search(bert, "the")
