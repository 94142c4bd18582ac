"""Chinese presets for “Find a head”; tests check what they say about the bundled model."""

from explorer.assets import CHINESE
from explorer.views.frame.page import Preset
from explorer.views.heads.chinese_presets import BRIDGE

PUPILS = "老師在教室裡教學生寫漢字。"

FIND = [
    Preset(
        "The same character again",
        "Two arcs, from the second 橋, bridge, and the second 車, car, to the first. The head that is best "
        "at them gives them a quarter of its attention, and is among the two best in sentences like it.",
        {"text": BRIDGE, "arcs": [[8, 2], [12, 0]]},
    ),
    Preset(
        "Inside a word",
        "From each word’s second character to its first. The best head looks one character back everywhere, "
        "so that beyond distance nothing is left.",
        {"text": PUPILS, "arcs": [[1, 0], [4, 3], [8, 7], [11, 10]]},
    ),
]
FIND = [
    Preset(preset.label, preset.point, {"view": "find", "model": CHINESE, **preset.values}, "zh")
    for preset in FIND
]
