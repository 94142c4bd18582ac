"""Two sets of words in one blank, by hand: sums of probabilities, and their ratio in bits."""

import math

import pytest

from explorer.analysis.prediction.fill import Probe, blanks, log_likelihood, probe
from explorer.analysis.prediction.template_bias import Bias, compare_sets
from explorer.errors import AbilityError, TextError


def test_a_bias_is_the_ratio_of_the_sums(bert):
    found = compare_sets(bert, "the [SLOT] sat on [MASK]", ["bank", "boat"], ["home", "river"], ["money"])
    assert [bias.filler for bias in found.biases] == ["bank", "boat"]
    for bias in found.biases:
        assert bias.text == f"the {bias.filler} sat on [MASK]"
        blank = blanks(bert, bias.text)
        home, river, money = (probe(bert, blank, word).probability for word in ("home", "river", "money"))
        assert bias.sums == pytest.approx((home + river, money))
        assert bias.bits == pytest.approx(math.log2((home + river) / money))


@pytest.mark.parametrize(
    ("template", "which"), [("the [SLOT] sat on [MASK]", 1), ("[MASK] sat on the [SLOT]", 0)]
)
def test_the_prior_masks_the_slot_and_looks_at_the_same_blank(bert, template, which):
    found = compare_sets(bert, template, ["boat"], ["we"], ["it"])
    prior = blanks(bert, template.replace("[SLOT]", "[MASK]"))
    expected = [probe(bert, prior, word, which).probability for word in ("we", "it")]
    assert found.prior.sums == pytest.approx(expected)
    beyond = found.biases[0].bits - math.log2(expected[0] / expected[1])
    assert found.beyond_prior(found.biases[0]) == pytest.approx(beyond)


def test_a_word_of_several_pieces_is_its_chain(bert):
    found = compare_sets(bert, "a [MASK] boat", [], ["unbelievable"], ["clean"])
    chain = probe(bert, blanks(bert, "a [MASK] boat"), "unbelievable")
    assert found.prior is None and found.beyond_prior(found.biases[0]) is None
    assert found.biases[0].sums[0] == pytest.approx(chain.probability)
    assert len(found.biases[0].one[0].pieces) == 3


def bias(*probabilities: float | None) -> Bias:
    one, other = ([Probe("w", p, None, ["w"], [])] for p in probabilities)
    return Bias("", "", one, other)


def test_bits_at_the_edges():
    assert bias(0.5, 0.125).bits == 2 and bias(0.125, 0.5).bits == -2 and bias(0.3, 0.3).bits == 0
    assert bias(None, 0.5).bits == -math.inf and bias(0.5, None).bits == math.inf
    assert bias(None, None).bits == 0 and bias(None, None).sums == (0, 0)


@pytest.mark.parametrize(
    ("template", "fillers", "one", "other", "says"),
    [
        ("the [SLOT] sat", ["boat"], ["we"], ["it"], "no [MASK]"),
        ("the [SLOT] [MASK]", [], ["we"], ["it"], "no word for [SLOT]"),
        ("the [SLOT] [MASK]", ["boat"], [], ["it"], "empty"),
        ("the [SLOT] [MASK]", ["boat"], ["we"], [], "empty"),
        ("we " * 60 + "[MASK] [SLOT]", ["boat"], ["we"], ["it"], "comes after"),
    ],
)
def test_what_cannot_be_compared_says_so(bert, template, fillers, one, other, says):
    with pytest.raises(TextError) as error:
        compare_sets(bert, template, fillers, one, other)
    assert says in error.value.message and error.value.hint


def test_a_model_without_a_head_compares_nothing(encoder):
    with pytest.raises(AbilityError):
        compare_sets(encoder, "the [MASK]", [], ["we"], ["it"])


def test_a_reader_from_the_left_compares_whole_sentences(gpt):
    result = compare_sets(gpt, "the [SLOT] in [MASK] bank.", ["walk"], ["the", "a"], ["walking"])
    scores = {word: log_likelihood(gpt, f"the walk in {word} bank.") for word in ("the", "a", "walking")}
    shares = {word: math.exp(score) for word, score in scores.items()}
    expected = math.log2((shares["the"] + shares["a"]) / shares["walking"])
    assert result.biases[0].bits == pytest.approx(expected, abs=1e-3)
    assert sum(result.biases[0].sums) == pytest.approx(1)
    assert result.prior.bits == result.biases[0].bits  # left alone, it writes walk into the slot, too
