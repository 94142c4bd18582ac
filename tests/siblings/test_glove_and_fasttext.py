"""What the presets of GloVe and fastText say: with nine others, the point holds for seven of ten."""

from functools import cache

from explorer.analysis import vectors
from explorer.analysis.vectors import cooccurrence, pieces
from explorer.views.vectors import fasttext, related_methods
from explorer.views.vectors.presets import our_text
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

MOST = 5  # of the seven words that share most pieces


@cache
def counted() -> cooccurrence.Counts:
    return cooccurrence.count(our_text(), related_methods.WINDOW)


def parted(pair: str) -> bool:
    """Some word goes with the first, some with the second, and some with both."""
    found = [row.ratio for row in cooccurrence.ratios(counted(), *pair.split(), top=related_methods.SHOWN)]
    return max(found) > 2 and min(found) < 0.5 and any(0.5 < ratio < 2 for ratio in found)


def shares_its_ending(word: str) -> bool:
    words = vectors.of(model("word2vec")).words
    return sum(one.word.endswith("able") for one in pieces.relatives(word, words, fasttext.TOP)) >= MOST


def test_snow_or_rain():
    seven_of_ten(parted, [defaults("vectors")["pair"], *siblings("vectors")["Snow or rain"]])


def test_by_its_pieces():
    seven_of_ten(shares_its_ending, [defaults("vectors")["spelt"], *siblings("elmo")["Made up"]])
