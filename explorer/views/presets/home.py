"""The start page: one sentence with a blank, and three more."""

from explorer.views.frame import Preset

DEFAULTS = {"text": "The fisherman sat on the [MASK] of the river and waited."}

PRESETS = [
    Preset(
        "Water",
        "The words around a blank decide what fits: by a river, a fisherman sits on its bank.",
        {},
    ),
    Preset(
        "Money",
        "Change the words around it, and other guesses come up.",
        {"text": "She took her savings out of the [MASK] and bought a boat."},
    ),
    Preset(
        "Grammar",
        "The keys are plural, and the verb agrees with them, not with the nearer cabinet.",
        {"text": "The keys to the cabinet [MASK] on the kitchen table."},
    ),
]
