"""The words of a text for a search or a count, also where no spaces stand between words."""

import re
from itertools import pairwise

import regex

from explorer.text.letters import WORD, has_letters, has_unspaced, is_hangul, joined_at

_WORD = regex.compile(WORD)


def words(text: str) -> list[str]:
    """The words of a text; in a script without spaces, each character, and each pair of neighbours.

    A character has its marks with it. Korean is read so too, since particles are written on to its words.
    On our own lines in five languages a question finds more of its words by pairs than by the dictionaries of
    ICU and of five smaller packages.

    >>> words("It’s a ferry"), words("去银行"), words("น้ำลึก")
    (['It', 's', 'a', 'ferry'], ['去', '银', '行', '去银', '银行'], ['น้ำ', 'ลึ', 'ก', 'น้ำลึ', 'ลึก'])
    """
    return [word for run in _runs(text) for word in (run if len(run) == 1 else [*run, *_pairs(run)])]


def words_sought(text: str) -> list[str]:
    """The words that a question asks for: of a run without spaces the pairs, or its only character.

    >>> words_sought("The 银行?"), words_sought("河")
    (['The', '银行'], ['河'])
    """
    return [word for run in _runs(text) for word in (run if len(run) == 1 else _pairs(run))]


def word_starts(text: str) -> list[int]:
    """Where the words of a text begin, with the signs before them; without spaces, each character.

    >>> word_starts("We sat."), word_starts("河，很深")
    ([0, 3], [0, 2, 3])
    """
    starts = []
    for match in re.finditer(r"\S+", text):
        starts.append(match.start())
        if has_unspaced(match[0]):
            inside = range(match.start() + 1, match.end())
            starts += [i for i in inside if has_letters(text[i]) and not joined_at(text, i)]
    return starts


def _runs(text: str) -> list[list[str]]:
    """Each word on its own, and the characters of each run without spaces."""
    runs: list[list[str]] = []
    for word in _WORD.findall(text):
        if word.isascii() or not _is_unspaced(word):
            runs.append([word])
            continue
        starts = [i for i in range(len(word)) if not i or is_hangul(word[i]) or not joined_at(word, i)]
        was_unspaced = False
        for start, end in zip(starts, [*starts[1:], len(word)], strict=True):
            unspaced = _is_unspaced(word[start:end])
            if unspaced and was_unspaced:
                runs[-1].append(word[start:end])
            else:
                runs.append([word[start:end]])
            was_unspaced = unspaced
    return runs


def _is_unspaced(word: str) -> bool:
    return has_unspaced(word) or any(map(is_hangul, word))


def _pairs(run: list[str]) -> list[str]:
    return [first + second for first, second in pairwise(run)]
