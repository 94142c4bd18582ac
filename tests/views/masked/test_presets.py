"""The points that the masked-words page's presets promise, on the weights that ship."""

import pytest

import explorer
from explorer.analysis import prediction
from explorer.views.masked.presets import BY_VIEW, PRESETS
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def model():
    return explorer.load(DEFAULTS["model"])


def opened(number: int) -> dict:
    return DEFAULTS | PRESETS[number].values


def top_five(model, number: int) -> list[list[str]]:
    guesses = prediction.fill_mask(model, opened(number)["text"], top=5)
    return [[word for word, _ in blank] for blank in guesses]


def test_there_are_three_and_the_first_is_what_the_page_opens_with():
    assert len(PRESETS) == 3
    assert opened(0)["text"] == DEFAULTS["text"]


@pytest.mark.parametrize("number", range(3))
def test_the_hidden_words_are_among_the_first_five(model, number):
    words = opened(number)["words"]
    top_words = top_five(model, number)
    assert len(words) == len(top_words)
    for word, guesses in zip(words, top_words):
        assert word in guesses, guesses


def test_the_lectures_own_sentence_gets_its_word_first(model):
    gallon = BY_VIEW["predict"][3].values["text"]
    assert gallon == "The man went to the [MASK] to buy a gallon of milk."
    assert prediction.fill_mask(model, gallon, top=1)[0][0][0] == "store"


def test_the_verb_agrees_with_the_far_plural(model):
    settings = opened(1)
    blank = prediction.blanks(model, settings["text"])
    plural, singular = (
        prediction.probe(model, blank, word.strip()).probability for word in settings["probe"].split(",")
    )
    assert plural > singular


def test_the_place_of_work_comes_first(model):
    assert [guesses[0] for guesses in top_five(model, 0)] == opened(0)["words"]


def test_each_context_makes_its_own_word_likelier(model):
    settings = opened(2)
    blank = prediction.blanks(model, settings["text"])
    for own, word in enumerate(settings["words"]):
        chances = [prediction.probe(model, blank, word, which).probability for which in (0, 1)]
        assert chances[own] > chances[1 - own], (word, chances)
