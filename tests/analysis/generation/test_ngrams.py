"""An n-gram table: counts, back-off and bits, against a count by hand."""

import re
from fractions import Fraction
from math import log2

import pytest

import explorer
from explorer.analysis.generation import ngrams
from explorer.analysis.words import words
from explorer.errors import ExplorerError
from explorer.text.letters import has_letters

FABLE = "the crow saw the cheese . the fox saw the crow . the fox sang , and the crow sang ."
NEW = "The fox can't sing_along, and the crow – who saw the cheese – ate “it” (twice)."


def test_the_counts_are_those_of_a_hand():
    table = ngrams.count(FABLE, 3)
    assert dict(table.following[("the",)]) == {"crow": 3, "cheese": 1, "fox": 2}
    assert dict(table.following[("saw", "the")]) == {"cheese": 1, "crow": 1}
    assert table.following[()].total() == len(FABLE.split())
    assert max(map(len, table.following)) == 2 and set(ngrams.count(FABLE, 1).following) == {()}


def test_a_probability_is_that_of_a_hand_with_its_back_off():
    table = ngrams.count(FABLE, 3)
    letters = sum(len(word) + 1 for word in FABLE.split())
    spelled = {"crow": Fraction(1), "milk": Fraction(1)}
    for word in spelled:
        for letter in word:
            spelled[word] *= Fraction(FABLE.count(letter) + 1, letters + 257)
        spelled[word] *= Fraction(len(FABLE.split()) + 1, letters + 257)
    for word, counts in (("crow", (3, 3, 1)), ("milk", (0, 0, 0))):
        alone = (counts[0] + 9 * spelled[word]) / (21 + 9)  # 21 words of 9 kinds
        after_one = (counts[1] + 3 * alone) / (6 + 3)  # “the” was followed by 6 of 3 kinds
        after_two = (counts[2] + 2 * after_one) / (2 + 2)  # “saw the” by 2 of 2 kinds
        assert table.probability(word) == pytest.approx(float(alone), rel=1e-12)
        assert table.probability(word, ["saw", "the"]) == pytest.approx(float(after_two), rel=1e-12)
        for before, expected in (
            (["and", "saw", "the"], after_two),
            (["milk", "the"], after_one),
            (["saw", "milk"], alone),
        ):
            assert table.probability(word, before) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("before", [[], ["the"], ["saw", "the"], ["never", "seen"]])
def test_the_probabilities_add_up_to_one(order, before):
    shares = ngrams.count(FABLE, order).probabilities(before)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-12) and all(share > 0 for share in shares.values())
    assert shares[ngrams.OTHER] == pytest.approx(1 - sum(v for k, v in shares.items() if k), abs=1e-12)


def test_the_spellings_of_all_words_add_up_to_one():
    table = ngrams.count(FABLE, 1)
    end = (table._letters[ngrams.END] + 1) / (table._letters.total() + ngrams.BYTES)
    of_one_letter = sum(table._spelling(chr(byte)) for byte in range(128))
    assert 0 < of_one_letter < end * (1 - end), "words of n letters have end · (1 - end) ** n together"


def test_the_bits_of_a_new_text_are_measured_as_the_models_are():
    table, gpt = ngrams.count(FABLE, 2), explorer.load("gpt")
    bits, new = table.bits(NEW), ngrams.split(NEW)
    assert "".join(new) == re.sub(r"\s", "", NEW)
    assert bits[1] == pytest.approx(-log2(table.probability("fox", ["The"])))
    lettered = [word for word in words(gpt.encode(NEW)) if has_letters(word.text)]
    assert len(lettered) == sum(map(has_letters, new)) == 16
    assert table.bits_per_word(NEW) == pytest.approx(sum(bits) / len(lettered))


def test_more_words_back_help_where_they_were_seen():
    counted = [ngrams.count(FABLE * 3, order).bits_per_word(FABLE) for order in (1, 2, 3)]
    assert counted[0] > counted[1] > counted[2]


@pytest.mark.parametrize(("before", "faces", "used"), [(["crow"], 6, 6), ([], 100, 84)])
def test_a_die_has_as_many_numbers_for_each_word_as_say_how_often_it_came(before, faces, used):
    table = ngrams.count(FABLE, 3)
    counts = table.following[table.seen(before)]
    die = ngrams.die(counts)
    assert (die.faces, die.used) == (faces, used)
    assert [number for numbers in die.numbers.values() for number in numbers] == [*range(1, used + 1)]
    for word, numbers in die.numbers.items():
        assert len(numbers) / used == counts[word] / counts.total()
        assert {die.word(number) for number in numbers} == {word}
    with pytest.raises(ExplorerError, match="No word has the number"):
        die.word(used + 1)


def test_what_was_never_seen_is_counted_by_hand():
    """“a” was never seen, nor “. a” and “a crow”; “sang .” only where the text ends."""
    never = [ngrams.count(FABLE, order).never_seen("the crow sang . a crow saw") for order in (1, 2, 3)]
    assert never == pytest.approx([0, 1 / 6, 3 / 5])


@pytest.mark.parametrize(("text", "order"), [("", 2), ("?!", 2), (FABLE, 0), (FABLE, True)])
def test_what_cannot_be_counted_is_told(text, order):
    with pytest.raises(ExplorerError) as error:
        ngrams.count(text, order)
    assert error.value.hint
