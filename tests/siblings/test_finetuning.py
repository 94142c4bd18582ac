"""Fine-tuning's presets: with nine siblings, the point holds for seven of ten."""

import functools

import pytest

from explorer.finetuning import fit, library, task_of
from explorer.finetuning.training_specs import GptSpec
from explorer.views.finetuning.presets import ABSENT, CLASSES, LINE, PASSAGE, QUESTION, WHEN
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

SIBLINGS = siblings("finetuning")
OWN = {preset.label: preset.values for preset in CLASSES}


@functools.cache
def spam_head():
    """The head that Train makes of our messages on frozen layers."""
    examples = library.examples("spam")
    return fit(model("bert"), task_of(examples), examples).finish()


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


def test_eighty_messages_are_enough_for_spam():
    own = OWN["Spam or not"]["sentence"]
    seven_of_ten(lambda text: spam_head().predict([text])[0].label == "spam", [own, *SIBLINGS["Spam or not"]])


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


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_without_the_second_loss_the_next_token_is_guessed_worse():
    def language(lambda_: float, seed: int) -> float:
        """L1 of what is kept aside, at the end."""
        spec = GptSpec("gpt", library.examples("films"), seed, lambda_=lambda_)
        return list(spec.records(model("gpt")))[-1]["language"]

    seven_of_ten(
        lambda name, seed: language(0.0, seed) > language(0.5, seed),
        [(f"draw {i}", i) for i in (0, *range(101, 110))],
    )
