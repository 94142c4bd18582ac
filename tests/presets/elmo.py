"""What the presets of ELMo's page promise."""

from difflib import SequenceMatcher
from functools import cache

from explorer.analysis import characters, prediction, vectors
from tests.shared_models import model

TOP = 7
MOST = 5  # of the seven nearest
Guesses = list[tuple[str, float]]


def asked(text: str, place: int) -> tuple[Guesses, Guesses]:
    """The ten words from either side, with their probabilities."""
    elmo = model("elmo")
    sides = prediction.sides(elmo, text, place)
    left, right = (
        [(c.token, c.probability) for c in prediction.words_of(elmo, p, 10)] if len(p) else []
        for p in (sides.left, sides.right)
    )
    return left, right


def know_on_both_sides(text: str, place: int, word: str) -> bool:
    """The word is among the ten of either side."""
    return all(word in [guess for guess, _ in side] for side in asked(text, place))


def knows_on_the_left(text: str, place: int, word: str) -> bool:
    """By far the most probable from the left; from the right no word stands out."""
    left, right = asked(text, place)
    return left[0][0] == word and left[0][1] > 2 * left[1][1] and right[0][1] < 0.2


def have_other_words(text: str, place: int) -> bool:
    """None of the left reader's first three words is among the right reader's ten."""
    left, right = ([word.lower() for word, _ in side] for side in asked(text, place))
    return not set(left[:3]) & set(right)


@cache
def known():
    elmo = model("elmo")
    return characters.vocabulary(elmo, characters.own_words(elmo))


@cache
def whole():
    return vectors.of(model("word2vec"))


def by_letters(word: str) -> list[str]:
    vector = characters.read(model("elmo"), word).vector
    left_out = [word] if word in known().places else []
    return [near.word for near in vectors.nearest(known(), vector, TOP, left_out)]


def is_among_words_in(word: str, ending: str) -> bool:
    return word not in whole() and sum(near.endswith(ending) for near in by_letters(word)) >= MOST


def is_spelt_not_meant(word: str) -> bool:
    """Those near by letters are more alike in spelling than those near by use."""

    def alike(words: list[str]) -> float:
        return sum(SequenceMatcher(None, word, other).ratio() for other in words) / len(words)

    return alike(by_letters(word)) > alike([near.word for near in vectors.nearest(whole(), word, TOP)])


def is_near_by_letters(word: str, *others: str) -> bool:
    return set(others) <= set(by_letters(word))


def is_near_by_use(word: str, *others: str) -> bool:
    return set(others) <= {near.word for near in vectors.nearest(whole(), word, TOP)}


def is_first_on_both_sides(text: str, place: int, word: str) -> bool:
    return all(side[0][0] == word for side in asked(text, place))


def is_unmet(word: str) -> bool:
    return word not in known().places
