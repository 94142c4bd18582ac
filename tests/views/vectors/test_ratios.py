"""GloVe’s counts and fastText on the page: counts and n-grams of a word."""

from functools import partial

import pytest

import explorer
from explorer.analysis.vectors import cooccurrence, pieces
from explorer.views.vectors.fasttext import TOP
from explorer.views.vectors.settings import our_text
from explorer.views.vectors.word_table import table
from tests.views import opening
from tests.views.opening import said, sent, told

opened = partial(opening.opened, "vectors", view="map", projection="ratio")
fasttext = partial(opening.opened, "vectors", view="fasttext")


def test_every_word_with_a_ratio_is_drawn():
    words = [row.word for row in cooccurrence.ratios(cooccurrence.count(our_text()), "snow", "rain")]
    drawn = said(opened())
    assert all(f"<b>{word}</b>" in drawn for word in words) and drawn.count("near neither") == 1


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("snow", "two words"),
        ("snow rain wind", "two words"),
        ("snow spaceship", "“spaceship” is not in the text"),
    ],
)
def test_a_pair_that_cannot_be_compared_is_named(pair, message):
    assert message in told(opened(pair=pair))


def test_the_words_that_share_pieces_are_bars():
    found = pieces.relatives("unbankable", table(explorer.load("word2vec")).words, TOP)
    at = fasttext()
    assert [row["token"] for row in sent(at, "bars")[0]["rows"]] == [relative.word for relative in found]
    assert "&lt;unbankable&gt;" in said(at)


def test_what_is_typed_stays_text():
    at = fasttext(spelt="</b><i>x")
    assert "</b><i>x" not in said(at) and "&lt;/b&gt;&lt;i&gt;x" in said(at)
