"""The dice of BERT's training: their shares, their seed, and the loss they ask for."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.prediction import corruption
from explorer.analysis.prediction.corruption import Dice, Fate
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


def test_the_shares_are_those_of_the_paper(bert):
    n = 40_000
    thrown = corruption.throw(bert, long(bert, n), seed=1)
    counts = {fate: thrown.fates.count(fate) for fate in Fate}
    chosen = n + 2 - counts[Fate.ALONE]
    for count, of, share in [
        (chosen, n, 0.15),
        (counts[Fate.HIDDEN], chosen, 0.8),
        (counts[Fate.RANDOM], chosen, 0.1),
        (counts[Fate.KEPT], chosen, 0.1),
    ]:
        deviation = math.sqrt(share * (1 - share) / of)
        assert abs(count / of - share) < 4 * deviation, (count, of, share)


def test_what_is_shown_follows_from_the_fates(bert):
    encoding = long(bert, 2000)
    thrown = corruption.throw(bert, encoding, seed=5, dice=Dice(chosen=0.5))
    changed = thrown.shown != encoding.ids
    fates = {kind: torch.tensor([fate is kind for fate in thrown.fates]) for kind in Fate}
    assert (thrown.shown[fates[Fate.HIDDEN]] == bert.tokenizer.mask).all()
    assert not changed[fates[Fate.ALONE] | fates[Fate.KEPT]].any()
    drawn = thrown.shown[fates[Fate.RANDOM]]
    assert len(set(drawn.tolist())) > bert.config.d_vocab / 2, "any token at all"
    assert thrown.fates[0] is thrown.fates[-1] is Fate.ALONE, "[CLS] and [SEP] are never chosen"


def test_they_are_the_dice_that_the_training_throws(bert):
    from explorer.training.masking import hide

    encoding = long(bert, 500)
    thrown = corruption.throw(bert, encoding, seed=9)
    generator = torch.Generator().manual_seed(9)
    read, chosen = hide(
        encoding.ids[None], ~encoding.special[None], bert.tokenizer.mask, bert.config.d_vocab, generator
    )
    assert torch.equal(thrown.shown, read[0])
    assert [fate is not Fate.ALONE for fate in thrown.fates] == chosen[0].tolist()


@given(st.integers(0, 2**40))
def test_a_seed_throws_the_same_again(bert, seed):
    encoding = bert.encode(TEXT)
    one, other = (corruption.throw(bert, encoding, seed) for _ in range(2))
    assert one.fates == other.fates and torch.equal(one.shown, other.shown)


def test_the_loss_is_that_of_the_token_that_stood_there(bert):
    encoding = bert.encode(TEXT)
    thrown = corruption.throw(bert, encoding, seed=2, dice=Dice(chosen=0.6))
    found = corruption.lessons(bert, thrown)
    with torch.no_grad():
        logits = bert.unembed(bert.network(thrown.shown[None]).last[0])
    assert [lesson.position for lesson in found] == [
        i for i, fate in enumerate(thrown.fates) if fate is not Fate.ALONE
    ]
    assert len(found) >= 4
    for lesson in found:
        expected = torch.nn.functional.cross_entropy(logits[lesson.position], encoding.ids[lesson.position])
        assert lesson.loss == pytest.approx(float(expected), rel=1e-5)
        assert lesson.probability == pytest.approx(math.exp(-lesson.loss), rel=1e-5)
        assert lesson.guess == int(logits[lesson.position].argmax())


def test_a_throw_that_chooses_nothing_teaches_nothing(bert):
    thrown = corruption.throw(bert, bert.encode(TEXT), dice=Dice(chosen=0))
    assert set(thrown.fates) == {Fate.ALONE} and corruption.lessons(bert, thrown) == []


def test_the_tally_is_of_the_same_shares():
    counts = corruption.tally(50_000, seed=4)
    chosen = 50_000 - counts[Fate.ALONE]
    assert sum(counts.values()) == 50_000
    assert chosen / 50_000 == pytest.approx(0.15, abs=0.007)
    assert counts[Fate.HIDDEN] / chosen == pytest.approx(0.8, abs=0.02)
    assert corruption.tally(1000, dice=Dice(1, 0, 1))[Fate.RANDOM] == 1000


@pytest.mark.parametrize("shares", [(1.1,), (-0.1,), (0.15, 0.8, 0.3), (0.15, -0.2), (math.nan,)])
def test_shares_without_meaning_are_refused(shares):
    with pytest.raises(ExplorerError):
        Dice(*shares)


def test_dice_need_the_fill_head(encoder, gpt):
    for model in (encoder, gpt):
        with pytest.raises(AbilityError):
            corruption.throw(model, model.encode("we"))
