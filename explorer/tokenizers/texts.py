"""A tokenizer's input: checked, and with words joined into a text."""

from collections.abc import Sequence

from explorer.errors import TextError
from explorer.text.letters import without_halves


def join_words(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Words joined by spaces into one text, with the span of each.

    >>> join_words(["U.S.", "banks"])
    ('U.S. banks', [(0, 4), (5, 10)])

    Raises TextError for a word that is empty or has a space in it.
    """
    spans, at = [], 0
    for i, word in enumerate(words, 1):
        if not isinstance(word, str) or not word or any(map(str.isspace, word)):
            raise TextError(
                f"Number {i} of these words is {word!r:.40}, which is not a word.",
                "Each is a string without spaces.",
            )
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(words), spans


def well_formed(text: str) -> str:
    """The text with `�` for each half of a surrogate pair, which cannot be encoded.

    Raises TextError if the argument is not a string.
    """
    if not isinstance(text, str):  # a list of words would read as one word, without its spaces
        raise TextError(f"{text!r:.40} is not a text.", "Pass one string: “ ”.join(words) for words.")
    return without_halves(text)


def check_text(text: object, pair: object) -> None:
    """Raises TextError unless `text` is a string or a list of words, and `pair` a string or None."""
    words = isinstance(text, Sequence) and not isinstance(text, bytes | bytearray)
    if not words or not (pair is None or isinstance(pair, str)):
        other = pair if words else text
        raise TextError(f"{other!r:.40} is not a text.", "Pass a string.")
    if pair is not None and not isinstance(text, str):
        raise TextError("A list of words cannot have a second text beside it.", "Pass both as strings.")
