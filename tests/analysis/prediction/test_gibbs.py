"""A masked model writes: every draw against its definition, every order, every seed."""

import math
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.prediction import gibbs
from explorer.analysis.prediction.gibbs import (
    PUBLISHED,
    Order,
    SamplingOptions,
    distribution,
    with_blanks,
    write,
)
from explorer.errors import AbilityError, ExplorerError, TextError

TEXT = "we [MASK] [MASK] [MASK] bank."
SHORT = SamplingOptions(burn_in=6, steps=14, top_k=4, seed=3)


def conditional(model, ids: torch.Tensor, position: int) -> torch.Tensor:
    """The logits of one position with it masked, all others as they are; [MASK] and its like at -inf."""
    read = ids.clone()
    read[position] = model.tokenizer.mask
    with torch.no_grad():
        logits = model.unembed(model.network(read[None]).last[0, position])
    names = [model.tokenizer.token(id) for id in range(len(logits))]
    special = [i for i, name in enumerate(names) if name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    assert len(special) == 5
    logits[special] = -math.inf
    return logits


def test_the_published_settings():
    assert (PUBLISHED.temperature, PUBLISHED.top_k, PUBLISHED.burn_in, PUBLISHED.steps) == (1, 100, 250, 500)
    assert gibbs.LENGTH == 40


@pytest.mark.parametrize("noise", [False, True])
def test_every_gibbs_step_is_a_draw_from_its_conditional(bert, noise):
    """The chain is followed with the same random numbers, and every token worked out by hand."""
    options = SamplingOptions(0.8, 4, 6, 14, noise, seed=3)
    writing = write(bert, TEXT, Order.GIBBS, options)
    ids = bert.encode(TEXT).ids.clone()
    generator = torch.Generator().manual_seed(3)
    if noise:
        words = [i for i in range(bert.config.d_vocab) if not bert.tokenizer.token(i).startswith("[")]
        drawn = torch.randint(len(words), (3,), generator=generator)
        ids[writing.positions] = torch.tensor(words)[drawn]
    assert writing.start == ids[writing.positions].tolist()
    for number, step in enumerate(writing):
        place = int(torch.randint(3, (1,), generator=generator))
        at = writing.positions[place]
        logits = conditional(bert, ids, at) / 0.8
        if number >= 6:  # after the burn-in only the four best may come
            logits[logits < logits.sort(descending=True).values[3]] = -math.inf
        probabilities = logits.double().softmax(-1)
        u = torch.rand(1, generator=generator, dtype=torch.float64)
        id = int((probabilities.cumsum(-1) <= u).sum())
        assert (step.place, step.id) == (place, id)
        assert step.chance == pytest.approx(float(probabilities[id]), rel=1e-4)
        ids[at] = id
    assert torch.equal(ids, writing.ids) and len(writing.steps) == 14


def test_what_a_step_tells_is_the_models_own(bert):
    writing = write(bert, TEXT, Order.LEFT_TO_RIGHT, SHORT)
    ids = writing.ids.clone()
    step = next(writing)
    with torch.no_grad():
        own = bert.unembed(bert.network(ids[None]).last[0, writing.positions[0]]).softmax(-1)
    assert step.probability == pytest.approx(float(own[step.id]), rel=1e-5)
    assert step.rank == int((own > own[step.id]).sum()) + 1
    assert [c.id for c in step.candidates] == own.topk(6).indices.tolist()
    assert step.token == bert.tokenizer.token(step.id)


@pytest.mark.parametrize("cut", [False, True])
def test_draws_come_as_often_as_they_are_likely(bert, cut):
    logits = conditional(bert, bert.encode(TEXT).ids, 2)
    probabilities = distribution(logits, SamplingOptions(temperature=1.3, top_k=5), cut)
    assert float(probabilities.sum()) == pytest.approx(1) and int((probabilities > 0).sum()) == (
        5 if cut else int(torch.isfinite(logits).sum())
    )
    generator = torch.Generator().manual_seed(0)
    n = 4000
    counts = Counter(gibbs.draw(probabilities, generator) for _ in range(n))
    assert set(counts) <= set(probabilities.nonzero().flatten().tolist())
    chi = sum((counts[i] - n * p) ** 2 / (n * p) for i, p in enumerate(probabilities.tolist()) if n * p > 5)
    cells = sum(n * p > 5 for p in probabilities.tolist())
    assert cells >= 4 and chi < cells + 5 * math.sqrt(2 * cells), "chi-square, five deviations"


@pytest.mark.slow
@settings(max_examples=30)
@given(seed=st.integers(0, 2**40), order=st.sampled_from(Order), noise=st.booleans())
def test_a_seed_writes_the_same_again_beside_another(bert, seed, order, noise):
    options = SamplingOptions(burn_in=2, steps=5, top_k=7, noise=noise, seed=seed)
    alone = [step.id for step in write(bert, TEXT, order, options)]
    writing, other = (
        write(bert, TEXT, order, options),
        write(bert, TEXT, order, SamplingOptions(seed=seed + 1, steps=9)),
    )
    beside = []
    for step in writing:
        next(other, None)
        beside.append(step.id)
    assert alone == beside
    assert not set(alone) & bert.tokenizer.special_ids


def test_left_to_right_fills_each_blank_once_with_the_rest_masked(bert):
    writing = write(bert, TEXT, Order.LEFT_TO_RIGHT, SamplingOptions(temperature=0))
    ids = bert.encode(TEXT).ids.clone()
    for place, step in enumerate(writing):
        assert step.place == place and step.chance == 1
        assert step.id == int(conditional(bert, ids, writing.positions[place]).argmax())
        ids[writing.positions[place]] = step.id
    assert torch.equal(ids, writing.ids) and bert.tokenizer.mask not in ids
    assert len(writing.steps) == writing.total == 3


def test_the_surest_blank_comes_next(bert):
    writing = write(
        bert,
        "we [MASK] [MASK] [MASK] [MASK] boat [MASK]",
        Order.MOST_CONFIDENT,
        SamplingOptions(temperature=0),
    )
    ids = bert.encode("we [MASK] [MASK] [MASK] [MASK] boat [MASK]").ids.clone()
    orders = []
    for step in writing:
        mask = bert.tokenizer.mask
        with torch.no_grad():
            sure = bert.unembed(bert.network(ids[None]).last[0]).softmax(-1)
        sure[:, sorted(bert.tokenizer.special_ids)] = 0
        left = [place for place, at in enumerate(writing.positions) if ids[at] == mask]
        best = max(left, key=lambda place: float(sure[writing.positions[place]].max()))
        assert step.place == best
        ids[writing.positions[best]] = step.id
        orders.append(best)
    assert sorted(orders) == [0, 1, 2, 3, 4] and orders != sorted(orders)


def test_the_frame_stays_as_it_is(bert):
    for order in Order:
        writing = write(bert, TEXT, order, SHORT)
        before = writing.ids.clone()
        list(writing)
        fixed = [i for i in range(len(before)) if i not in writing.positions]
        assert torch.equal(writing.ids[fixed], before[fixed])


def test_only_a_single_blank_is_widened():
    assert with_blanks("a [MASK] b", 1) == "a [MASK] b"
    assert with_blanks("[MASK] and [MASK]", 9) == "[MASK] and [MASK]"
    assert with_blanks("none", 3) == "none"


def test_what_cannot_be_written_says_so(bert, gpt):
    for text in ("we sat", "[MASK] " * 60):
        with pytest.raises(TextError):
            write(bert, text, Order.GIBBS)
    with pytest.raises(AbilityError):
        write(gpt, TEXT, Order.LEFT_TO_RIGHT)
    for wrong in ({"temperature": -1}, {"top_k": 0}, {"steps": -1}, {"burn_in": -2}, {"seed": -1}):
        with pytest.raises(ExplorerError):
            SamplingOptions(**wrong)
