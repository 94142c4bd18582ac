"""The sampler against its definitions, in plain Python and in transformers: steps, greedy, and the draw."""

import itertools
import math
import random
from functools import cache, partial

import pytest
import regex
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import GPT2Config
from transformers.generation import WatermarkDetector, logits_process

import explorer
from explorer.analysis.generation.steps import generate
from explorer.errors import ExplorerError
from explorer.generation.pipeline import pipeline
from explorer.generation.sampling import (
    Sampling,
    SamplingRequest,
    chances,
    inverse_cdf_sample,
    sample,
    scores_after_steps,
)
from explorer.generation.sampling_steps import STEPS
from explorer.generation.watermark import Watermark, greens, z_score

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


PROCESSORS = {
    "repetition_penalty": logits_process.RepetitionPenaltyLogitsProcessor,
    "temperature": logits_process.TemperatureLogitsWarper,
    "top_k": logits_process.TopKLogitsWarper,
    "top_p": logits_process.TopPLogitsWarper,
    "min_p": logits_process.MinPLogitsWarper,
    "typical_p": logits_process.TypicalLogitsWarper,
}


DATE = "[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]"
# A pattern, and what is written; where one text alone can follow, llguidance takes its usual tokens.
GRAMMARS = [("[a-z ]+", ""), ("[a-z ]+", "y"), ("yes|no", ""), (DATE, ""), (DATE, "19")]


@cache
def matching(pattern, written):
    """The ids of our GPT's tokens that may follow, each tried as it is by a partial match."""
    tokenizer, whole = explorer.load("gpt").tokenizer, regex.compile(pattern)
    spellings = [tokenizer.raw(id).decode(errors="replace") for id in range(tokenizer.size)]
    ends = list(tokenizer.ends) if whole.fullmatch(written) else []
    fits = partial(whole.fullmatch, partial=True)
    return ends + [id for id, one in enumerate(spellings) if one and fits(written + one)]


@pytest.mark.parametrize("seed", range(20))
def test_every_step_in_any_order_is_that_of_transformers(seed):
    choose, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    tokenizer = explorer.load("gpt").tokenizer
    size = tokenizer.size
    for _ in range(10):
        # In float64: their running sum would round at the edge of a cut, where ours does not.
        logits = torch.randn(size, generator=generator, dtype=torch.float64) * choose.uniform(1, 6)
        ids = choose.choices(range(size), k=choose.choice([1, 30])) + logits.topk(2).indices.tolist()
        pattern, written = choose.choice(GRAMMARS)
        ids += (pieces := tokenizer.pieces(written))
        bias, share, key = choose.uniform(0.5, 6), choose.uniform(0.1, 0.9), choose.randint(1, 10**8)
        values = {
            "repetition_penalty": choose.uniform(0.8, 2),
            "grammar": pattern,
            "temperature": choose.uniform(0.2, 2),
            "top_k": choose.choice([1, 7, 100, 9000]),
            "top_p": choose.uniform(0.05, 0.999),
            "min_p": choose.uniform(0, 0.3),
            "typical_p": choose.uniform(0.05, 0.999),
            "watermark": Watermark(bias, share, key),
        }
        order = choose.sample(list(STEPS), choose.randint(1, len(STEPS)))
        sampling = Sampling(**{name: values[name] for name in order}, order=order)
        text = {"ids": ids, "written": len(pieces), "tokenizer": tokenizer}
        found, expected = scores_after_steps(logits, sampling, **text), logits[None]
        assert list(found) == order
        for name in order:
            if not found[name].isfinite().any():  # transformers then takes any token of the grammar
                with pytest.raises(ExplorerError, match="cut every token"):
                    chances(logits, sampling, **text)
                break
            if name == "grammar":
                allowed = matching(pattern, written)
                step = logits_process.PrefixConstrainedLogitsProcessor(lambda *_, ids=allowed: ids, 1)
            elif name == "watermark":
                step = logits_process.WatermarkLogitsProcessor(size, "cpu", share, bias, key, "lefthash")
            else:
                step = PROCESSORS[name](values[name])
            expected = step(torch.tensor([ids]), expected)
            torch.testing.assert_close(found[name], expected[0], atol=1e-6, rtol=1e-6)
        else:
            shares = chances(logits, sampling, **text)
            torch.testing.assert_close(shares, expected[0].softmax(0), atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_z_is_that_of_the_detector_of_transformers(seed):
    choose = random.Random(seed)
    size, mark = 300, Watermark(2.0, choose.uniform(0.1, 0.9), choose.randint(1, 10**8))
    ids = choose.choices(range(size - 1), k=choose.choice([2, 60]))
    settings = {
        "greenlist_ratio": mark.green,
        "bias": 2.0,
        "hashing_key": mark.key,
        "seeding_scheme": "lefthash",
    }
    config = GPT2Config(vocab_size=size, bos_token_id=size - 1)
    theirs = WatermarkDetector(config, "cpu", settings | {"context_width": 1})(
        torch.tensor([ids]), return_dict=True
    )
    green = greens(ids, size, mark)
    assert sum(green) == theirs.num_green_tokens[0] and len(green) == theirs.num_tokens_scored[0]
    assert z_score(green, mark.green) == pytest.approx(theirs.z_score[0], abs=1e-6)


def test_a_grammar_holds_for_what_is_written_and_says_where_it_leads_nowhere():
    gpt = explorer.load("gpt")
    for greedy in (True, False):
        sampling = Sampling(greedy=greedy, grammar="[1-9]:[a-z]{3}[.]", seed=4, watermark=Watermark(5.0))
        generation = generate(gpt, "We wrote the number 12:", sampling)
        assert regex.fullmatch("[1-9]:[a-z]{3}[.]", "".join(step.text for step in generation))
        assert generation.ending == "the model ended the text"
    with pytest.raises(ExplorerError, match="cut every token"):
        list(generate(gpt, "We sat", Sampling(top_k=1, grammar="[0-9]", order=["top_k", "grammar"])))
    for pattern, reason in (("(yes", "unclosed"), ("a" * 2000, "2,000 characters")):
        with pytest.raises(ExplorerError, match=reason):
            list(generate(gpt, "We sat", Sampling(grammar=pattern)))
    with pytest.raises(ExplorerError, match="ids only"):
        chances(LOGITS, Sampling(grammar="yes|no"))
    with pytest.raises(ExplorerError, match="leads nowhere"):
        chances(torch.zeros(9000), Sampling(grammar="yes"), gpt.tokenizer.pieces("no"), 1, gpt.tokenizer)


def test_the_order_brings_a_word_back_and_the_penalty_takes_the_best():
    logits = torch.tensor([0.98, 0.01, 0.01]).log()
    hot = {"temperature": 4.0, "min_p": 0.05}
    usual = chances(logits, Sampling(**hot))
    assert usual[1] > 0.1, "min-p sees what the temperature has raised"
    assert chances(logits, Sampling(**hot, order=["min_p", "temperature"]))[1] == 0
    held_back = Sampling(greedy=True, repetition_penalty=3.0, top_k=1)
    assert chances(torch.tensor([2.0, 1.9, -1.0]), held_back, ids=[0]).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "sampling", [Sampling(greedy=True), Sampling(temperature=0), Sampling(temperature=1e-30)]
)
def test_greedy_is_certain(sampling):
    assert chances(LOGITS, sampling).tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1}, {"temperature": float("nan")}, {"temperature": float("inf")}, {"top_k": 0},
        {"top_p": 0.0}, {"top_p": 1.1}, {"top_p": float("nan")}, {"min_p": -0.1}, {"min_p": 1.1},
        {"typical_p": 0.0}, {"typical_p": float("nan")}, {"repetition_penalty": 0.0},
        {"repetition_penalty": float("inf")}, {"order": ["top_k", "temperature", "top_k"]},
        {"order": "warmth"}, {"order": ["temperature"], "top_k": 5},
        {"order": ["top_k"], "temperature": 0.5}, {"seed": -1}, {"seed": 2**63}, {"max_new_tokens": 0},
    ],
)  # fmt: skip
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
    for row, (request, chosen) in enumerate(zip(asked, together, strict=True)):
        assert [chosen] == sample(logits[row : row + 1], [request])
        alone = pipeline(logits[row], request.sampling, request.draw)
        assert chosen.id == alone.id and chosen.chance == float(alone.chances[alone.id])
        own = logits[row].softmax(0)
        close = partial(pytest.approx, rel=2e-6, abs=1e-37)
        assert chosen.probability == close(float(own[chosen.id]))
        assert chosen.rank == int((logits[row] > logits[row, chosen.id]).sum()) + 1
        best = logits[row].sort(descending=True, stable=True).indices[: request.candidates].tolist()
        assert [id for id, _, _ in chosen.best] == best
        assert all(p == close(float(own[i])) and c == float(alone.chances[i]) for i, p, c in chosen.best)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [154, 234, 229, 92, 130, 200, 16, 215, 243, 243, 62, 16]),
        ({"temperature": 0.5}, [229, 229, 229, 92, 143, 229, 16, 229, 229, 229, 16, 16]),
        ({"top_k": 9}, [143, 229, 229, 58, 92, 200, 16, 229, 229, 229, 36, 16]),
        ({"temperature": 1.5, "top_p": 0.7}, [143, 243, 236, 92, 123, 200, 16, 210, 250, 250, 65, 16]),
        ({"top_k": 20, "top_p": 0.9}, [143, 229, 229, 58, 106, 200, 4, 215, 229, 229, 36, 16]),
    ],
)
def test_a_seed_draws_what_it_has_always_drawn(settings, expected):
    logits = torch.randn(300, generator=torch.Generator().manual_seed(5)) * 2
    draws = torch.rand(12, generator=torch.Generator().manual_seed(6), dtype=torch.float64).tolist()
    requests = [SamplingRequest(Sampling(**settings), draw, 1) for draw in draws]
    assert [token.id for token in sample(logits.expand(12, -1), requests)] == expected


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
    found = [chances(row, Sampling(temperature=temperature)).tolist() for row in rows]
    assert found == [[0, 0.5, 0, 0.5], [1, 0, 0, 0]]
