"""What GloVe counts and what fastText cuts, checked by hand on texts of a few words."""

import math

import pytest

from explorer.analysis.vectors import cooccurrence, pieces
from explorer.errors import TextError

TEXT = "ice is cold water\nsteam is hot water\nice and steam"


def test_a_pair_counts_one_over_its_distance_on_both_sides():
    counts = cooccurrence.count(TEXT, window=5)
    place = counts.place
    assert float(counts.near[place("ice"), place("is")]) == 1
    assert float(counts.near[place("ice"), place("cold")]) == pytest.approx(1 / 2)
    assert float(counts.near[place("ice"), place("steam")]) == pytest.approx(1 / 2)
    assert float(counts.near[place("ice"), place("hot")]) == 0, "another line"
    assert (counts.near == counts.near.T).all()
    assert float(counts.near[place("is"), place("water")]) == pytest.approx(1 / 2 + 1 / 2)


def test_a_window_ends_where_it_says():
    counts = cooccurrence.count("one two three four", window=2)
    assert float(counts.near[counts.place("one"), counts.place("four")]) == 0
    assert float(counts.near[counts.place("one"), counts.place("three")]) == pytest.approx(1 / 2)


def test_ratios_are_of_shares_and_part_what_stands_near_one_only():
    counts = cooccurrence.count(TEXT, window=5)
    found = {row.word: row for row in cooccurrence.ratios(counts, "ice", "steam")}
    company = float(counts.near[counts.place("ice")].sum())
    assert found["is"].first == pytest.approx(1 / company)
    assert found["cold"].ratio > 1 > found["hot"].ratio > 0
    assert (found["cold"].second, found["hot"].first) == (0, 0)
    near = counts.near[[counts.place("ice"), counts.place("steam")]] + 1 / 5
    ratio = near[:, counts.place("water")] / near.sum(1)
    assert found["water"].ratio == pytest.approx(float(ratio[0] / ratio[1]))
    assert not {"ice", "steam"} & set(found)


def test_rare_words_and_function_words_are_not_compared():
    counts = cooccurrence.count("\n".join(["ice is cold", "the steam is hot"] * 5) + "\nice and snow")
    assert {row.word for row in cooccurrence.ratios(counts, "ice", "steam")} == {"cold", "hot"}


def test_one_word_that_is_near_neither_is_shown():
    text = "\n".join(["ice is cold", "steam is hot", "bread and cake"] * 5)
    found = cooccurrence.ratios(cooccurrence.count(text), "ice", "steam")
    neither = [row for row in found if row.first == row.second == 0]
    assert len(neither) == 1 and neither[0].ratio == pytest.approx(1)


def test_they_go_from_the_first_word_to_the_second():
    counts = cooccurrence.count(TEXT)
    order = [row.ratio for row in cooccurrence.ratios(counts, "ice", "steam")]
    assert order == sorted(order, reverse=True) and order[0] > order[-1]


@pytest.mark.parametrize(
    ("pair", "said"), [(("ice", "fire"), "not in the text"), (("ice", "Ice"), "the same")]
)
def test_words_that_cannot_be_compared_are_named(pair, said):
    with pytest.raises(TextError, match=said):
        cooccurrence.ratios(cooccurrence.count(TEXT), *pair)


def test_no_words_no_counts():
    with pytest.raises(TextError, match="no words"):
        cooccurrence.count(" \n ")


def test_pieces_are_the_papers_example():
    assert [p for p in pieces.pieces("where") if len(p) == 3] == ["<wh", "whe", "her", "ere", "re>"]
    assert pieces.pieces("where")[-1] == "<where>"


@pytest.mark.parametrize("word", ["a", "of", "her", "where", "unbankable"])
def test_every_piece_is_in_the_marked_word_and_of_the_right_length(word):
    *cut, whole = pieces.pieces(word)
    assert whole == f"<{word}>" and len(set(cut)) == len(cut)
    assert all(piece in whole and 3 <= len(piece) <= 6 for piece in cut)
    assert len({whole[at : at + 3] for at in range(len(whole) - 2)} - set(cut) - {whole}) == 0


def test_relatives_share_most_pieces_and_leave_the_word_out():
    words = ["where", "here", "there", "cat", "Where"]
    found = pieces.relatives("where", words)
    assert [kin.word for kin in found] == ["there", "here"] or [kin.word for kin in found] == [
        "here",
        "there",
    ]
    for kin in found:
        own, theirs = set(pieces.pieces("where")), set(pieces.pieces(kin.word))
        assert kin.shared == len(own & theirs)
        assert kin.cosine == pytest.approx(len(own & theirs) / math.sqrt(len(own) * len(theirs)))


@pytest.mark.parametrize("word", ["", "ice cream"])
def test_one_word_it_must_be(word):
    with pytest.raises(TextError, match="one word"):
        pieces.pieces(word)
