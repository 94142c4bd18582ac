"""The start page's presets: with nine siblings, the point holds for seven of ten."""

from functools import partial

import pytest

from explorer.views.frame.default_models import WRITER
from explorer.views.home.presets import PRESETS
from tests.siblings import seven_of_ten, siblings
from tests.siblings.guesses import among_five, beats, first
from tests.views.opening import defaults

DEFAULTS = defaults("home")

SENTENCES = siblings("home")
OWN = {p.label: p.values.get("text", DEFAULTS["text"]) for p in PRESETS}
POINTS = {
    "Money": (first, [OWN["Money"], "money"]),
    "River": (among_five, [OWN["River"], "river"]),
    "Grammar": (beats, [OWN["Grammar"], "were>was,are>is"]),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    holds, own = POINTS[label]
    seven_of_ten(holds, [own, *SENTENCES[label]])


@pytest.mark.long  # its ten siblings take a minute or more
@pytest.mark.skipif(WRITER != "smollm2", reason="its package is not installed")
@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_smollm2_too(label):
    holds, own = POINTS[label]
    seven_of_ten(partial(holds, name=WRITER), [own, *SENTENCES[label]])


def test_home_opens_on_a_first_guess_that_is_right():
    assert first(DEFAULTS["text"], "money")
