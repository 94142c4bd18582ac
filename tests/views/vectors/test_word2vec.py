"""word2vec on the pages that its abilities open to it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.assets import CHECKPOINTS
from tests.views import opening
from tests.views.opening import opened

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(
    not (CHECKPOINTS / "word2vec" / "config.json").exists(), reason="word2vec's weights are not here"
)


def told(at: AppTest) -> str:
    """All that the page says, and what its components were given."""
    return " ".join([opening.told(at), *(part.proto.json for part in at.get("bidi_component"))])


def test_every_occurrence_is_one_dot():
    at = opened("senses", model="word2vec", word="bank")
    assert any("word2vec" in option for option in at.selectbox[0].options)
    said = "No sense can be told from another here. All occurrences have the same vector: one dot."
    assert said in told(at)
    assert "right; best" not in told(at)


def test_a_word_without_a_vector_is_named():
    sentences = "A quetzal sat in the tree. #bird\nThe quetzal flew."
    at = opened("senses", model="word2vec", word="quetzal", text=sentences)
    assert "“quetzal” is not among the 30,000 words" in told(at)


def test_its_training_is_told_as_words_that_lie_near():
    at = opened("models", model="word2vec")
    assert "words nearest to the chosen word" in told(at) and "found most probable" not in told(at)
    assert "king lies nearest to " in told(at) and "cosine 0." in told(at)


@pytest.mark.parametrize("page", ["attention", "masked", "continuations"])
def test_a_page_that_needs_more_does_not_offer_it(page):
    at = opened(page)
    assert not any("word2vec" in str(option) for box in at.selectbox for option in box.options)
