"""What a class has answered beside a model: rows by the kind of the question, merged spellings, dots."""

import time

import pytest

from explorer import locale
from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import count_answers, number_name
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
    assert result.rows[1].model_text == "<30%"  # no more than the least that is listed
    assert result.who == "GPT"


def test_merged_answers_are_one_row_and_the_models_are_too():
    model = {"bank": 0.5, "banks": 0.25}
    result = count_answers(
        WORD, ["banks", "banks", "bank", "Ufer"], model, merged={"banks": "bank", "ufer": "shore"}
    )
    assert rows(result) == [("bank", 3, 0.75), ("shore", 1, None)]
    assert tally(["banks"], {"banks": "bank"}) == {"bank": 1}  # a word that nobody wrote


@pytest.mark.parametrize(
    ("kind", "model", "truth"), [("choice", {"a": 0.7, "c": 0.2}, "c"), ("token", {"0": 0.7, "2": 0.2}, "2")]
)
def test_choices_and_words_of_a_sentence_keep_their_order_and_those_without_a_vote(kind, model, truth):
    result = count_answers(Question(kind, "Which?", choices=("a", "b", "c")), ["2", "2", "0"], model, truth)
    assert rows(result) == [("a", 1, 0.7), ("b", 0, 0.0), ("c", 2, 0.2)]
    assert [row.right for row in result.rows] == [False, False, True]


@pytest.mark.parametrize("of_model", ["0.4", "40 %"])
def test_numbers_are_in_order_with_the_models_among_them(of_model):
    result = count_answers(Question("number", "How probable?"), ["0.9", "0.25", "0.9"], {of_model: 1.0})
    assert [(row.key, row.count, row.model) for row in result.rows] == [
        ("0.25", 1, None),
        ("0.4", 0, 1.0),
        ("0.9", 2, None),
    ]


def test_the_true_word_has_a_row_though_nobody_wrote_it():
    last = count_answers(WORD, ["river"], {"bank": 0.5}, "Sand").rows[-1]
    assert (last.name, last.count, last.model, last.right) == ("Sand", 0, None, True)


def test_a_short_list_keeps_the_right_answer():
    result = count_answers(WORD, ["river"] * 3 + ["shore"] * 2 + ["sea"], {}, "Sand")
    assert [row.name for row in result.strongest(2)] == ["river", "Sand"]


def test_parameters_have_a_scale_of_factors_and_probabilities_one_of_steps():
    parameters = Question("number", "How many parameters?", low=1e6, high=1e12)
    assert [dots.place(parameters, number) for number in (1e6, 1e8, 1e12)] == pytest.approx([0, 1 / 3, 1])
    assert dots.ticks(parameters)[1] == 1e9 and dots.ticks(Question("number", "How probable?"))[1] == 0.5
    assert [*dots.ticks(Question("number", "Thrown?", low=1, high=6, whole=True))] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("language", locale.languages())
def test_a_number_is_taken_as_the_language_of_the_phone_writes_it(language):
    locale.use(language)
    for high, values in ((1e12, (1e6, 3e6, 1.24e8, 1e9, 1.1e11)), (5e5, (30_522, 1300)), (1, (0.46,))):
        question = Question("number", "How many?", high=high)
        assert [float(question.check(number_name(question, value))) for value in values] == list(values)
    locale.use(locale.ENGLISH)


def test_marks_at_the_ends_of_a_word_are_no_other_answer():
    assert tally(["bank", "bank.", "Bank!", "“bank”", "BANK "]) == {"bank": 5}
    assert tally(["C", "C#", "!", "?"]) == {"C": 1, "C#": 1, "!": 1, "?": 1}


def test_ten_thousand_equal_numbers_are_stacked_at_once_and_each_on_the_lowest_free_level():
    began = time.process_time()
    assert dots.stacked([0.5] * 10_000)[-1] == (0.5, 9_999)
    assert time.process_time() - began < 0.5
    assert [level for _, level in dots.stacked([0.1, 0.11, 0.12, 0.126, 0.14])] == [0, 1, 2, 0, 1]
