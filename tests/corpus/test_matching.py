"""Queries: what a person types is bound, never executed; forms follow the spelling rules."""

import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.corpus.index import TOKENIZER
from explorer.corpus.matching import forms, query, search_key, tidy
from explorer.text.folding import fold
from explorer.text.letters import has_letters


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("bank", ["bank", "banks", "banked", "banking"]),
        ("Bat", ["Bat", "bats", "batted", "batting"]),
        ("fly", ["fly", "flies", "flied", "flying"]),
        ("play", ["play", "plays", "played", "playing"]),
        ("date", ["date", "dates", "dated", "dating"]),
        ("match", ["match", "matches", "matched", "matching"]),
        ("quiz", ["quiz", "quizes", "quizzed", "quizzing"]),
        ("bow", ["bow", "bows", "bowed", "bowing"]),
        ("agree", ["agree", "agrees", "agreed", "agreeing"]),
        ("the", ["the", "thes", "thed"]),
        ("银行", ["银行"]),
        ("blood bank", ["blood bank"]),
        ("be", ["be"]),
        ("Über", ["Über"]),
        ('a" OR b', ['a" OR b']),
    ],
)
def test_regular_forms(word, expected):
    assert forms(word) == expected


@pytest.mark.parametrize(
    ("word", "method"),
    [
        ("bank", "words"),
        ("blood bank", "words"),
        ("Ёлка", "words"),
        ("naïve", "words"),
        ("C++", "words"),
        ("银行", "like"),
        ("人工智能", "like"),
        ("ธนาคาร", "like"),
        ("🛶", "like"),
        ("++", "like"),
        ("은행", "like"),
        ("T恤", "scan"),
        ("ａｂｃ", "words"),
        ("բանկ", "scan"),
    ],
)
def test_each_word_finds_its_index(word, method):
    assert query(word).method == method


@given(st.text(max_size=40))
def test_a_query_has_only_quoted_words_in_it(text):
    word = tidy(text)
    if not word:
        return
    result = query(word)
    if result.method == "words":
        assert re.fullmatch(r'"[^\W_]+"( "[^\W_]+")*', result.argument)
    elif result.method == "like":
        assert re.fullmatch(r"%([^%\\]%)*", result.argument, re.DOTALL)


def test_tidy_shows_hidden_words():
    assert tidy(" the\u00adre  is\ta\u0000 ba\ufeffnk\n") == "there is a bank"
    assert tidy("cafe\u0301") == "café" and tidy("\ud800x") == "x"


def test_sqlite_keeps_every_letter_that_the_words_index_is_trusted_with():
    """Each such letter, beside a plain one, is found again under all that `find` takes for it."""
    letters = [chr(c) for c in [*range(0x30, 0x482), *range(0x1E00, 0x1F00)] if has_letters(chr(c))]
    letters = [c for c in letters if query(c).method == "words"]
    assert len(letters) > 800
    connection = sqlite3.connect(":memory:")
    options = f"key, content = '', detail = none, tokenize = \"{TOKENIZER}\""
    connection.execute(f"CREATE VIRTUAL TABLE words USING fts5 ({options})")
    connection.executemany(
        "INSERT INTO words (rowid, key) VALUES (?, ?)",
        [(i, search_key(f"- x{tidy(c)} -")) for i, c in enumerate(letters, 1)],
    )
    for c in letters:
        match = query(f"x{tidy(c)}").argument
        hits = {row[0] for row in connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (match,))}
        alike = {i for i, other in enumerate(letters, 1) if fold(other) == fold(c)}
        assert hits >= alike, c
