"""A word or a sentence of somebody's within a line of ours."""

from html import escape
from unicodedata import bidirectional


def quoted(text: str) -> str:
    """A text as HTML that runs as its own letters do, and that a browser's translator leaves as it is.

    >>> quoted("<b>")
    '<bdi translate="no">&lt;b&gt;</bdi>'
    """
    return f'<bdi translate="no">{escape(text)}</bdi>'


def isolated(text: str) -> str:
    """A text that runs from the right in marks that nobody sees, so that a line of ours does not mix with it.

    >>> ascii(isolated("bank")), ascii(isolated("בנק"))
    ("'bank'", "'\\\\u2068\\\\u05d1\\\\u05e0\\\\u05e7\\\\u2069'")
    """
    runs_left = any(bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if runs_left else text
