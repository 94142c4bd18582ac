"""Word senses in Chinese: presets for a model that reads it, unlisted until such a model is bundled."""

from explorer.analysis.senses import chinese_words
from explorer.analysis.senses.chinese import BUNDLED
from explorer.analysis.senses.occurrences import write_sentences
from explorer.views.frame.page import Preset
from explorer.views.senses.presets import ALL, FEW, chosen


def sentences(name: str, kind: str = FEW) -> str:
    """Our own sentences for a Chinese word, by its file's name: a few, all, or the minimal pairs."""
    known = chinese_words.sentences(chinese_words.word(name))
    return chosen(write_sentences(known).splitlines(), kind)


def _of(name: str, kind: str = FEW) -> dict[str, str]:
    return {
        "model": BUNDLED,
        "word": chinese_words.spelling(name),
        "text": sentences(name, kind),
        "kind": kind,
    }


PRESETS = [
    Preset(
        "Hit, call, play, fetch",
        "打 has four senses here. The dots lie nearest to their own more often than chance would have it.",
        _of("da"),
    ),
    Preset(
        "The first layer, in Chinese",
        "Before any context is read, every 打 has nearly the same vector; only its position differs.",
        _of("da") | {"layer": 0},
    ),
    Preset(
        "Apples in two scripts",
        "The fruit and the company, 蘋果 and 苹果: is it the sense or the script that brings dots together?",
        _of("pingguo", ALL),
    ),
    Preset(
        "Nero",
        "尼祿 is an emperor, and the character of a game. The training text has the name six times: this is "
        "what comes out.",
        _of("nilu", ALL),
    ),
    Preset(
        "The Kaga",
        "加賀號 is an aircraft carrier, and a girl in cartoons who is named after it. The training text has "
        "it eight times: this is what comes out.",
        _of("jiahehao", ALL),
    ),
]
