"""The score below which a match says nothing: what questions reach that have nothing to do with a text."""

from collections.abc import Sequence
from functools import cache

from explorer import assets
from explorer.analysis.sentences.vectors import SentenceVectors
from explorer.analysis.sentences.word_search import best_by_words

BELOW, OF = 19, 20  # how many of the questions stay below the line


@cache
def questions() -> tuple[str, ...]:
    """Forty questions on mathematics, stars, the body and so on: a text is about one or two of them at most.

    >>> len(questions())
    40
    """
    return tuple(assets.text(assets.SEARCH / "unrelated.txt").strip().split("\n"))


def line(passages: SentenceVectors | Sequence[str]) -> float:
    """The score that 19 of 20 unrelated questions stay below, each with the passage that is nearest to it.

    It is a cosine for passages with their vectors, and for their texts alone a score of `bm25`.

    >>> from explorer.analysis.sentences.vectors import read
    >>> town = ["The ferry sails at six.", "The school has a garden."]
    >>> line(read(None, town)) < 1, line(town) > 0
    (True, True)
    """
    if isinstance(passages, SentenceVectors):
        return line_through(passages.best(passages.place(questions())))
    return line_through(best_by_words(questions(), passages))


def line_through(best: Sequence[float]) -> float:
    """The lowest of some scores that 19 of 20 of them stay below.

    >>> line_through([0.1 * i for i in range(20)]) == 0.1 * 19
    True
    """
    return sorted(best)[len(best) * BELOW // OF]
