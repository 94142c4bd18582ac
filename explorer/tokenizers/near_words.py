"""Hints for a word that a vocabulary lacks: similar words, and words of the file beyond those read."""

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

COMPARED = 20_000  # words that are compared letter by letter
LIKENESS = 0.7
VARIABLE = "RIVERBANK_MAX_WORDS"


@dataclass(frozen=True)
class Unread:
    """The words of a file beyond the first `read` ones; `total` is None if they were not counted.

    `path` is set for a text that can be searched, whose rows begin after `header` lines.
    """

    read: int
    total: int | None
    path: Path | None = None
    header: int = 0

    def description(self) -> str:
        """A sentence with the number of words in the file, and of those that were read.

        >>> Unread(5, 8).description()
        'The file has 8 words, and only the first 5 were read; RIVERBANK_MAX_WORDS reads more.'
        """
        size = f"{self.total:,} words" if self.total is not None else "more words"
        return f"The file has {size}, and only the first {self.read:,} were read; {VARIABLE} reads more."

    def place(self, word: str) -> tuple[str, int] | None:
        """How the file spells a word, and the word's number there, from 1; None if it is not there.

        A spelling as it was typed counts before others, wherever they are in the file.
        """
        if self.path is None:
            return None
        compound = word.lower().replace(" ", "_")
        spellings = (word, compound, word.lower(), word.capitalize(), word.upper())
        try:
            with (
                self.path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
            ):
                for spelling in dict.fromkeys(spellings):
                    if (start := content.find(f"\n{spelling} ".encode())) >= 0:
                        return spelling, _lines(content, start) + 1 - self.header
                if (end := content.find(f"/{compound} ".encode())) < 0:
                    return None
                start = content.rfind(b"\n", 0, end)
                path = content[start + 1 : end].decode("utf-8", "replace")
                if start < 0 or " " in path:
                    return None
                return f"{path}/{compound}", _lines(content, start) + 1 - self.header
        except (OSError, ValueError):
            return None

    def hint(self, word: str) -> str:
        """A hint for a word that is not among those read.

        >>> Unread(5, None).hint("river")
        'The file has more words, and only the first 5 were read; RIVERBANK_MAX_WORDS reads more.'
        """
        row = self.place(word)
        if row is None or row[1] <= self.read:
            return self.description()
        spelling, place = row
        total = f" of {self.total:,}" if self.total is not None else ""
        return (
            f"“{spelling}” is word {place:,}{total} of the file, and only the first {self.read:,} were "
            f"read: set {VARIABLE} to {place} or more, and load the file again."
        )


def near_word(word: str, words: Sequence[str]) -> str | None:
    """A similar word of the vocabulary: with a path before it (/c/en/river), or with similar letters.

    >>> near_word("river", ["/c/en/river", "/c/fr/fleuve"]), near_word("coffee pot", ["coffee_pot"])
    ('/c/en/river', 'coffee_pot')
    """
    word = word.strip()
    compound = word.lower().replace(" ", "_")
    if compound in words:
        return compound
    for ending in dict.fromkeys((f"/{word}", f"/{compound}")):
        if longer := next((entry for entry in words if entry.endswith(ending)), None):
            return longer
    close = get_close_matches(compound, words[:COMPARED], n=1, cutoff=LIKENESS)
    return close[0] if close and _is_misspelling(compound, close[0]) else None


def _is_misspelling(entry: str, word: str) -> bool:
    """Whether a word may have been meant: the same first letter and about as many letters, or more of it.

    A new word is no misspelling: “lmao” does not mean “mao”.
    """
    return word.startswith(entry) or (entry[:1] == word[:1] and abs(len(entry) - len(word)) <= 1)


def hint_for(word: str, words: Sequence[str], unread: Unread | None, otherwise: str) -> str:
    """A hint for a word that a vocabulary lacks; `otherwise` if no other word is similar.

    >>> hint_for("rivr", ["river"], None, "Try another."), hint_for("x", ["river"], None, "Try another.")
    ('Did you mean “river”?', 'Try another.')
    """
    near = near_word(word, words)
    hint = f"Did you mean “{near}”?" if near else otherwise
    if unread is None:
        return hint
    return f"{hint} {unread.hint(word)}" if near else unread.hint(word)


def _lines(content: mmap.mmap, end: int) -> int:
    """The number of non-empty lines that end at or before an offset."""
    count = 0
    content.seek(0)
    while content.tell() <= end:
        count += not content.readline().isspace()
    return count
