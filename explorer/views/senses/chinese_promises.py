"""Word senses in Chinese: presets for a model that reads it, unlisted until such a model is bundled."""

from functools import cache
from typing import Any

from explorer import assets
from explorer.assets import SENSES_ZH
from explorer.views.frame.chinese import MODEL
from explorer.views.frame.page import Preset
from explorer.views.senses.presets import ALL, FEW, chosen


def sentences(name: str, kind: str = FEW) -> str:
    """Our own sentences for a Chinese word, by its file's name: a few, all, or the minimal pairs."""
    folder = SENSES_ZH / "rare" if _index()[name].get("rare") else SENSES_ZH
    return chosen(assets.text(folder / f"{name}.txt").splitlines(), kind)


@cache
def _index() -> dict[str, Any]:
    return assets.data(SENSES_ZH / "words.json")


def preset_of(name: str, kind: str = FEW) -> dict[str, str]:
    """A preset's settings for a word: the model, how it is written, the sentences."""
    return {
        "model": MODEL,
        "word": "/".join(_index()[name]["forms"]),
        "text": sentences(name, kind),
        "kind": kind,
    }


PRESETS = [
    Preset(
        "Hit, call, play, fetch",
        "打 has four senses here. The dots lie nearest to their own more often than chance would have it.",
        preset_of("da"),
    ),
    Preset(
        "The first layer, in Chinese",
        "Before any context is read, every 打 has nearly the same vector; only its position differs.",
        preset_of("da") | {"layer": 0},
    ),
    Preset(
        "Apples in two scripts",
        "The fruit and the company, 蘋果 and 苹果: is it the sense or the script that brings dots together?",
        preset_of("pingguo", ALL),
    ),
    Preset(
        "Nero",
        "尼祿 is an emperor, and a character in a game. The training text has the name six times: this is "
        "what comes out.",
        preset_of("nilu", ALL),
    ),
    Preset(
        "The Kaga",
        "加賀號 is an aircraft carrier, and a girl in cartoons who is named after it. The training text has "
        "it eight times: this is what comes out.",
        preset_of("jiahehao", ALL),
    ),
]
