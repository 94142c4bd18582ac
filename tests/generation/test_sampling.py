"""The sampler against its definitions, in plain Python: temperature, top-k, top-p, greedy, and the draw."""

import itertools
import math
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.generation.pipeline import pipeline
from explorer.generation.sampling import (
    Sampling,
    SamplingRequest,
    chances,
    chances_of_each,
    inverse_cdf_sample,
    sample,
)

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


def test_draws_have_the_right_frequencies():
    expected, n = chances(LOGITS, Sampling(temperature=1.5, top_k=4)), 4000
    draws = torch.rand(n, generator=torch.Generator().manual_seed(2), dtype=torch.float64).tolist()
    found = torch.tensor(inverse_cdf_sample(expected.expand(n, -1), draws)).bincount(minlength=5) / n
    deviation = (expected * (1 - expected) / n).sqrt()
    assert ((found - expected).abs() <= 4 * deviation).all()  # 0 where cut, exactly


UNIT = st.floats(0, 1, exclude_max=True)
SAMPLINGS = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 0.05, 0.5, 1.0, 1.7]),
    top_k=st.none() | st.integers(1, 50),
    top_p=st.none() | st.floats(0.01, 1),
    greedy=st.booleans(),
)
ROWS = st.lists(st.floats(-30, 30, width=32), min_size=37, max_size=37).map(torch.tensor)


@given(ROWS, SAMPLINGS, st.one_of(UNIT, st.sampled_from([0.0, 1 - 2**-53, 0.5])))
def test_a_draw_is_the_inverse_of_the_cumulative_distribution(logits, sampling, draw):
    shares = chances(logits, sampling).double().tolist()
    ruler = list(itertools.accumulate(shares))
    (id,) = inverse_cdf_sample(chances(logits, sampling)[None], [draw])
    assert shares[id] > 0
    at = draw * ruler[-1]
    assert ruler[id] > at or ruler[id] == ruler[-1]
    assert id == 0 or ruler[id - 1] <= at


@given(ROWS, SAMPLINGS, UNIT)
def test_the_pipeline_shows_every_stage(logits, sampling, draw):
    r = pipeline(logits, sampling, draw)
    best = sampling.takes_the_best
    temperature = 1.0 if best else sampling.temperature
    torch.testing.assert_close(r.scaled, logits / temperature)
    torch.testing.assert_close(
        r.after_temperature, (logits.double() / temperature).softmax(0).float(), atol=1e-6, rtol=1e-4
    )
    k = 1 if best else sampling.top_k
    assert int(r.after_k.sum()) == min(k or len(logits), len(logits))
    assert not (r.after_p & ~r.after_k).any() and r.after_p[r.id]
    assert torch.equal(r.chances, chances(logits, sampling))
    assert (r.chances[~r.after_p] == 0).all() and float(r.chances.sum()) == pytest.approx(1, abs=1e-5)
    # What is kept is at least as probable as what is cut, and one token less would not reach p.
    for kept, among in ((r.after_k, torch.ones_like(r.after_k)), (r.after_p, r.after_k)):
        if (among & ~kept).any():
            assert r.after_temperature[kept].min() >= r.after_temperature[among & ~kept].max()
    if not best and sampling.top_p:
        shares = r.after_temperature[r.after_k].double() / r.after_temperature[r.after_k].double().sum()
        mass = r.after_temperature[r.after_p].double().sum() / r.after_temperature[r.after_k].double().sum()
        slack = 1e-6
        assert mass >= min(sampling.top_p, 1 - 1e-5) - slack
        last = r.after_temperature[r.after_p].min().double() / r.after_temperature[r.after_k].double().sum()
        assert mass - last < sampling.top_p + slack and len(shares)


@given(st.lists(st.tuples(ROWS, SAMPLINGS, UNIT, st.integers(1, 12)), min_size=1, max_size=6))
def test_every_row_is_chosen_as_if_it_were_alone(rows):
    logits = torch.stack([row for row, _, _, _ in rows])
    asked = [SamplingRequest(sampling, draw, k) for _, sampling, draw, k in rows]
    together = sample(logits, asked)
    spread = chances_of_each(logits, [request.sampling for request in asked])
    for row, (request, chosen) in enumerate(zip(asked, together, strict=True)):
        assert [chosen] == sample(logits[row : row + 1], [request])
        alone = pipeline(logits[row], request.sampling, request.draw)
        assert chosen.id == alone.id and chosen.chance == float(alone.chances[alone.id])
        assert torch.equal(spread[row], alone.chances)
        own = logits[row].softmax(0)
        close = partial(pytest.approx, rel=2e-6, abs=1e-37)
        assert chosen.probability == close(float(own[chosen.id]))
        assert chosen.rank == int((logits[row] > logits[row, chosen.id]).sum()) + 1
        best = logits[row].sort(descending=True, stable=True).indices[: request.candidates].tolist()
        assert [id for id, _, _ in chosen.best] == best
        assert all(p == close(float(own[i])) and c == float(alone.chances[i]) for i, p, c in chosen.best)


def test_a_token_given_by_hand_is_not_drawn():
    chosen = sample(LOGITS[None], [SamplingRequest(Sampling(top_k=2), 0.1, 3, forced=4)])[0]
    assert (chosen.id, chosen.rank, chosen.chance) == (4, 5, 0)
    assert chosen.probability == pytest.approx(math.exp(-1) / sum(map(math.exp, LOGITS.tolist())))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_scores_that_are_not_numbers_are_told(bad):
    logits = LOGITS.clone()
    logits[2] = bad
    with pytest.raises(ExplorerError, match="not numbers"):
        sample(torch.stack([LOGITS, logits]), [SamplingRequest(Sampling(), 0.5, 3)] * 2)


@pytest.mark.parametrize("temperature", [1e-6, 1e-50])
def test_a_tiny_temperature_leaves_the_best_alone(temperature):
    rows = torch.tensor([[1.0, 3, 2, 3], [1000, -1000, 0, 999]])
    found = chances_of_each(rows, [Sampling(temperature=temperature)] * 2)
    assert found.tolist() == [[0, 0.5, 0, 0.5], [1, 0, 0, 0]]
