"""Which languages a tokenizer was made for, judged by its vocabulary."""

from collections.abc import Iterable
from typing import Literal

Language = Literal["en", "zh"]

# A Chinese newspaper uses some two thousand characters; vocabularies for English have a few hundred.
CHARACTERS = 2000
# Everyday English words that are rare in texts of other languages.
WORDS = frozenset(
    "because himself nothing woman morning brought knew enough quite having perhaps toward thought whose "
    "asked mother should going children something".split()
)
MARKS = "\u2581\u0120"  # how SentencePiece and byte-level BPE write the space before a word


def languages(tokens: Iterable[str]) -> frozenset[Language]:
    """The languages, of English and Chinese, whose words a vocabulary has; English if it has neither."""
    whole = {token.lstrip(MARKS) for token in tokens}
    result: set[Language] = set()
    if sum(len(token) == 1 and is_ideograph(token) for token in whole) >= CHARACTERS:
        result.add("zh")
    if not result or 2 * len(WORDS & whole) > len(WORDS):
        result.add("en")
    return frozenset(result)


def is_ideograph(char: str) -> bool:
    """Whether a character is Chinese.

    >>> is_ideograph("天"), is_ideograph("の"), is_ideograph("。")
    (True, False, False)
    """
    return (
        "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"
    )
