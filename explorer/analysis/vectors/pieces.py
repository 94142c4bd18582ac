"""What fastText adds to word2vec: a word is the sum of its pieces, so that new words have vectors too.

    "where", pieces of 3    <wh whe her ere re>      < and > mark the beginning and the end

Paper: Bojanowski, Grave, Joulin, Mikolov, "Enriching Word Vectors with Subword Information" (TACL 2017),
section 3.2: all pieces of 3 to 6 characters, and the word itself. Nothing is trained here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from explorer.errors import TextError, at_least_one

SHORTEST, LONGEST = 3, 6


@dataclass(frozen=True)
class Kin:
    """A word that shares pieces with another: how many, and the cosine of the two sets of pieces."""

    word: str
    shared: int
    cosine: float


def pieces(word: str, shortest: int = SHORTEST, longest: int = LONGEST) -> list[str]:
    """The pieces of a word between its marks, the shortest first, each once; the whole word comes last.

    Raises TextError for no word or several.

    >>> pieces("her", longest=4)
    ['<he', 'her', 'er>', '<her', 'her>', '<her>']
    """
    at_least_one(shortest=shortest, longest=longest)
    parts = word.split()
    if len(parts) != 1:
        raise TextError("This is not one word.", "Type one word, real or made up.")
    marked = f"<{parts[0].lower()}>"
    cut = [
        marked[at : at + size]
        for size in range(shortest, longest + 1)
        for at in range(len(marked) - size + 1)
        if size < len(marked)
    ]
    return [*dict.fromkeys(cut), marked]


def relatives(word: str, words: Iterable[str], top: int = 7) -> list[Kin]:
    """Of some words those that share most pieces with a word, itself left out.

    The cosine is that of the two sets: pieces shared / sqrt(pieces of one x pieces of the other).
    """
    at_least_one(top=top)
    own = frozenset(pieces(word))
    shortest = [piece for piece in own if len(piece) == SHORTEST]
    found = []
    for other in words:
        # Whoever shares a piece shares one of the shortest: the others need not be cut up.
        if any(piece in f"<{other.lower()}>" for piece in shortest) and other.lower() != word.strip().lower():
            theirs = frozenset(pieces(other))
            shared = len(own & theirs)
            found.append(Kin(other, shared, shared / sqrt(len(own) * len(theirs))))
    return sorted(found, key=lambda kin: (-kin.cosine, kin.word))[:top]


def by_length(found: Sequence[str]) -> dict[int, list[str]]:
    """Pieces by how many characters they have, the marks counted."""
    rows: dict[int, list[str]] = {}
    for piece in found:
        rows.setdefault(len(piece), []).append(piece)
    return rows
