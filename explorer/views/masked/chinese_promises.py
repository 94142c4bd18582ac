"""Masked words in Chinese: presets for a model that reads it, unlisted until such a model is bundled.

Each stands with nine siblings in `tests/siblings/chinese.json`, written before any Chinese model was tried.
"""

from explorer.views.frame.chinese import MODEL
from explorer.views.frame.page import Preset

TROUSERS = "潮水退了，就知道誰沒穿褲子。"
STUDENTS = ("我[MASK]都是學生。", "我[MASK]都是学生。")
CALL, COFFEE = "他[MASK]了一通電話。", "他[MASK]了一杯咖啡。"
BORN, LEFT_HOME = "他出生於一個農民家庭。", "十八歲時離開家鄉，到城裡讀書。"
BIRD = "這種鳥住在熱帶的森林裡。"

PREDICT = [
    Preset(
        "Without trousers",
        "When the tide goes out, one sees who wore no trousers. Trousers, 褲子, are enough to ask for 穿, to "
        "wear.",
        {"text": TROUSERS.replace("穿", "[MASK]"), "words": ["穿"]},
    ),
    Preset(
        "Half a word",
        "The blank is the second character of 褲子, trousers. Half of a word gives away the other half.",
        {"text": TROUSERS.replace("子", "[MASK]"), "words": ["子"]},
    ),
    Preset(
        "Two blanks, one place",
        "ERNIE’s example, “he goes to university in …”. Each blank is guessed by itself; together the first "
        "guesses name a place.",
        {"text": "他在[MASK][MASK]上大學。", "words": ["北", "京"]},
    ),
    Preset(
        "Two scripts",
        "The same sentence in traditional and in simplified characters: 們 fills the one, 们 the other.",
        {"text": STUDENTS[0], "pinned": STUDENTS[1], "probe": "們, 们", "words": ["們"]},
    ),
    Preset(
        "Measure words",
        "“On the table is a … book”: the noun after the blank chooses the measure word, 本 for books.",
        {"text": "桌上有一[MASK]書。", "words": ["本"]},
    ),
    Preset(
        "A capital",
        "“The capital of France is Par…”: 黎 completes the name.",
        {"text": "法國的首都是巴[MASK]。", "words": ["黎"]},
    ),
    Preset(
        "A call or a coffee",
        "What comes after the blank decides: 打 makes a telephone call, 喝 drinks a coffee.",
        {"text": CALL, "pinned": COFFEE, "probe": "打, 喝", "words": ["打"]},
    ),
]
TRAINING = [
    Preset(
        "A token a character",
        "Nothing marks where a Chinese word ends, so every character is a token, and half of 褲子, trousers, "
        "may be masked while the other half stands beside it.",
        {"sentence": TROUSERS},
    ),
    Preset(
        "Wake up",
        "After “wake up”, 你沒有妹妹, “you have no little sister”, follows better than "
        "眼睛業障重, “bad karma in your eyes”.",
        {"task": "next", "first": "醒醒吧", "seconds": "你沒有妹妹\n眼睛業障重"},
    ),
    Preset(
        "From an encyclopaedia",
        "“He was born on a farm”: that he left home at eighteen follows better than a bird of the rain "
        "forest.",
        {"task": "next", "first": BORN, "seconds": f"{LEFT_HOME}\n{BIRD}"},
    ),
]


def _of(view: str, presets: list[Preset]) -> list[Preset]:
    return [Preset(p.label, p.point, {"view": view, "model": MODEL, **p.values}) for p in presets]


BY_VIEW = {"predict": _of("predict", PREDICT), "training": _of("training", TRAINING)}
