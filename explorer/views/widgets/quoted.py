"""A person's word or sentence within a line of ours."""

import re
from html import escape
from unicodedata import bidirectional

from explorer.catalogue.language import language_of
from explorer.locale import ENGLISH, language

# Scripts whose letters alone say the language; Japanese has Chinese characters too, so it comes first.
LANGUAGES = {
    "ja": re.compile(r"[\u3041-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
}


def quoted(text: str) -> str:
    """A text as HTML that keeps its own direction, and that a browser's translator does not change.

    >>> quoted("<b>")
    '<bdi translate="no">&lt;b&gt;</bdi>'
    """
    return f'<bdi translate="no"{language_mark(text)}>{escape(text)}</bdi>'


def language_mark(text: str) -> str:
    """HTML's attribute for the language of a text whose letters say it; empty for any other.

    In other languages than English its words say it too; on a Chinese page plain letters are English.

    >>> language_mark("银行"), language_mark("bank")
    (' lang="zh"', '')
    """
    name = next((name for name, letters in LANGUAGES.items() if letters.search(text)), "")
    if language() != ENGLISH and not name:
        name = language_of(text) or (ENGLISH if text.isascii() and language() in LANGUAGES else "")
        name = "" if name == language() else name
    return f' lang="{name}"' if name else ""


def isolated(text: str) -> str:
    """A text from right to left within invisible marks that isolate it from the line around it.

    >>> ascii(isolated("bank")), ascii(isolated("בנק"))
    ("'bank'", "'\\\\u2068\\\\u05d1\\\\u05e0\\\\u05e7\\\\u2069'")
    """
    runs_left = any(bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if runs_left else text
