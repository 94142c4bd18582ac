"""Masked words in Chinese: presets that promise something of the bundled model.

Each has nine siblings in `tests/siblings/chinese.json`, written before any Chinese model was tried.
"""

from explorer.assets import CHINESE
from explorer.views.frame.presets import Preset

TROUSERS = "潮水退了，就知道誰沒穿褲子。"
UNIVERSITY = "她在大[MASK]讀書。"
STUDENTS = ("我[MASK]都是學生。", "我[MASK]都是学生。")
BORN, LEFT_HOME = "他出生於一個農民家庭。", "十八歲時離開家鄉，到城裡讀書。"
BIRD = "這種鳥住在熱帶的森林裡。"

PREDICT = [
    Preset(
        "Half of a word",
        "One character of 大學, university, is hidden. The right one is among the first two guesses.",
        {"text": UNIVERSITY, "words": ["學"]},
    ),
    Preset(
        "Two scripts",
        "The same sentence in traditional and in simplified characters: 們 fills the one, 们 the other.",
        {"text": STUDENTS[0], "pinned": STUDENTS[1], "probe": "們, 们", "words": ["們"]},
    ),
]
TRAINING = [
    Preset(
        "A token a character",
        "Nothing marks where a Chinese word ends, so every character is a token, and half of 褲子, trousers, "
        "may be masked while the other half is beside it.",
        {"sentence": TROUSERS},
    ),
]
NEXT = [
    Preset(
        "From an encyclopaedia",
        "After “he was born into a family of farmers”, that he left home at eighteen follows better than "
        "that a bird lives in tropical forests.",
        {"first": BORN, "seconds": f"{LEFT_HOME}\n{BIRD}"},
    ),
]


def _of(view: str, presets: list[Preset]) -> list[Preset]:
    return [Preset(p.label, p.point, {"view": view, "model": CHINESE, **p.values}, "zh") for p in presets]


BY_VIEW = {
    "predict": _of("predict", PREDICT),
    "training": _of("training", TRAINING),
    "next": _of("next", NEXT),
}
