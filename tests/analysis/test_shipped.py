"""What our own sentences show on the weights that ship."""

import pytest

import explorer
from explorer.analysis.senses.occurrences import Sentence, library, occurrences, senses_of
from explorer.analysis.senses.separation import separation
from explorer.errors import NotFoundError

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def shipped():
    try:
        return explorer.load("bert")
    except NotFoundError:
        pytest.skip("assets/checkpoints/bert is not here: nothing to look at")


def separated(model, word):
    sentences = library(word)
    found = occurrences(model, [s.text for s in sentences], word)
    assert len(found) == len(sentences)
    return separation(found.vectors, senses_of(found, sentences))


@pytest.mark.parametrize("word", ["bank", "spring", "light", "bat"])
def test_senses_part_from_the_embedding_to_the_best_layer(shipped, word):
    result = separated(shipped, word)
    best = result.best_layer
    assert float(result.accuracy[best]) >= 0.7
    assert float(result.accuracy[0]) < float(result.accuracy[best]) - 0.15
    assert float(result.margin[best]) > 0


def test_a_sentence_without_a_sense_gets_a_guess_at_every_layer(shipped):
    tagged = library("bank")
    sentences = [*tagged, Sentence("From the terrace of the bank you can see the water.")]
    found = occurrences(shipped, [s.text for s in sentences], "bank")
    result = separation(found.vectors, senses_of(found, sentences))
    assert result.judged == len(tagged)
    assert {row[-1] for row in result.guesses} <= {"blood", "money", "river"}
