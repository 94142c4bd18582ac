"""A word that a vocabulary lacks: which may be meant, and whether its file has more than was read."""

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

AMONG = 20_000  # words that are compared letter by letter
LIKENESS = 0.7
VARIABLE = "RIVERBANK_MAX_WORDS"


@dataclass(frozen=True)
class Unread:
    """The words of a file beyond the first `read` ones; `total` is None where nobody counted them.

    `path` is there for a text that can be searched, whose rows begin `header` lines after its beginning.
    """

    read: int
    total: int | None
    path: Path | None = None
    header: int = 0

    def description(self) -> str:
        """How many words the file has, and how many were read.

        >>> Unread(5, 8).description()
        'The file has 8 words, of which the first 5 were read; RIVERBANK_MAX_WORDS reads more.'
        """
        size = f"{self.total:,} words" if self.total is not None else "more words"
        first = "of which the first" if self.total is not None else "but only the first"
        return f"The file has {size}, {first} {self.read:,} were read; {VARIABLE} reads more."

    def place(self, word: str) -> tuple[str, int] | None:
        """How the file writes a word beyond the limit, and which of its words that is, from 1; else None."""
        if self.path is None:
            return None
        try:
            with (
                self.path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
            ):
                compound = word.lower().replace(" ", "_")
                for spelling in dict.fromkeys(
                    (word, compound, word.lower(), word.capitalize(), word.upper())
                ):
                    if (at := content.find(f"\n{spelling} ".encode())) >= 0:
                        return spelling, _lines(content, at) + 1 - self.header
                if (end := content.find(f"/{compound} ".encode())) >= 0:
                    at = content.rfind(b"\n", 0, end)
                    spelling = content[at + 1 : end].decode("utf-8", "replace") + f"/{compound}"
                    if at >= 0 and " " not in spelling:
                        return spelling, _lines(content, at) + 1 - self.header
                return None
        except (OSError, ValueError):
            return None

    def hint(self, word: str) -> str:
        """What to say of a word that is not among those that were read.

        >>> Unread(5, None).hint("river")
        'The file has more words, but only the first 5 were read; RIVERBANK_MAX_WORDS reads more.'
        """
        row = self.place(word)
        if row is None or row[1] <= self.read:
            return self.description()
        spelling, place = row
        total = f" of {self.total:,}" if self.total is not None else ""
        return (
            f"“{spelling}” is word {place:,}{total} of the file, of which the first {self.read:,} were "
            f"read: set {VARIABLE} to {place} or more, and load the file again."
        )


def near_word(word: str, words: Sequence[str]) -> str | None:
    """The word of a vocabulary that may be meant: with a path before it (/c/en/river), or written alike.

    >>> near_word("river", ["/c/en/river", "/c/fr/fleuve"]), near_word("coffee pot", ["coffee_pot"])
    ('/c/en/river', 'coffee_pot')
    """
    word = word.strip()
    compound = word.lower().replace(" ", "_")
    if compound in words:
        return compound
    for ending in dict.fromkeys((f"/{word}", f"/{compound}")):
        if longer := next((known for known in words if known.endswith(ending)), None):
            return longer
    close = get_close_matches(compound, words[:AMONG], n=1, cutoff=LIKENESS)
    return close[0] if close else None


def hint_for(word: str, words: Sequence[str], unread: Unread | None, otherwise: str) -> str:
    """What to do about a word that a vocabulary lacks; `otherwise` where no other is near.

    >>> hint_for("rivr", ["river"], None, "Try another."), hint_for("x", ["river"], None, "Try another.")
    ('Did you mean “river”?', 'Try another.')
    """
    near = near_word(word, words)
    hint = f"Did you mean “{near}”?" if near else otherwise
    if unread is None:
        return hint
    return f"{hint} {unread.hint(word)}" if near else unread.hint(word)


def _lines(content: mmap.mmap, end: int) -> int:
    """How many lines that are not empty end before or at a place."""
    count = 0
    content.seek(0)
    while content.tell() <= end:
        count += not content.readline().isspace()
    return count
