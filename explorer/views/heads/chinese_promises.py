"""Find a head, in Chinese: presets for a model that reads it, unlisted until such a model is bundled."""

from explorer.views.frame.chinese import MODEL
from explorer.views.frame.page import Preset

BRIDGE = "車在橋邊等，可是橋太低，車過不去。"
PUPILS = "老師在教室裡教學生寫漢字。"

FIND = [
    Preset(
        "The same character again",
        "Two arcs, from the second 橋, bridge, and the second 車, car, to the first: one head looks for the "
        "same character.",
        {"text": BRIDGE, "arcs": [[8, 2], [12, 0]]},
    ),
    Preset(
        "Inside a word",
        "From each word’s second character to its first. The best head looks one character back everywhere, "
        "so that beyond distance nothing is left.",
        {"text": PUPILS, "arcs": [[1, 0], [4, 3], [8, 7], [11, 10]]},
    ),
]
FIND = [Preset(one.label, one.point, {"view": "find", "model": MODEL, **one.values}) for one in FIND]
