"""Real or replaced?: with nine siblings, each preset's point holds for seven of ten."""

import pytest

import explorer
from explorer.analysis.prediction import judging
from explorer.views.masked.own_words import OURS
from explorer.views.masked.replaced import VIEW
from explorer.views.masked.replaced_presets import TEA
from explorer.views.masked.settings import READ
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

SENTENCES = siblings("replaced")
(GATE,) = OURS  # the number of the word that is replaced in the opening sentence


@pytest.fixture(autouse=True)
def weights():
    if VIEW.model not in map(str, explorer.available()):
        pytest.skip(f"no {VIEW.model} is bundled")


def suspicion(text: str) -> dict[str, float]:
    """How probable “replaced” is for each word of a text; of its pieces the most suspect one counts."""
    judged = judging.replaced(model(VIEW.model), text)
    found: dict[str, float] = {}
    for at, probability in enumerate(judged.probabilities.tolist()):
        if judged.encoding.special[at]:
            continue
        start, end = judged.encoding.spans[at]
        left = text.rfind(" ", 0, start + 1) + 1
        right = text.find(" ", end)
        word = text[left : right if right >= 0 else len(text)].strip(".")
        found[word] = max(found.get(word, 0.0), probability)
    return found


def noticed(text: str, word: str, odd: str) -> bool:
    """The odd word is called replaced."""
    return suspicion(text.replace(word, odd))[odd] > 0.5


def missed(text: str, word: str, odd: str) -> bool:
    """The odd word passes: it is not called replaced."""
    return suspicion(text.replace(word, odd))[odd] < 0.5


POINTS = {
    "Which is it?": (noticed, [READ.default, READ.default.split()[GATE], OURS[GATE]]),
    "A cup of sand": (missed, [TEA, "tea", "sand"]),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    holds, own = POINTS[label]
    seven_of_ten(holds, [own, *SENTENCES[label]])
