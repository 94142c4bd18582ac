"""What BERT is shown in training: the rates, the seed, and the loss at the chosen tokens."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.prediction import corruption
from explorer.analysis.prediction.corruption import Rates, Treatment
from explorer.errors import AbilityError, ExplorerError
from explorer.trace import Encoding

TEXT = "we sat on the steep bank by the deep water and it was light"


def long(model, tokens: int) -> Encoding:
    """A text of so many tokens between [CLS] and [SEP], longer than the model could read."""
    ids = torch.randint(20, model.config.d_vocab, (tokens + 2,), generator=torch.Generator().manual_seed(3))
    special = torch.zeros(tokens + 2, dtype=torch.bool)
    special[[0, -1]] = True
    words = [model.tokenizer.token(id) for id in ids.tolist()]
    return Encoding("", words, ids, [(0, 0)] * len(ids), special, torch.zeros_like(ids))


def test_the_rates_are_those_of_the_paper(bert):
    n = 40_000
    corrupted = corruption.corrupt(bert, long(bert, n), seed=1)
    counts = {treatment: corrupted.treatments.count(treatment) for treatment in Treatment}
    chosen = n + 2 - counts[Treatment.NOT_CHOSEN]
    for count, of, share in [
        (chosen, n, 0.15),
        (counts[Treatment.MASKED], chosen, 0.8),
        (counts[Treatment.RANDOM], chosen, 0.1),
        (counts[Treatment.KEPT], chosen, 0.1),
    ]:
        deviation = math.sqrt(share * (1 - share) / of)
        assert abs(count / of - share) < 4 * deviation, (count, of, share)


def test_what_is_shown_follows_from_the_treatments(bert):
    encoding = long(bert, 2000)
    corrupted = corruption.corrupt(bert, encoding, seed=5, rates=Rates(chosen=0.5))
    changed = corrupted.input_ids != encoding.ids
    treatments = {
        kind: torch.tensor([treatment is kind for treatment in corrupted.treatments]) for kind in Treatment
    }
    assert (corrupted.input_ids[treatments[Treatment.MASKED]] == bert.tokenizer.mask).all()
    assert not changed[treatments[Treatment.NOT_CHOSEN] | treatments[Treatment.KEPT]].any()
    drawn = corrupted.input_ids[treatments[Treatment.RANDOM]]
    assert len(set(drawn.tolist())) > bert.config.d_vocab / 2, "any token at all"
    assert corrupted.treatments[0] is corrupted.treatments[-1] is Treatment.NOT_CHOSEN, (
        "[CLS] and [SEP] are never chosen"
    )


@given(st.integers(0, 2**40))
def test_a_seed_gives_the_same_again(bert, seed):
    encoding = bert.encode(TEXT)
    one, other = (corruption.corrupt(bert, encoding, seed) for _ in range(2))
    assert one.treatments == other.treatments and torch.equal(one.input_ids, other.input_ids)


def test_the_loss_is_that_of_the_token_that_stood_there(bert):
    encoding = bert.encode(TEXT)
    corrupted = corruption.corrupt(bert, encoding, seed=2, rates=Rates(chosen=0.6))
    found = corruption.losses(bert, corrupted)
    with torch.no_grad():
        logits = bert.unembed(bert.network(corrupted.input_ids[None]).last[0])
    assert [token.position for token in found] == [
        i for i, treatment in enumerate(corrupted.treatments) if treatment is not Treatment.NOT_CHOSEN
    ]
    assert len(found) >= 4
    for token in found:
        expected = torch.nn.functional.cross_entropy(logits[token.position], encoding.ids[token.position])
        assert token.loss == pytest.approx(float(expected), rel=1e-5)
        assert token.probability == pytest.approx(math.exp(-token.loss), rel=1e-5)
        assert token.guess == int(logits[token.position].argmax())


def test_where_nothing_is_chosen_there_is_no_loss(bert):
    corrupted = corruption.corrupt(bert, bert.encode(TEXT), rates=Rates(chosen=0))
    assert set(corrupted.treatments) == {Treatment.NOT_CHOSEN} and corruption.losses(bert, corrupted) == []


def test_the_count_is_at_the_same_rates():
    counts = corruption.count(50_000, seed=4)
    chosen = 50_000 - counts[Treatment.NOT_CHOSEN]
    assert sum(counts.values()) == 50_000
    assert chosen / 50_000 == pytest.approx(0.15, abs=0.007)
    assert counts[Treatment.MASKED] / chosen == pytest.approx(0.8, abs=0.02)
    assert corruption.count(1000, rates=Rates(1, 0, 1))[Treatment.RANDOM] == 1000


@pytest.mark.parametrize("rates", [(1.1,), (-0.1,), (0.15, 0.8, 0.3), (0.15, -0.2), (math.nan,)])
def test_rates_without_meaning_are_refused(rates):
    with pytest.raises(ExplorerError):
        Rates(*rates)


def test_it_needs_the_fill_head(encoder, gpt):
    for model in (encoder, gpt):
        with pytest.raises(AbilityError):
            corruption.corrupt(model, model.encode("we"))
