"""IBM model 1 against its definition, on the textbook's example."""

import pytest

from training.metrics.word_by_word import WordByWord, tokens


def test_expectation_maximisation_finds_the_dictionary():
    pairs = [("the house", "das haus"), ("the book", "das buch"), ("a book", "ein buch")]
    found = WordByWord(pairs, rounds=20)
    assert found.translate("A house, the book") == "ein haus , das buch"


def test_one_round_counts_what_stands_together():
    """After one round t(f | e) is the share of f among all words beside e: here 3 against 1."""
    pairs = [("dog", "chien noir"), ("dog", "chien"), ("dog", "chien")]
    assert WordByWord(pairs, rounds=1).translate("dog") == "chien"


def test_a_word_never_seen_stays():
    assert WordByWord([("go", "va")]).translate("Go, Zebulon!") == "va , zebulon !"


@pytest.mark.parametrize(("text", "found"), [("Don't go!", ["don't", "go", "!"]), ("", [])])
def test_words_and_marks(text, found):
    assert tokens(text) == found
