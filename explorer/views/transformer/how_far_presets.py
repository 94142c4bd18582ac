"""The sentences in which the view “How far back” changes words."""

from typing import Any

from explorer.views.frame.page import Preset
from explorer.views.frame.values import Text, Whole

LAST = 0  # the watched place until a word is clicked: the last one that is no mark
WALK = (
    "When the rain had stopped, the children ran down to the river and looked for the boat that their "
    "father had tied to the old tree."
)
TWINS = "Our boat waits at the bridge, but the bridge is too low for the boat."
DEFAULTS: dict[str, Any] = {"far_text": Text(WALK, most=2_000), "far_place": Whole(LAST, least=0, most=2_000)}
PRESETS = [
    Preset(
        "A long sentence",
        "Three places back, another word moves both states less than half as far as at the place itself.",
        {},
    ),
    Preset(
        "The same word again",
        "At the second “boat” GPT looks for the first: another word there moves its state farther than the "
        "words beside it do.",
        {"far_text": TWINS},
    ),
]
PRESETS = [Preset(one.label, one.point, {"view": "far"} | one.values) for one in PRESETS]
