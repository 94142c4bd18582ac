"""BLEU: our count of each n-gram against sacrebleu's, and which of them are clipped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from explorer.analysis.bleu import bleu
from explorer.errors import TextError

MAT = "the cat sat on the mat"
words = st.lists(st.sampled_from("the cat sat on a mat , . dog".split()), min_size=1, max_size=12).map(
    " ".join
)


@given(words, st.lists(words, min_size=1, max_size=3))
def test_the_ngrams_that_count_are_sacrebleus(candidate, references):
    ours = bleu(candidate, references)
    theirs = BLEU().corpus_score([candidate], [[one] for one in references])
    assert [order.matches for order in ours.orders] == theirs.counts
    assert [len(order.counted) for order in ours.orders] == theirs.totals
    assert (ours.score, ours.penalty) == (theirs.score, theirs.bp)
    assert (len(ours.candidate), ours.closest) == (theirs.sys_len, theirs.ref_len)


def test_three_of_five_bigrams():
    pairs = bleu("the cat sat on a mat", [MAT]).orders[1]
    assert pairs.counted == (True, True, True, False, False)


def test_a_repeated_word_is_clipped():
    words = bleu("the the the the the the", [MAT]).orders[0]
    assert words.precision == pytest.approx(100 * 2 / 6)
    assert words.counted == (True,) * 2 + (False,) * 4


def test_an_ngram_counts_as_often_as_the_one_reference_that_has_it_most_often():
    assert bleu("the the the", ["the cat the", "the dog"]).orders[0].matches == 2


def test_what_cannot_be_scored():
    with pytest.raises(TextError, match="no candidate"):
        bleu("  ", [MAT])
    with pytest.raises(TextError, match="no reference"):
        bleu(MAT, ["", " "])
