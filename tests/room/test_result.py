"""What a class has answered beside a model: rows by the kind of the question, merged spellings, dots."""

from itertools import pairwise

import pytest

from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import Result, count_answers
from explorer.room.tally import tally

WORD = Question("word", "What comes next?", "We sat on the")


def rows(result):
    return [(row.name, row.count, row.model) for row in result.rows]


def test_words_of_the_class_come_first_and_the_models_own_follow():
    result = count_answers(
        WORD, ["Bank", "bank ", "river"], {" bank": 0.4, "Bank": 0.1, "shore": 0.3}, "bank", "GPT"
    )
    assert rows(result) == [("Bank", 2, 0.5), ("river", 1, None), ("shore", 0, 0.3)]
    assert [row.right for row in result.rows] == [True, False, False]
    assert result.rows[1].model_text.replace("\xa0", " ") == "<30 %"  # no more than the least that is listed
    assert result.who == "GPT"


def test_merged_answers_are_one_row_and_the_models_are_too():
    model = {"bank": 0.5, "banks": 0.25}
    result = count_answers(
        WORD, ["banks", "banks", "bank", "Ufer"], model, merged={"banks": "bank", "ufer": "shore"}
    )
    assert rows(result) == [("bank", 3, 0.75), ("shore", 1, None)]
    assert tally(["banks"], {"banks": "bank"}) == {"bank": 1}  # a word that nobody wrote


def test_choices_keep_their_order_and_those_without_a_vote():
    question = Question("choice", "Which?", choices=("A", "B", "C"))
    result = count_answers(question, ["2", "2", "0"], {"A": 0.7, "C": 0.2}, "C")
    assert rows(result) == [("A", 1, 0.7), ("B", 0, 0.0), ("C", 2, 0.2)]
    assert [row.right for row in result.rows] == [False, False, True]


def test_a_word_that_is_twice_in_the_sentence_is_two():
    question = Question("token", "Which word?", choices=("the", "dog", "the", "cat"))
    result = count_answers(question, ["2", "2", "1"], {"2": 0.75, "0": 0.25}, "2")
    assert [(row.count, row.model, row.right) for row in result.rows] == [
        (0, 0.25, False),
        (1, 0.0, False),
        (2, 0.75, True),
        (0, 0.0, False),
    ]


@pytest.mark.parametrize("of_model", ["0.4", "40 %"])
def test_numbers_are_in_order_with_the_models_among_them(of_model):
    result = count_answers(Question("number", "How probable?"), ["0.9", "0.25", "0.9"], {of_model: 1.0})
    assert [(row.key, row.count, row.model) for row in result.rows] == [
        ("0.25", 1, None),
        ("0.4", 0, 1.0),
        ("0.9", 2, None),
    ]


def test_a_result_is_stored_and_read_again():
    result = count_answers(WORD, ["bank"], {"bank": 0.5}, "bank", "GPT", {"banks": "bank"})
    assert Result.from_json(result.to_json()) == result


def test_the_true_word_has_a_row_though_nobody_wrote_it():
    last = count_answers(WORD, ["river"], {"bank": 0.5}, "Sand").rows[-1]
    assert (last.name, last.count, last.model, last.right) == ("Sand", 0, None, True)


def test_parameters_have_a_scale_of_factors_and_probabilities_one_of_steps():
    parameters = Question("number", "How many parameters?", low=1e6, high=1e12)
    assert [dots.place(parameters, number) for number in (1e6, 1e8, 1e12)] == pytest.approx([0, 1 / 3, 1])
    assert dots.ticks(parameters)[1] == 1e9 and dots.ticks(Question("number", "How probable?"))[1] == 0.5


def test_dots_that_would_touch_stand_above_each_other():
    stack = dots.stacked([0.1, 0.1, 0.11, 0.5] + [0.7] * 100)
    assert [level for _, level in stack[:4]] == [0, 1, 2, 0] and stack[-1][1] == 99
    for level in range(3):
        places = [at for at, other in stack if other == level]
        assert all(b - a >= dots.APART for a, b in pairwise(places))
