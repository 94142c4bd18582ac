"""Chinese presets: with nine siblings, written before there was a Chinese model, each point holds for seven
of ten.
"""

from collections.abc import Callable
from functools import partial

import pytest

from explorer.analysis import heads, prediction
from explorer.analysis.attention.weights import between_words
from explorer.assets import CHINESE
from explorer.views.heads import own_arcs
from explorer.views.heads import presets as heads_presets
from explorer.views.heads.presets import BRIDGE, PUPILS
from explorer.views.masked import chinese_promises
from explorer.views.masked.chinese_promises import (
    BIRD,
    BORN,
    LEFT_HOME,
    NEXT,
    PREDICT,
    STUDENTS,
    TRAINING,
    TROUSERS,
    UNIVERSITY,
)
from tests.chinese_script import SIMPLIFIED, TRADITIONAL, script
from tests.shared_models import model
from tests.siblings import guesses, seven_of_ten, siblings
from tests.views.opening import defaults

SENTENCES = siblings("chinese")
ARCS = [preset for preset in heads_presets.ARCS if preset.language == "zh"]
OVER_DISTANCE = 0.1  # what may be left of attention beyond the mean of its distance


def one_each(text: str) -> bool:
    """Every character is a token."""
    encoding = model(CHINESE).encode(text)
    return [t for t, special in zip(encoding.tokens, encoding.special) if not special] == list(text)


def among_two(text: str, character: str) -> bool:
    """The right character is among the first two guesses."""
    return character in [guess for guess, _ in prediction.fill_mask(model(CHINESE), text, top=2)[0]]


def goes_on(first: str, second: str, other: str) -> bool:
    follows = [prediction.next_sentence(model(CHINESE), first, one) for one in (second, other)]
    return follows[0] > follows[1]


def ranked(text: str, arcs: list[list[int]]):
    _, pattern = between_words(model(CHINESE).trace(text))
    return heads.find(pattern, own_arcs.read_arcs(arcs, pattern.shape[-1])).ranking()


def back_to_the_first(text: str, *twice: str) -> list[list[int]]:
    return [[text.rindex(one), text.index(one)] for one in twice]


def same_head(text: str, *twice: str) -> bool:
    """The head that is best at the preset's own arcs is among the two best here, by more than distance."""
    own, *_ = ranked(BRIDGE, back_to_the_first(BRIDGE, "橋", "車"))
    best = [one for one in ranked(text, back_to_the_first(text, *twice))[:2] if one.margin > 0]
    return (own.layer, own.head) in [(one.layer, one.head) for one in best]


def inside_words(segmented: str) -> list[list[int]]:
    """An arc from the second character of each word of two to its first."""
    arcs, at = [], 0
    for word in segmented.split():
        if len(word) == 2:
            arcs.append([at + 1, at])
        at += len(word)
    return arcs


def one_back(segmented: str) -> bool:
    best, *_ = ranked(segmented.replace(" ", "") + "。", inside_words(segmented))
    return best.attention > 0.5 and abs(best.margin) < OVER_DISTANCE


SEGMENTED = "老師 在 教室 裡 教 學生 寫 漢字"
by_what_follows = partial(guesses.by_what_follows, name=CHINESE)
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    "Half of a word": (among_two, [UNIVERSITY, "學"]),
    "Two scripts": (by_what_follows, [*STUDENTS, "們", "们"]),
    "A token a character": (one_each, TROUSERS),
    "From an encyclopaedia": (goes_on, [BORN, LEFT_HOME, BIRD]),
    "The same character again": (same_head, [BRIDGE, "橋", "車"]),
    "Inside a word": (one_back, SEGMENTED),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    holds, own = POINTS[label]
    seven_of_ten(holds, [own, *SENTENCES[label]])


def test_every_promise_has_nine_siblings():
    assert set(SENTENCES) == set(POINTS) == {p.label for p in (*PREDICT, *TRAINING, *NEXT, *ARCS)}
    for label in POINTS:
        own = POINTS[label][1]
        ten = [one if isinstance(one, str) else one[0] for one in (own, *SENTENCES[label])]
        assert len(ten) == 10 == len(set(ten)), label


def test_the_two_of_a_pair_are_in_two_scripts():
    for one, other, right, left in SENTENCES["Two scripts"]:
        filled = [text.replace("[MASK]", c) for text, c in ((one, right), (other, left))]
        written = [script(text) for text in filled]
        assert written == [TRADITIONAL, SIMPLIFIED], one


def test_arcs_point_at_what_they_are_said_to():
    assert ARCS[0].values["arcs"] == back_to_the_first(BRIDGE, "橋", "車")
    assert ARCS[1].values["arcs"] == inside_words(SEGMENTED)
    assert SEGMENTED.replace(" ", "") + "。" == PUPILS
    for text, *twice in SENTENCES["The same character again"]:
        assert [text.count(one) for one in twice] == [2, 2], text
    for segmented in SENTENCES["Inside a word"]:
        assert len(inside_words(segmented)) >= 3
        assert all(len(word) <= 2 for word in segmented.split()), segmented


def test_a_preset_gives_only_settings_of_its_page():
    of_masked = [preset for presets in chinese_promises.BY_VIEW.values() for preset in presets]
    for known, presets in ((defaults("masked"), of_masked), (defaults("heads"), ARCS)):
        for preset in presets:
            assert set(preset.values) <= set(known), preset.label
            assert preset.values["model"] == CHINESE
