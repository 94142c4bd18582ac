"""The sentences in which the view “How far back” changes words."""

from explorer.views.frame.page import Preset

LAST = 0  # the watched place until a word is clicked: the last one that is no mark
WALK = (
    "When the rain had stopped, the children ran down to the river and looked for the boat that their "
    "father had tied to the old tree."
)
TWINS = "Our boat waits at the bridge, but the bridge is too low for the boat to pass."
SECOND_BOAT = 16  # counted from 1
PRESETS = [
    Preset(
        "The words just before",
        "Both states move farther for the three words just before than for those farther back, on average.",
        {"view": "far"},
    ),
    Preset(
        "What came after it",
        "At the second “boat” GPT looks up what followed the first: another word there moves it farther "
        "than another word in place of the first “boat”.",
        {"view": "far", "far_text": TWINS, "far_place": SECOND_BOAT},
    ),
]
