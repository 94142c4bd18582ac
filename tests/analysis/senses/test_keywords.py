"""The words that set groups apart, on sentences small enough to count by hand."""

import math

import pytest

from explorer.analysis.senses.keywords import _log_odds, distinctive

TEXTS = [
    "The bank gave us a loan.", "A loan from the old bank, on paper!", "Banks want paper.",
    "An otter slept on the muddy bank.", "The muddy bank of the river.", "We sat on the bank.",
]  # fmt: skip
MEMBER = [0, 0, 0, 1, 1, 1]


def test_words_of_two_sentences_come_before_words_of_one():
    assert distinctive(TEXTS, MEMBER, "bank") == {0: ["paper", "loan"], 1: ["muddy"]}


def test_where_every_word_stands_once_the_nearest_to_the_word_comes_first():
    texts = ["Fresh water ran past the grassy bank", "The clerk at the bank had coins"]
    assert distinctive(texts, [0, 1], "bank") == {0: ["grassy", "past", "ran"], 1: ["coins", "clerk"]}


def test_the_word_and_its_forms_name_nothing():
    words = distinctive(["bank banks bank's loan", "a stream"], [0, 1], "Bank")
    assert words == {0: ["loan"], 1: ["stream"]}


@pytest.mark.parametrize(
    ("texts", "word", "expected"),
    [
        (["die STRASSE lang", "die Straße lang", "Straße breit", "eine Straße breit"], "Straße", "breit"),
        (["ri\u00adver wide", "the river wide", "river deep", "the ri\u00adver deep"], "river", "deep"),
        (["البَنْك المال", "البنك مال", "البَنْك ماءٌ", "ماء البنك"], "البنك", "ماءٌ"),
        (["bank에서 돈을", "은행에 돈을", "bank에 나무가", "bank 나무가"], "bank", "나무가"),
        (["l'eau froide", "l’eau froide", "eau chaude", "de l'eau chaude"], "eau", "chaude"),
        (["バンクのおかね", "バンクのおかね", "バンクとかわ", "バンクとかわ"], "バンク", ""),
        (["well-known bank", "well\u2011known bank", "deep bank", "İzmir deep bank"], "bank", "deep"),
    ],
)
def test_words_are_compared_as_a_search_compares_them(texts, word, expected):
    assert " ".join(distinctive(texts, [0, 0, 1, 1], word)[1]) == expected


def test_a_word_that_both_have_alike_is_left_out_and_untold_texts_are_not_read():
    texts = ["water and loan", "water and mud", "water and loan and mud"]
    assert distinctive(texts, [0, 1, None], "bank") == {0: ["loan"], 1: ["mud"]}


@pytest.mark.parametrize("texts", [[], ["the of a"], ["银行 银行"], ["</script> 1984"]])
def test_texts_without_telling_words(texts):
    found = distinctive(texts, [0] * len(texts), "bank")
    assert all("<" not in word for words in found.values() for word in words)


def test_the_log_odds_by_hand():
    error = math.sqrt(1 / 2.5 + 1 / 1.5 + 1 / 0.5 + 1 / 3.5)
    expected = (math.log(2.5 / 1.5) - math.log(0.5 / 3.5)) / error
    assert _log_odds(2, 3, 0, 3) == pytest.approx(expected)
    assert _log_odds(1, 3, 1, 3) == 0


def test_the_standard_error_has_the_four_counts_of_the_table():
    assert _log_odds(15, 18, 2, 38) == pytest.approx(4.73, abs=0.005)
