"""Fine-tuning's presets: with nine siblings, the point holds for seven of ten."""

import functools

import pytest

from explorer.finetuning import library
from explorer.finetuning.training_specs import HeadSpec
from explorer.views.finetuning.presets import (
    ABSENT,
    CLASSES,
    LINE,
    MESSAGE,
    PAIR,
    PASSAGE,
    QUESTION,
    SPAM,
    WHEN,
)
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

SIBLINGS = siblings("finetuning")
OWN = {preset.label: preset.values for preset in CLASSES}


@functools.cache
def spam_head(seed: int = 0):
    """The head that the page opens with, and that Train makes of our messages on frozen layers."""
    return HeadSpec("bert", library.examples("spam"), seed).run(model("bert")).finish()


@functools.cache
def ready(name: str):
    return library.head(name, model("bert"))


def test_the_first_of_two_with_the_same_words_is_the_more_positive():
    def holds(one: str, other: str) -> bool:
        assert sorted(one.lower().strip(".").replace(",", "").split()) == sorted(
            other.lower().strip(".").replace(",", "").split()
        )
        first, second = ready("sst2").predict([one, other])
        return first.probabilities["positive"] > second.probabilities["positive"]

    own = OWN["Same words"]["sentence"].splitlines()
    seven_of_ten(holds, [own, *SIBLINGS["Same words"]])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_sixty_messages_are_enough_for_spam(seed):
    def label(text: str) -> str:
        return spam_head(seed).predict([text])[0].label

    seven_of_ten(lambda text: label(text) == "spam", [SPAM, *SIBLINGS["Spam or not"]])
    seven_of_ten(lambda text: label(text) == "not spam", [MESSAGE, *SIBLINGS["Not spam"]])


def test_who_built_it_follows_from_a_sentence_that_says_so():
    def holds(text: str, pair: str) -> bool:
        return ready("rte").predict([(text, pair)])[0].label == "entailment"

    seven_of_ten(holds, [PAIR, *SIBLINGS["It follows"]])


def test_a_singer_is_found():
    def holds(text: str, name: str) -> bool:
        (said,) = ready("slots").predict([text])
        found = [" ".join(said.words[e.start : e.end]) for e in said.entities if e.label == "artist"]
        return name in found

    seven_of_ten(holds, [(LINE, "Nina Simone"), *SIBLINGS["A singer"]])


ANSWERS = [(PASSAGE, QUESTION, WHEN, "1893"), *SIBLINGS["Another question"]]


def test_asked_when_the_answer_is_the_year_and_no_longer_the_name():
    def holds(passage: str, who: str, when: str, year: str) -> bool:
        name, time = ready("answers").predict([(passage, who), (passage, when)])
        return year in time.answer and name.answer not in time.answer

    seven_of_ten(holds, ANSWERS)


def test_what_the_passage_does_not_say_has_no_answer():
    def holds(passage: str, question: str) -> bool:
        return ready("answers").predict([(passage, question)])[0].answer == ""

    seven_of_ten(holds, [(PASSAGE, ABSENT), *SIBLINGS["Not in the text"]])
