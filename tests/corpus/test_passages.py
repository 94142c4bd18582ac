"""A text cut into passages: sentences, or windows of words."""

from itertools import pairwise

import pytest

from explorer.analysis.sentences import our_town
from explorer.corpus.passages import cut
from explorer.errors import TextError


def test_windows_repeat_the_end_of_the_one_before_and_lose_no_word():
    windows = [window.split() for window in cut(our_town.town(), words=30, overlap=10)]
    assert all(left[-10:] == right[:10] for left, right in pairwise(windows))
    assert [word for window in windows for word in window[:20]] + windows[-1][20:] == our_town.town().split()


@pytest.mark.parametrize("words", [0, 30])
def test_a_line_without_spaces_comes_in_parts(words):
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) * 3
    passages = cut(text, words)
    assert max(map(len, passages)) <= 500 and "".join(passages) in text
    assert sum(map(len, passages)) >= 20_000


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("河水很深，没有桥。", ["河水很深，", "没有桥。"]),
        ("น้ำลึก", ["น้ำลึก"]),
        ("他在 bank 门口", ["他在 bank 门", "口"]),
    ],
)
def test_without_spaces_a_character_counts_as_a_word(text, windows):
    assert cut(text, words=4) == windows


def test_equal_passages_come_once():
    assert cut("It rains.\n" * 200) == ["It rains."]


def test_a_window_has_a_word_of_its_own():
    with pytest.raises(TextError, match="cannot repeat 5"):
        cut("It rains.", words=5, overlap=5)


def test_our_town_is_cut_into_its_sentences():
    assert cut(our_town.town()) == our_town.passages()
