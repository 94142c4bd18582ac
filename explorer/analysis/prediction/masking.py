"""Editing texts with blanks: a clicked word becomes [MASK], a clicked bar fills it."""

import re

from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.trace import Encoding

MASK = "[MASK]"
SPELLINGS = re.compile(r"\[mask\]|<mask>|_{3,}", re.IGNORECASE)
NO_SPACE_BEFORE = frozenset(".,;:!?)]}%’")
NO_SPACE_AFTER = frozenset("([{“")


def standard(text: str) -> str:
    """The text with every blank spelled [MASK], also if it was written [mask], <mask> or ___."""
    return SPELLINGS.sub(MASK, text)


def mask_positions(model: Model, encoding: Encoding) -> list[int]:
    """The positions of every [MASK] in what a model reads.

    >>> bert = explorer.load("bert")
    >>> mask_positions(bert, bert.encode("The [MASK] saw a [MASK]."))
    [2, 5]
    """
    return (encoding.ids == model.tokenizer.special_id("mask")).nonzero().flatten().tolist()


def mask_span(text: str, span: tuple[int, int]) -> str:
    """The text with the characters of a span replaced by [MASK]."""
    start, end = span
    return text[:start] + MASK + text[end:]


def fill(text: str, which: int, token: str) -> str:
    """The text with [MASK] number `which` (0 is the first) replaced by a token, with usual spacing.

    Raises TextError if there is no such blank.
    """
    parts = text.split(MASK)
    if not 0 <= which < len(parts) - 1:
        raise TextError(
            _("There is no blank number {number} in the text.", number=which + 1),
            _("It has {count}.", count=len(parts) - 1),
        )
    before, after = MASK.join(parts[: which + 1]), MASK.join(parts[which + 1 :])
    if token.startswith("##") and len(token) > 2:
        return before.rstrip() + token[2:] + after
    if token.startswith("␣") and len(token) > 1:
        return f"{before.rstrip()} {token[1:]}{after}"
    if token in NO_SPACE_BEFORE:
        before = before.rstrip()
    if token in NO_SPACE_AFTER:
        after = after.lstrip()
    return before + token + after
