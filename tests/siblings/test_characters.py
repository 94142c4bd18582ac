"""What ELMo's presets say of a word's letters: with nine other words, the point holds for seven of ten."""

from difflib import SequenceMatcher
from functools import cache

import pytest

from explorer.analysis import characters, vectors
from explorer.views.elmo.presets import CHARACTERS
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

TOP = 7
MOST = 5  # of the seven nearest


@cache
def known():
    elmo = model("elmo")
    return characters.vocabulary(elmo, characters.own_words(elmo))


@cache
def whole():
    return vectors.of(model("word2vec"))


def by_letters(word: str) -> list[str]:
    found = characters.read(model("elmo"), word).vector
    left_out = [word] if word in known().places else []
    return [near.word for near in vectors.nearest(known(), found, TOP, left_out)]


def among_words_in(ending: str, word: str) -> bool:
    return word not in whole() and sum(near.endswith(ending) for near in by_letters(word)) >= MOST


def spelt_not_meant(word: str) -> bool:
    """Those near by letters are more alike in spelling than those near by use."""

    def alike(words: list[str]) -> float:
        return sum(SequenceMatcher(None, word, other).ratio() for other in words) / len(words)

    return alike(by_letters(word)) > alike([near.word for near in vectors.nearest(whole(), word, TOP)])


POINTS = {
    "Made up": lambda word: among_words_in("able", word),
    "Pure nonsense": lambda word: among_words_in("ing", word),
    "Spelt, not meant": spelt_not_meant,
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    own = next(one for one in CHARACTERS if one.label == label).values["word"]
    seven_of_ten(POINTS[label], [own, *siblings("elmo")[label]])


def test_the_words_that_the_presets_name_are_there():
    assert {"bunk", "banker"} <= set(by_letters("bank"))
    assert {"flapping", "blazing"} <= set(by_letters("blorping"))
    assert {"loans", "deposit"} <= {near.word for near in vectors.nearest(whole(), "bank", TOP)}
