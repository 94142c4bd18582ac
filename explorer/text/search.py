"""Whole words in a text, in any spelling."""

import re
from functools import lru_cache
from operator import itemgetter

from explorer.locale import _
from explorer.text.folding import fold, fold_with_places
from explorer.text.letters import has_unspaced, is_hangul, joined_at


class WordSearch:
    """Finds whole words in a text; spellings with the same folded form match.

    In a script without spaces a word is found wherever its characters occur, and a Korean
    one at the beginning of a word, since particles are attached to it. Of two overlapping words the first
    is found, of two with the same start the one named first.
    """

    def __init__(self, *words: str) -> None:
        self.forms = [form for form in map(fold, words) if form]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The characters of each occurrence, in order."""
        if text.isascii():
            return self._places(text.lower())
        folded = fold(text)
        if not any(_next(folded, form, 0)[0] >= 0 for form in self.forms):
            return []
        folded, starts, ends = fold_with_places(text, folded)
        return [(starts[start], ends[end - 1]) for start, end in self._places(folded)]

    def _places(self, folded: str) -> list[tuple[int, int]]:
        if len(self.forms) == 1:
            return _places(folded, self.forms[0])
        apart: list[tuple[int, int]] = []
        for start, end in sorted(
            (p for form in self.forms for p in _places(folded, form)), key=itemgetter(0)
        ):
            if not apart or start >= apart[-1][1]:
                apart.append((start, end))
        return apart


@lru_cache(maxsize=256)
def search_for(*words: str) -> WordSearch:
    """A search for some words, cached for the next text."""
    return WordSearch(*words)


def note(word: str) -> str:
    """A sentence on how a word is searched for; "" for a script with spaces."""
    if has_unspaced(word):
        return _(
            "This script is written without spaces: "
            "“{word}” is found wherever its characters stand, inside a longer word too.",
            word=word,
        )
    if word and is_hangul(word[-1]):
        return _(
            "Korean particles are written on to a word: “{word}” is found wherever a word begins with it.",
            word=word,
        )
    return ""


def _places(folded: str, form: str) -> list[tuple[int, int]]:
    places = []
    start, end = _next(folded, form, 0)
    while start >= 0:
        if (not start or not joined_at(folded, start)) and (
            end == len(folded) or not joined_at(folded, end) or all(map(is_hangul, folded[end - 1 : end + 1]))
        ):
            places.append((start, end))
            start, end = _next(folded, form, end)
        else:
            start, end = _next(folded, form, start + 1)
    return places


def _next(folded: str, form: str, start: int) -> tuple[int, int]:
    """The next span of a form, with any spaces inside a phrase; (-1, ...) if there is none."""
    if " " in form:
        match = _phrase(form).search(folded, start)
        return match.span() if match else (-1, -1)
    start = folded.find(form, start)
    return start, start + len(form)


@lru_cache(maxsize=256)
def _phrase(form: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, re.split(" +", form))))
