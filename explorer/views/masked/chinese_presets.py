"""Examples in Chinese for the masked-words page; they ask, and promise nothing, since the model is small.

Some are the lecture's own sentences, shown whatever the model makes of them.
"""

from typing import Any

from explorer.views.frame.presets import Preset


def _chinese(label: str, point: str, **values: Any) -> Preset:
    return Preset(label, point, values, "zh")


BY_VIEW = {
    "predict": [
        _chinese(
            "When the tide is out",
            "A proverb with one character hidden: only when the tide goes out does one see who wears no "
            "trousers. 褲子, trousers, has two characters, and each is a token. The bundled model does not "
            "know the proverb.",
            text="潮水退了就知道誰沒穿[MASK]子。",
            words=["褲"],
        ),
        _chinese(
            "Two halves of a word",
            "Two blanks are two guesses, and neither knows of the other: together they need not make a word. "
            "ERNIE was trained with whole words hidden for that reason.",
            text="他在[MASK][MASK]上大學。",
            words=["", ""],
        ),
    ],
    "sets": [
        _chinese(
            "他 or 她",
            "He and she sound alike in Chinese and are written differently. Which does the model expect "
            "after each word?",
            template="這位[SLOT]說[MASK]今天會遲到。",
            fillers="醫生, 護士, 老師, 軍人, 工程師, 祕書, 農夫, 舞者, 律師, 司機",
            one="他",
            other="她",
        ),
    ],
    "next": [
        _chinese(
            "Wake up",
            "Does “you have no little sister” follow “wake up”? The model has read an "
            "encyclopaedia and hardly any talk.",
            first="醒醒吧。",
            seconds="你沒有妹妹。\n眼睛業障重。\n今天的天氣很好。\n他在大學教物理。",
        ),
    ],
    "write": [
        _chinese(
            "Seven characters",
            "Press Write: each blank is one character, and the order in which they are filled changes the "
            "sentence.",
            frame="每天早上，老人[MASK]。",
        ),
    ],
}
