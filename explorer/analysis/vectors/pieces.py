"""The pieces of fastText: a word is the sum of its character n-grams, so that new words have vectors too.

    "where", n-grams of 3    <wh whe her ere re>      < and > mark the beginning and the end

Paper: Bojanowski, Grave, Joulin, Mikolov, "Enriching Word Vectors with Subword Information" (TACL 2017),
section 3.2: all pieces of 3 to 6 characters, and the word itself. Nothing is trained here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from explorer.errors import TextError, at_least_one
from explorer.locale import _

SHORTEST, LONGEST = 3, 6


@dataclass(frozen=True)
class RelatedWord:
    """A word that shares pieces with another, their number, and the cosine of the two sets of pieces."""

    word: str
    shared: int
    cosine: float


def pieces(word: str, shortest: int = SHORTEST, longest: int = LONGEST) -> list[str]:
    """The pieces of a word between < and >, the shortest first, each once; the whole word comes last.

    Raises TextError if there is no word, or more than one.

    >>> pieces("her", longest=4)
    ['<he', 'her', 'er>', '<her', 'her>', '<her>']
    """
    at_least_one(shortest=shortest, longest=longest)
    parts = word.split()
    if len(parts) != 1:
        raise TextError(_("This is not one word."), _("Type one word, real or made up."))
    marked = f"<{parts[0].lower()}>"
    ngrams = [
        marked[start : start + size]
        for size in range(shortest, longest + 1)
        for start in range(len(marked) - size + 1)
        if size < len(marked)
    ]
    return [*dict.fromkeys(ngrams), marked]


def relatives(word: str, words: Iterable[str], top: int = 7) -> list[RelatedWord]:
    """The words, of some, that share most pieces with a word, except itself.

    The cosine is that of the two sets: shared pieces / sqrt(pieces of one x pieces of the other).
    """
    at_least_one(top=top)
    own = frozenset(pieces(word))
    shortest = [piece for piece in own if len(piece) == SHORTEST]
    related = []
    for other in words:
        # Words that share a piece share one of the shortest: the others need not be split.
        if any(piece in f"<{other.lower()}>" for piece in shortest) and other.lower() != word.strip().lower():
            other_pieces = frozenset(pieces(other))
            shared = len(own & other_pieces)
            related.append(RelatedWord(other, shared, shared / sqrt(len(own) * len(other_pieces))))
    return sorted(related, key=lambda entry: (-entry.cosine, entry.word))[:top]


def by_length(pieces: Sequence[str]) -> dict[int, list[str]]:
    """Pieces by their number of characters, with < and >."""
    rows: dict[int, list[str]] = {}
    for piece in pieces:
        rows.setdefault(len(piece), []).append(piece)
    return rows
