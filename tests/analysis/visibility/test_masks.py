"""Masks: their rows, and what a model makes of a text under each, against direct computation."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis import prediction
from explorer.analysis.visibility import masks
from explorer.errors import AbilityError, TextError

TEXT, PAIR = "we sat on the river bank", "the boat was [MASK] in it"


@given(first=st.integers(1, 8), second=st.integers(0, 8))
def test_the_rows_of_every_mask(first, second):
    segments = torch.tensor([0] * first + [1] * second)
    size = first + second
    for name in masks.MASKS:
        rows = masks.allowed(name, segments)
        for q in range(size):
            for k in range(size):
                wanted = {"both": True, "left": k <= q, "prefix": k < first or (q >= first and k <= q)}[name]
                assert bool(rows[q, k]) is wanted
    assert masks.allowed("prefix", segments)[:first, first:].sum() == 0, (
        "the first text is blind to the second"
    )


def test_under_a_mask_no_weight_falls_on_what_is_hidden_and_rows_sum_to_one(bert):
    for one in masks.compare(bert, TEXT, PAIR):
        assert (one.pattern[:, ~one.allowed] == 0).all()
        torch.testing.assert_close(one.pattern.sum(-1), torch.ones(one.pattern.shape[:-1]))
        torch.testing.assert_close(one.probabilities.sum(), torch.tensor(1.0))


def test_both_ways_is_the_model_as_it_is(bert):
    both, left, prefix = masks.compare(bert, TEXT, PAIR)
    wanted = prediction.blanks(bert, TEXT, PAIR).probabilities[0]
    torch.testing.assert_close(both.probabilities, wanted, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(both.pattern, bert.trace(TEXT, PAIR).attention.pattern.mean(1))
    assert both.moved == 0
    for other in (left, prefix):
        assert other.moved == pytest.approx(float((other.probabilities - wanted).abs().sum() / 2), abs=1e-4)
        assert other.moved > 1e-3


def test_left_to_right_nothing_is_known_of_what_follows(bert):
    texts = (f"we sat on the [MASK] {after}" for after in ("and it was deep", "in a boat we"))
    both, left, _ = zip(*(masks.compare(bert, text) for text in texts), strict=True)
    torch.testing.assert_close(left[0].probabilities, left[1].probabilities, atol=1e-6, rtol=1e-4)
    assert not torch.allclose(both[0].probabilities, both[1].probabilities, atol=1e-5)


def test_left_to_right_is_how_gpt_reads_already(gpt):
    plain = gpt.trace("the bank in")
    edit = masks.under(masks.allowed("left", plain.encoding.segments))
    assert torch.equal(gpt.trace("the bank in", edit=edit).hidden_states, plain.hidden_states)


def test_the_last_blank_is_guessed(bert):
    text = "we [MASK] on the [MASK]"
    wanted = prediction.blanks(bert, text).probabilities[1]
    torch.testing.assert_close(masks.compare(bert, text)[0].probabilities, wanted, atol=1e-5, rtol=1e-4)


def test_what_cannot_be_compared_is_said(bert, gpt):
    with pytest.raises(TextError, match="no \\[MASK\\] in the text"):
        masks.compare(bert, "the bank")
    with pytest.raises(TextError, match="within the 5 tokens"):
        masks.compare(bert, "the river bank was [MASK]", limit=5)
    with pytest.raises(AbilityError):
        masks.compare(gpt, "the [MASK]")
    with pytest.raises(TextError, match="no mask"):
        masks.allowed("right", torch.tensor([0]))
