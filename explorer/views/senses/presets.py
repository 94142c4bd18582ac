"""Our sentences for ambiguous words, and the presets of the word senses page's map."""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from explorer import assets
from explorer.assets import SENSES, SENSES_ZH
from explorer.views.frame.presets import Preset

A_SENSE = 4  # sentences of each sense: a map of a dozen dots is read at a glance
FEW_OCCURRENCES = 60  # of a word in a visitor’s own text, at first
FEW, ALL, PAIRS = "few", "all", "pairs"
KINDS = {FEW: f"{A_SENSE} a sense", ALL: "All", PAIRS: "Only minimal pairs"}


def sentences(word: str, kind: str = FEW) -> str:
    """Our own sentences for a word, one a line, tagged with their sense: a few, all, or the minimal pairs.

    Minimal pairs share most of their words and differ in sense; ` ~1` marks those of one group.
    """
    return chosen(_lines(word), kind)


def chosen(lines: list[str], kind: str) -> str:
    """Some of a word's tagged sentences: the first few of each sense, all, or the minimal pairs."""
    if kind == ALL:
        return "\n".join(lines)
    if kind == PAIRS:
        return "\n".join(sorted((line for line in lines if " ~" in line), key=_pair))
    plain = [line.partition(" ~")[0] for line in lines]
    senses = [line.rpartition("#")[2] for line in plain]
    return "\n".join(line for i, line in enumerate(plain) if senses[:i].count(senses[i]) < A_SENSE)


def library(languages: Collection[str] = ("en",)) -> dict[str, list[str]]:
    """The words of some languages that have sentences of our own, and the senses of each.

    English words come in alphabetical order; a Chinese one has its two forms with a slash between.
    """
    words = [path.stem for path in sorted(SENSES.glob("*.txt"))] if "en" in languages else []
    return {word: senses_of(word) for word in [*words, *(_chinese() if "zh" in languages else [])]}


@cache
def senses_of(word: str) -> list[str]:
    """The senses in our sentences for a word, in order of appearance."""
    tags = (line.partition(" ~")[0].rpartition("#")[2] for line in _lines(word))
    return list(dict.fromkeys(tags))


def _lines(word: str) -> list[str]:
    path = _chinese().get(word, SENSES / f"{word}.txt")
    return assets.text(path).splitlines()


@cache
def _chinese() -> dict[str, Path]:
    """The files of the Chinese words; the names that small models hardly know come last.

    Reads the list itself, since the imports of `explorer.analysis.senses.chinese_words` are slow.
    """
    listed = assets.data(SENSES_ZH / "words.json")
    places = {False: SENSES_ZH, True: SENSES_ZH / "rare"}
    ranked = sorted(listed.items(), key=lambda item: (item[1].get("rare", False), item[0]))
    return {"/".join(one["forms"]): places[one.get("rare", False)] / f"{name}.txt" for name, one in ranked}


def _pair(line: str) -> int:
    return int(line.rpartition("~")[2])


PUZZLE = "On his way to the bank he counted the boats."

# Five of a lecture's kind: the word before “bank” says which one it is.
FIVE = """\
She put all her money in the bank. #money
He took some money out of the bank. #money
We had a picnic on the river bank. #river
The children played on the river bank. #river
The clinic has its own blood bank. #blood"""

# Presets of a new sentence on the map.
BLOOD = "Platelets keep for barely a week, so the bank never has many."
BETWEEN = "She walked along the bank to the manager's office."
SKIT = "Let's stick to improvisation in this skit."


def _all(word: str, *senses: str) -> str:
    """All our sentences of these senses, without the minimal pairs and the new sentence."""
    lines = [line for line in sentences(word, ALL).splitlines() if "~" not in line]
    return "\n".join(line for line in lines if line.rpartition("#")[2] in senses and BLOOD not in line)


PRESETS = [
    Preset(
        "Bank",
        "Two kinds of bank lie in two places, and the blood bank in a third. Nobody told the model which is "
        "which.",
        {},
    ),
    Preset(
        "Before the first layer",
        "Before any context is read, every “bank” has nearly the same vector. Only its position differs.",
        {"layer": 0},
    ),
    Preset(
        "A puzzle",
        "Twelve other sentences, and one that could be either: money and river are both among its nearest "
        "neighbours.",
        {"locked": f"{PUZZLE.index('bank')}:{PUZZLE}"},
    ),
    Preset(
        "Not in WordNet",
        "WordNet lists the fruit and the tree. Half of our sentences are about the company, which it lacks.",
        {"word": "apple", "text": sentences("apple"), "wordnet": True},
    ),
    Preset(
        "A third sense?",
        "With only money and river on the map, one of them must be nearest. But this dot lies farther out "
        "than all of that sense, which gives it away. Few other blood banks do.",
        {"kind": ALL, "text": _all("bank", "money", "river"), "new": BLOOD},
    ),
    Preset(
        "With blood on the map",
        "Once other blood banks are on the map, the dot lies among them.",
        {"kind": ALL, "text": _all("bank", "money", "river", "blood"), "new": BLOOD},
    ),
    Preset(
        "Between the two",
        "A walk along the bank to the manager’s office: the nearest sense is ahead by less than usual.",
        {"kind": ALL, "text": _all("bank", "money", "river"), "new": BETWEEN},
    ),
    Preset(
        "Let’s stick to improvisation",
        "Nobody uses glue here, yet this “stick” is nearer to gluing than to a piece of wood.",
        {"kind": ALL, "word": "stick", "text": _all("stick", "wood", "glue"), "new": SKIT},
    ),
    Preset(
        "Apple in Chinese",
        "蘋果 is the fruit and the company. A word of two characters has two tokens; its dot is their mean.",
        {"word": "蘋果/苹果", "text": sentences("蘋果/苹果")},
        "zh",
    ),
    Preset(
        "To hit, to call, to play",
        "打 is one character with many uses. Does the model keep them apart?",
        {"word": "打", "text": sentences("打")},
        "zh",
    ),
    Preset(
        "Nero",
        "The emperor and the character in a game. The training text has the name fewer than ten times.",
        {"word": "尼祿/尼禄", "text": sentences("尼祿/尼禄")},
        "zh",
    ),
    Preset(
        "The Kaga",
        "The aircraft carrier and the girl who is named after it: another name that the model hardly knows.",
        {"word": "加賀號/加贺号", "text": sentences("加賀號/加贺号")},
        "zh",
    ),
    Preset(
        "A phone is mended",
        "He has his phone mended in the 蘋果 shop. Which sense does the new dot lie nearest to?",
        {
            "word": "蘋果/苹果",
            "text": sentences("蘋果/苹果"),
            "new": "他把手機拿到蘋果店裡修理。",
        },
        "zh",
    ),
]
