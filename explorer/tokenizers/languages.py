"""Which languages a tokenizer was made for, by what its vocabulary holds."""

from collections.abc import Iterable
from typing import Literal

Language = Literal["en", "zh"]

# A Chinese newspaper takes some two thousand characters; vocabularies made for English hold a few hundred.
CHARACTERS = 2000
# Words of everyday English that a page in another language hardly quotes.
WORDS = frozenset(
    "because himself nothing woman morning brought knew enough quite having perhaps toward thought whose "
    "asked mother should going children something".split()
)
MARKS = "\u2581\u0120"  # what SentencePiece and byte-level BPE write for the space before a word


def languages(tokens: Iterable[str]) -> frozenset[Language]:
    """The languages, of English and Chinese, whose words a vocabulary has; English where it is neither.

    >>> sorted(languages(["because", "woman", "the"]))
    ['en']
    """
    whole = {token.lstrip(MARKS) for token in tokens}
    found: set[Language] = set()
    if sum(len(token) == 1 and is_ideograph(token) for token in whole) >= CHARACTERS:
        found.add("zh")
    if not found or 2 * len(WORDS & whole) > len(WORDS):
        found.add("en")
    return frozenset(found)


def is_ideograph(char: str) -> bool:
    """Whether a character is a Chinese one, which is written without spaces around words.

    >>> is_ideograph("天"), is_ideograph("の"), is_ideograph("。")
    (True, False, False)
    """
    return (
        "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"
    )
