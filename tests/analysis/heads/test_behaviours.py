"""Each score worked by hand on 3 x 3, and its marks on longer texts."""

import math

import pytest
import torch

from explorer.analysis.heads.behaviours import BEHAVIOURS, behaviours, flat, reference, tally, targets
from explorer.errors import AbilityError
from explorer.trace import Capture

BOTH = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [0.2, 0.7, 0.1]])
PAST = torch.tensor([[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.5, 0.2, 0.3]])


def scores(pattern, encoding, causal=False):
    found = tally(pattern[None, None], encoding, causal).scores()
    assert list(found) == list(BEHAVIOURS)
    return {name: float(score) for name, score in found.items()}


def entropy(*shares):
    return -sum(share * math.log(share) for share in shares)


def test_both_ways_with_a_special_token(encode):
    found = scores(BOTH, encode("[CLS]", "we", "sat"))
    rows = [entropy(0.6, 0.1, 0.3), entropy(0.2, 0.7, 0.1)]
    assert found == {
        "previous": pytest.approx(0.7),  # sat to we; we has only [CLS] before it
        "next": pytest.approx(0.3),
        "same": pytest.approx((0.1 + 0.1) / 2),
        "first": pytest.approx((0.6 + 0.2) / 2),
        "special": pytest.approx((0.6 + 0.2) / 2),
        "separator": pytest.approx(math.nan, nan_ok=True),
        "repeat": pytest.approx(math.nan, nan_ok=True),
        "after": pytest.approx(math.nan, nan_ok=True),
        "broad": pytest.approx(sum(rows) / 2),
        "even": pytest.approx(sum(rows) / 2 / math.log(3)),
        "distance": pytest.approx((0.3 + 0.7) / (0.1 + 0.3 + 0.7 + 0.1)),
    }


def test_left_to_right(encode):
    found = scores(PAST, encode("we", "sat", "we"), causal=True)
    rows = [0, entropy(0.4, 0.6), entropy(0.5, 0.2, 0.3)]
    assert found == {
        "previous": pytest.approx((0.4 + 0.2) / 2),
        "next": pytest.approx(math.nan, nan_ok=True),
        "same": pytest.approx((1 + 0.6 + 0.3) / 3),
        "first": pytest.approx((0.4 + 0.5) / 2),  # from the others
        "special": pytest.approx(math.nan, nan_ok=True),
        "separator": pytest.approx(math.nan, nan_ok=True),
        "repeat": pytest.approx(0.5),
        "after": pytest.approx(0.2),  # from the second we, to sat
        "broad": pytest.approx(sum(rows) / 3),
        "even": pytest.approx((rows[1] / math.log(2) + rows[2] / math.log(3)) / 2),  # the first sees one key
        "distance": pytest.approx((0.4 + 2 * 0.5 + 0.2) / 3),
    }


def test_separators(encode):
    assert scores(BOTH, encode("[CLS]", "we", "[SEP]"))["separator"] == pytest.approx(0.3)
    assert scores(BOTH, encode("[CLS]", "we", "[SEP]"))["special"] == pytest.approx(0.9)


def which(name, encoding, causal=False):
    chosen = targets(encoding, causal)[list(BEHAVIOURS).index(name)]
    return [tuple(place) for place in chosen.nonzero().tolist()]


def test_the_same_word_is_a_word_and_not_a_piece(encode):
    text = encode("We", "un", "##tie", "we", "un", "##do")
    assert which("repeat", text) == [(0, 3), (3, 0)]
    assert which("repeat", text, causal=True) == [(3, 0)]
    pieces = encode("un", "##tie", "un", "##tie")
    assert which("repeat", pieces) == [(q, k) for q in range(4) for k in ((2, 3) if q < 2 else (0, 1))]


def test_marks_are_no_words(encode):
    assert which("repeat", encode("no", ",", "we", ",")) == []


def test_what_followed_an_earlier_copy(encode):
    text = encode("[CLS]", "we", "saw", "we", "we", "[SEP]")
    assert which("after", text) == [(3, 2), (4, 2)]  # from 4, the copy at 3 was followed by 4 itself
    assert which("after", text, causal=True) == [(3, 2), (4, 2)]


def test_a_flat_head_gets_its_reference(encode):
    text = encode("[CLS]", "we", "saw", "we", "[SEP]")
    found = {name: float(s) for name, s in tally(flat(5, False), text).scores().items()}
    assert found["previous"] == found["special"] / 2 == pytest.approx(0.2)
    assert found["broad"] == pytest.approx(math.log(5)) and found["even"] == pytest.approx(1)
    assert found["distance"] == pytest.approx((4 * 1 + 2 * 2) / 9)


def test_sums_add_up_over_texts(encode):
    one, two = encode("[CLS]", "we", "sat"), encode("we", "sat", "we")
    sums = tally(BOTH[None, None], one) + tally(BOTH[None, None], two)
    found = {name: float(score) for name, score in sums.scores().items()}
    assert found["previous"] == pytest.approx((0.7 + 0.6 + 0.7) / 3)
    assert found["repeat"] == pytest.approx((0.2 + 0.2) / 2)


def test_every_head_of_a_trace(bert, gpt):
    for model, text in ((bert, "we sat on the bank"), (gpt, "the bank the")):
        trace = model.trace(text)
        found = behaviours(trace)
        flat_head = reference(trace)
        assert set(found) == set(BEHAVIOURS) == set(flat_head)
        assert all(grid.shape == (3, 2) for grid in found.values())
        alone = tally(trace.attention.pattern[1:2, 1:], trace.encoding, model.causal).scores()
        for name, grid in found.items():
            torch.testing.assert_close(grid[1, 1], alone[name][0, 0], equal_nan=True)
            if name not in ("broad", "distance"):
                assert not (grid > 1 + 1e-6).any() and not (grid < 0).any()


def test_texts_of_one_token_and_none(bert, gpt):
    for trace in (bert.trace("we"), bert.trace(""), gpt.trace("a"), gpt.trace("")):
        assert set(behaviours(trace)) == set(BEHAVIOURS)


def test_no_attention_in_the_trace(bert):
    trace = bert.trace("we", capture=Capture.HIDDEN)
    with pytest.raises(AbilityError):
        behaviours(trace)
    with pytest.raises(AbilityError):
        reference(trace)
