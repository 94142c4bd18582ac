"""Our sentences for ambiguous words: those with which the page Word senses opens, and the library."""

from collections.abc import Collection
from pathlib import Path

from explorer import assets
from explorer.assets import SENSES, SENSES_ZH, read_once
from explorer.locale import N_

A_SENSE = 4  # sentences of each sense, as KINDS says: a map of a dozen dots is read at a glance
FEW_OCCURRENCES = 60  # of a word in a visitor’s own text, at first
FEW, ALL, PAIRS = "few", "all", "pairs"
KINDS = {FEW: N_("4 a sense"), ALL: N_("All"), PAIRS: N_("Only minimal pairs")}


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


@read_once
def senses_of(word: str) -> list[str]:
    """The senses in our sentences for a word, in order of appearance."""
    tags = (line.partition(" ~")[0].rpartition("#")[2] for line in _lines(word))
    return list(dict.fromkeys(tags))


def _lines(word: str) -> list[str]:
    path = _chinese().get(word, SENSES / f"{word}.txt")
    return assets.text(path).splitlines()


@read_once
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
