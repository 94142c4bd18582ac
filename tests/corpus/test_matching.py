"""Words as they are compared, and their forms, which follow the spelling rules."""

import pytest

from explorer.corpus.matching import forms, tidy


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bank", ["bank", "banks", "banked", "banking"]), ("Bat", ["Bat", "bats", "batted", "batting"]),
        ("fly", ["fly", "flies", "flied", "flying"]), ("play", ["play", "plays", "played", "playing"]),
        ("date", ["date", "dates", "dated", "dating"]),
        ("match", ["match", "matches", "matched", "matching"]),
        ("quiz", ["quiz", "quizes", "quizzed", "quizzing"]), ("bow", ["bow", "bows", "bowed", "bowing"]),
        ("agree", ["agree", "agrees", "agreed", "agreeing"]), ("the", ["the", "thes", "thed"]),
        ("银行", ["银行"]), ("blood bank", ["blood bank"]), ("be", ["be"]), ("Über", ["Über"]),
        ('a" OR b', ['a" OR b']),
    ],
)  # fmt: skip
def test_regular_forms(word, expected):
    assert forms(word) == expected


def test_tidy_shows_hidden_words():
    assert tidy(" the\u00adre  is\ta\u0000 ba\ufeffnk\n") == "there is a bank"
    assert tidy("cafe\u0301") == "café" and tidy("\ud800x") == "x"
