"""Pairs are read in one way, and split so that no side of a pair stands on both sides."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import FormatError, NotFoundError
from training.sentence_pairs import Neighbours, french, groups, key, plain, read, split, split_chinese

SIDES = st.integers(0, 30)
PAIRS = st.lists(st.tuples(SIDES, SIDES), max_size=60).map(
    lambda rows: [(f"English {a}.", f"Français {b} !") for a, b in rows]
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("I\u00a0can’t\u202fgo…", "I can't go..."),
        ("“Yes”, he said", '"Yes", he said'),
        ("a\u200bb\u00adc", "abc"),
        ("  two  spaces ", "two spaces"),
    ],
)
def test_typesetting_becomes_what_a_keyboard_has(written, meant):
    assert plain(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Va\u202f!", "Va !"),
        ("Va!", "Va !"),
        ("Quoi?!", "Quoi ?!"),
        ("Il est 12:30 ; viens.", "Il est 12:30 ; viens."),
        ("Il a dit\u00a0: «\u00a0oui\u00a0».", 'Il a dit : "oui".'),
    ],
)
def test_french_punctuation_is_written_in_one_way(written, meant):
    assert french(written) == meant


def test_a_file_is_read_without_doubles_and_without_a_third_column(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text("Go!\tVa !\tCC-BY\nGo!\tVa\u202f!\n\u00a0\tVa !\nGo!\tCours !\n", encoding="utf-8")
    assert read(path) == [("Go!", "Va !"), ("Go!", "Cours !")]


def test_what_is_no_file_of_pairs_is_refused(tmp_path):
    with pytest.raises(NotFoundError):
        read(tmp_path / "none.txt")
    (tmp_path / "one.txt").write_text("Go!\tVa !\nno tab here\n", encoding="utf-8")
    with pytest.raises(FormatError, match="Line 2"):
        read(tmp_path / "one.txt")


@given(PAIRS)
def test_neither_side_of_a_pair_kept_aside_stands_in_training(pairs):
    found = split(pairs)
    assert sorted(found.train + found.held_out) == sorted(pairs)
    for side in (0, 1):
        assert {key(p[side]) for p in found.train}.isdisjoint({key(p[side]) for p in found.held_out})


@given(PAIRS, st.randoms())
def test_the_split_does_not_depend_on_the_order(pairs, random):
    other = list(pairs)
    random.shuffle(other)
    assert sorted(split(pairs).held_out) == sorted(split(other).held_out)


def test_pairs_that_share_a_side_over_others_stay_together():
    pairs = [("Go!", "Va !"), ("Go on.", "va"), ("go on!", "Continue."), ("Stop.", "Halte !")]
    assert sorted(map(len, groups(pairs).values())) == [1, 3]


def test_one_group_in_fifty_is_kept_aside_by_a_frozen_rule():
    pairs = [(f"English {i}.", f"Français {i} !") for i in range(5000)]
    held_out = split(pairs).held_out
    assert 70 < len(held_out) < 130
    seen = hashlib.sha256(json.dumps(sorted(held_out)).encode()).hexdigest()
    assert seen == "ab3311821cba3f12126687be7e67c6f582a08b2e8ec2b4600d5ea3f124018729", (
        "the rule is frozen: trained weights have seen what it calls training"
    )


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("Tom is a very good man.", True),  # one word more
        ("Tom is good man", True),  # one less
        ("Tom is a bad man!", True),  # another
        ("tom is a good man", True),  # the same
        ("Tom was a bad man.", False),
        ("A good man Tom is.", False),
        ("Tom is a very, very good man.", False),
    ],
)
def test_sentences_one_word_away(sentence, near):
    assert Neighbours(["Tom is a good man.", "He left."]).of(sentence) is near


def test_pairs_kept_aside_share_no_sentence_with_the_others(tmp_path):
    lines = [f"Sentence {i}.\t句子{i}。" for i in range(30)] + ["Sentence 3!\t第三句。", "Third.\t第三句"]
    path = tmp_path / "pairs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    some, turned = split_chinese(path, 10), tmp_path / "turned.txt"
    turned.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    again = split_chinese(turned, 10)
    assert len(some.held_out) == 10 and 20 <= len(some.train) <= 22
    train = {side.strip("。.!") for pair in some.train for side in pair}
    assert not train & {side.strip("。.!") for pair in some.held_out for side in pair}
    assert {pair for pair in again.train} == {pair for pair in some.train}, "the order of lines says nothing"
