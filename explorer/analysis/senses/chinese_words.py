"""Our own sentences for ambiguous Chinese words, in both scripts (see `assets/senses/zh/README.md`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from explorer import assets
from explorer.analysis.senses.occurrences import Sentence, read_sentences
from explorer.analysis.senses.occurrences import find as find_spelling
from explorer.assets import SENSES_ZH
from explorer.errors import TextError

INDEX = "words.json"
RARE = "rare"  # the folder of names that hardly occur in a small training text


@dataclass(frozen=True)
class ChineseWord:
    """A word in both scripts, and what it and its senses mean, in English.

    `name` is that of its file. `forms` has the traditional form first, or a single form if both are the same.
    `only` names the script of all its sentences, if the spelling in the other script would give the sense
    away.

    >>> word("pingguo").forms, list(word("pingguo").senses)
    (('蘋果', '苹果'), ['fruit', 'company'])
    """

    name: str
    forms: tuple[str, ...]
    pinyin: str
    gloss: str
    senses: Mapping[str, str]
    rare: bool = False
    only: str | None = None

    @property
    def spelling(self) -> str:
        """Both forms with a slash between, as `occurrences.find` takes a word."""
        return "/".join(self.forms)


def words(rare: bool = False) -> list[ChineseWord]:
    """The words that have sentences of our own, or else the rare names, in the order of their files."""
    return [entry for entry in _index().values() if entry.rare == rare]


def word(name: str) -> ChineseWord:
    """A word by its file's name or by one of its forms. Raises TextError for one that has no sentences.

    >>> word("开关") == word("開關") == word("kaiguan")
    True
    """
    entry = _index().get(name) or next((e for e in _index().values() if name in e.forms), None)
    if entry is None:
        names = ", ".join(e.forms[0] for e in _index().values())
        raise TextError(f"There are no sentences for “{name}”.", f"There are: {names}.")
    return entry


def sentences(word: ChineseWord) -> list[Sentence]:
    """Our own sentences for a word, each with its sense."""
    return read_sentences(assets.text(file(word)))


def file(word: ChineseWord) -> Path:
    """The file with a word's sentences."""
    return (SENSES_ZH / RARE if word.rare else SENSES_ZH) / f"{word.name}.txt"


def find(text: str, word: ChineseWord) -> list[tuple[int, int]]:
    """The character spans of a word in a text, in either script."""
    return find_spelling(text, word.spelling)


@cache
def _index() -> dict[str, ChineseWord]:
    stored: dict[str, dict[str, Any]] = assets.data(SENSES_ZH / INDEX)
    return {
        name: ChineseWord(
            name,
            tuple(entry["forms"]),
            entry["pinyin"],
            entry["gloss"],
            entry["senses"],
            entry.get("rare", False),
            entry.get("only"),
        )
        for name, entry in sorted(stored.items())
    }
