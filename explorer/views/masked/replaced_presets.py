"""Real or replaced?: what the view opens with, and presets that each make one point."""

from typing import Any

from explorer.views.frame.page import Preset
from explorer.views.frame.values import WORD, Text
from explorer.views.masked import presets

SETTINGS: dict[str, Any] = presets.settings("seed") | {
    "read": "She opened the gate and let the horses into the field.",
    "who": "generator",
    "shown": False,
    "guessed": [],  # tokens that the class suspects, by their position
    "hidden": [],  # tokens that are hidden from the generator, where a visitor says which
    "own": [],  # [number of a word, what the visitor put in its place]
    "place": -1,  # the word that is chosen; -1: none
    "typed": Text("", WORD),
}
TEA = "She drank a cup of hot tea in the kitchen."
KEYS = "The keys to the cabinet are on the table."

PRESETS = [
    Preset(
        "Which is it?",
        "The class reads a sentence in which a small network has replaced words, names its suspects, and "
        "presses Reveal.",
        {},
    ),
    Preset(
        "Every token teaches",
        "From one sentence the masked-word objective learns at a few tokens, ELECTRA’s at every one.",
        {"shown": True},
    ),
    Preset(
        "A cup of sand",
        "Sand in place of tea: of all words in the sentence it is suspected most. Then type coffee, which "
        "fits: it is suspected less than sand.",
        {"who": "you", "read": TEA, "own": [[6, "sand"]], "place": 6, "typed": "sand"},
    ),
    Preset(
        "Is for are",
        "Is in place of are does not agree with keys: it is suspected more than are.",
        {"who": "you", "read": KEYS, "own": [[5, "is"]], "place": 5, "typed": "is"},
    ),
]
PRESETS = [Preset(one.label, one.point, {"view": "replaced", **one.values}) for one in PRESETS]
