"""Parsed sentences: which word depends on which, and in which relation.

Relations are those of Universal Dependencies 2 (de Marneffe, Manning, Nivre, Zeman, "Universal
Dependencies", Computational Linguistics 2021). A file has two lines for each sentence, and a blank line
between sentences; lines that begin with # are comments:

    Her dog sleeps.
    Her/nmod:poss/2 dog/nsubj/3 sleeps/root/0 ./punct/3

The number is the position of the word's head, from 1; the root has 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from explorer import assets
from explorer.errors import TextError

HALVES = ("grammar", "written")  # drawn from a small grammar of ours; written and annotated by hand
CLOSE = frozenset([".", ",", "?", "!", ";", ":", "'s", "'"])  # no space before these

_LABELS = assets.table(assets.LABELS)
RELATIONS: dict[str, str] = _LABELS["relation"]  # what each relation says about the dependent
CLARK: dict[str, str] = _LABELS["clark"]  # what Clark et al. 2019 call it


@dataclass(frozen=True)
class Parse:
    """A sentence, its words, and for each word its relation and the index of its head (-1 for the root)."""

    text: str
    words: tuple[str, ...]
    relations: tuple[str, ...]
    heads: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The characters of each word in the text."""
        spans, end = [], 0
        for word in self.words:
            start = self.text.index(word, end)
            end = start + len(word)
            spans.append((start, end))
        return spans


def join(words: Iterable[str]) -> str:
    """Words as a text, with spaces between them, but not before most punctuation and 's.

    >>> join(["Anna", "'s", "cat", "sleeps", "."])
    "Anna's cat sleeps."
    """
    return "".join(word if word in CLOSE else f" {word}" for word in words).lstrip()


def read(text: str) -> list[Parse]:
    """The sentences of a file's text. Raises ValueError if it has another form."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return [_parse(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]


@cache
def library(half: str) -> tuple[Parse, ...]:
    """Our own sentences: “grammar”, drawn from a small grammar of ours, or “written”, annotated by hand."""
    if half not in HALVES:
        raise TextError(f"There are no sentences called “{half}”.", f"There are: {', '.join(HALVES)}.")
    path = assets.RELATIONS / f"{half}.txt"
    try:
        return tuple(read(assets.text(path)))
    except ValueError as error:
        raise assets.damaged(path) from error


def _parse(text: str, line: str) -> Parse:
    words, relations, heads = zip(*(field.rsplit("/", 2) for field in line.split()), strict=True)
    return Parse(text, words, relations, tuple(int(head) - 1 for head in heads))
