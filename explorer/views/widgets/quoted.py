"""A person's word or sentence within a line of ours."""

from html import escape
from unicodedata import bidirectional


def quoted(text: str) -> str:
    """A text as HTML that keeps its own direction, and that a browser's translator does not change.

    >>> quoted("<b>")
    '<bdi translate="no">&lt;b&gt;</bdi>'
    """
    return f'<bdi translate="no">{escape(text)}</bdi>'


def isolated(text: str) -> str:
    """A text from right to left within invisible marks that isolate it from the line around it.

    >>> ascii(isolated("bank")), ascii(isolated("בנק"))
    ("'bank'", "'\\\\u2068\\\\u05d1\\\\u05e0\\\\u05e7\\\\u2069'")
    """
    runs_left = any(bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if runs_left else text
