"""Our own sentences for ambiguous Chinese words, in both scripts (see `assets/senses/zh/README.md`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from explorer import assets
from explorer.analysis.senses.occurrences import Sentence, read_sentences
from explorer.analysis.senses.occurrences import find as find_spelt
from explorer.assets import SENSES_ZH
from explorer.errors import TextError

INDEX = "words.json"
RARE = "rare"  # the folder of names that a small training text hardly has
TRADITIONAL, SIMPLIFIED = "traditional", "simplified"
_CHARACTER_SETS = {"big5": TRADITIONAL, "gb2312": SIMPLIFIED}  # everyday characters, one script each


@dataclass(frozen=True)
class ChineseWord:
    """A word in both scripts, and what it and its senses mean, in English.

    `name` is that of its file. `forms` has the traditional form first; one where both are the same.
    `only` names the script of all its sentences where the other would tell the sense by its spelling.

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
    """The words that have sentences of our own, or instead the rare names, in the order of their files.

    >>> [one.name for one in words(rare=True)]
    ['jiahehao', 'nilu']
    """
    return [one for one in _index().values() if one.rare == rare]


def word(name: str) -> ChineseWord:
    """A word by its file's name or by one of its forms. Raises TextError for one that has no sentences.

    >>> word("开关") == word("開關") == word("kaiguan")
    True
    """
    found = _index().get(name) or next((one for one in _index().values() if name in one.forms), None)
    if found is None:
        known = ", ".join(one.forms[0] for one in _index().values())
        raise TextError(f"There are no sentences for “{name}”.", f"There are: {known}.")
    return found


def sentences(of: ChineseWord) -> list[Sentence]:
    """Our own sentences for a word, each with its sense.

    >>> sentences(word("huo"))[0].text
    '森林裡的火燒了三天才撲滅。'
    """
    return read_sentences(assets.text(file(of)))


def file(of: ChineseWord) -> Path:
    """Where a word's sentences lie."""
    return (SENSES_ZH / RARE if of.rare else SENSES_ZH) / f"{of.name}.txt"


def find(text: str, of: ChineseWord) -> list[tuple[int, int]]:
    """The character spans of a word in a text, in either script.

    >>> find("這個開關壞了。", word("kaiguan")), find("这扇窗户开关起来很费力。", word("kaiguan"))
    ([(2, 4)], [(4, 6)])
    """
    return find_spelt(text, of.spelling)


def script(text: str) -> str | None:
    """The script whose everyday characters a text is written in, where it is not the other's as well.

    Told by two national character sets, which have one script each: Big5 and GB 2312. None for what
    both can write, and for a mixture, which neither can.

    >>> script("這裡有馬"), script("这里有马"), script("小米"), script("這里有马")
    ('traditional', 'simplified', None, None)
    """
    able = [name for encoding, name in _CHARACTER_SETS.items() if _writes(encoding, text)]
    return able[0] if len(able) == 1 else None


def _writes(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _index() -> dict[str, ChineseWord]:
    stored: dict[str, dict[str, Any]] = assets.data(SENSES_ZH / INDEX)
    return {
        name: ChineseWord(
            name,
            tuple(one["forms"]),
            one["pinyin"],
            one["gloss"],
            one["senses"],
            one.get("rare", False),
            one.get("only"),
        )
        for name, one in sorted(stored.items())
    }
