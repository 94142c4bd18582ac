"""Masked words' presets: with nine siblings, the point holds for seven of ten."""

import pytest

from explorer.views.masked.presets import BY_VIEW
from tests.siblings import seven_of_ten, siblings
from tests.siblings.guesses import beats, by_what_follows, each_its_own, first
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

SENTENCES = siblings("masked")
OWN = {p.label: p.values.get("text", DEFAULTS["text"]) for p in BY_VIEW["predict"]}
GALLON = [BY_VIEW["predict"][3].values[name] for name in ("text", "pinned")]
POINTS = {
    "By helicopter": (first, [OWN["By helicopter"], "hospital"]),
    "Grammar": (beats, [OWN["Grammar"], "are>is"]),
    "Two contexts": (each_its_own, [OWN["Two contexts"], "farm", "sea"]),
    "A gallon of milk": (by_what_follows, [*GALLON, "store", "hospital"]),
}


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    holds, own = POINTS[label]
    seven_of_ten(holds, [own, *SENTENCES[label]])
