"""Halves of characters (lone surrogates), which UTF-8 cannot encode."""

import re

_HALF = re.compile("[\ud800-\udfff]")


def without_halves(text: str) -> str:
    """A text with `�` for each half of a surrogate pair.

    >>> without_halves("a\\ud800b")
    'a�b'
    """
    return _HALF.sub("�", text)
