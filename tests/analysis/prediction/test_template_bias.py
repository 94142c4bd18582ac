"""Two sets of words in one blank, by hand: sums of probabilities, and their ratio in bits."""

import math

import pytest

from explorer.analysis.prediction.fill import Probe, blanks, probe
from explorer.analysis.prediction.template_bias import Lean, leanings
from explorer.errors import AbilityError, TextError


def test_a_lean_is_the_ratio_of_the_sums(bert):
    found = leanings(bert, "the [SLOT] sat on [MASK]", ["bank", "boat"], ["home", "river"], ["money"])
    assert [lean.filler for lean in found.leans] == ["bank", "boat"]
    for lean in found.leans:
        assert lean.text == f"the {lean.filler} sat on [MASK]"
        blank = blanks(bert, lean.text)
        home, river, money = (probe(bert, blank, word).probability for word in ("home", "river", "money"))
        assert lean.sums == pytest.approx((home + river, money))
        assert lean.bits == pytest.approx(math.log2((home + river) / money))


@pytest.mark.parametrize(
    ("template", "which"), [("the [SLOT] sat on [MASK]", 1), ("[MASK] sat on the [SLOT]", 0)]
)
def test_the_bare_sentence_masks_the_slot_and_looks_at_the_same_blank(bert, template, which):
    found = leanings(bert, template, ["boat"], ["we"], ["it"])
    bare = blanks(bert, template.replace("[SLOT]", "[MASK]"))
    expected = [probe(bert, bare, word, which).probability for word in ("we", "it")]
    assert found.bare.sums == pytest.approx(expected)


def test_a_word_of_several_pieces_is_its_chain(bert):
    found = leanings(bert, "a [MASK] boat", [], ["unbelievable"], ["clean"])
    chain = probe(bert, blanks(bert, "a [MASK] boat"), "unbelievable")
    assert found.bare is None and found.leans[0].sums[0] == pytest.approx(chain.probability)
    assert len(found.leans[0].one[0].pieces) == 3


def lean(*probabilities: float | None) -> Lean:
    one, other = ([Probe("w", p, None, ["w"], [])] for p in probabilities)
    return Lean("", "", one, other)


def test_bits_at_the_edges():
    assert lean(0.5, 0.125).bits == 2 and lean(0.125, 0.5).bits == -2 and lean(0.3, 0.3).bits == 0
    assert lean(None, 0.5).bits == -math.inf and lean(0.5, None).bits == math.inf
    assert lean(None, None).bits == 0 and lean(None, None).sums == (0, 0)


@pytest.mark.parametrize(
    ("template", "fillers", "one", "other", "says"),
    [
        ("the [SLOT] sat", ["boat"], ["we"], ["it"], "no [MASK]"),
        ("the [SLOT] [MASK]", [], ["we"], ["it"], "no word for [SLOT]"),
        ("the [SLOT] [MASK]", ["boat"], [], ["it"], "empty"),
        ("the [SLOT] [MASK]", ["boat"], ["we"], [], "empty"),
        ("we " * 60 + "[MASK] [SLOT]", ["boat"], ["we"], ["it"], "stands after"),
    ],
)
def test_what_cannot_be_compared_says_so(bert, template, fillers, one, other, says):
    with pytest.raises(TextError) as error:
        leanings(bert, template, fillers, one, other)
    assert says in error.value.message and error.value.hint


def test_a_model_without_blanks_compares_nothing(gpt):
    with pytest.raises(AbilityError):
        leanings(gpt, "the [MASK]", [], ["we"], ["it"])
