"""The biLM: with nine siblings, a preset's point holds for seven of ten."""

from collections.abc import Callable

import pytest

from explorer.analysis import prediction
from explorer.views.elmo.presets import BILM
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

DEFAULTS = defaults("elmo")

SENTENCES = siblings("elmo")
BOTH, OPINIONS, ONE_SIDE = BILM[:3]
Guesses = list[tuple[str, float]]


def own(preset) -> list:
    """A preset's own sentence and place."""
    values = DEFAULTS | preset.values
    return [values["text"], values["place"]]


def asked(text: str, place: int) -> tuple[Guesses, Guesses]:
    """The ten words from either side, with their probabilities."""
    elmo = model("elmo")
    found = prediction.sides(elmo, text, place)
    left, right = (
        [(c.token, c.probability) for c in prediction.words_of(elmo, p, 10)] if len(p) else []
        for p in (found.left, found.right)
    )
    return left, right


def both_know(text: str, place: int, word: str) -> bool:
    """The word is among the ten of either side."""
    return all(word in [guess for guess, _ in side] for side in asked(text, place))


def left_knows(text: str, place: int, word: str) -> bool:
    """By far the most probable from the left; from the right no word stands out."""
    left, right = asked(text, place)
    return left[0][0] == word and left[0][1] > 2 * left[1][1] and right[0][1] < 0.2


def other_words(text: str, place: int) -> bool:
    """None of the left reader's first three words is among the right reader's ten."""
    left, right = ([word.lower() for word, _ in side] for side in asked(text, place))
    return not set(left[:3]) & set(right)


POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    BOTH.label: (both_know, [*own(BOTH), "side"]),
    ONE_SIDE.label: (left_knows, [*own(ONE_SIDE), "States"]),
    OPINIONS.label: (other_words, own(OPINIONS)),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    holds, own = POINTS[label]
    seven_of_ten(holds, [own, *SENTENCES[label]])
