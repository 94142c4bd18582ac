"""Where people write a space: between a text and the word that follows it."""

import re
from collections.abc import Iterable
from unicodedata import category

import regex

from explorer.text.letters import has_letters, has_unspaced

OPENING = ("Ps", "Pi")  # brackets and quotation marks
CURRENCY = "Sc"
CLOSING = "'’.,:;!?…%)]}\"”"
ALWAYS_JOINED = "@#"
JOINED_AS_BEFORE = "-‐‑–—−+=<>*×÷/\\_~^|&"  # well-known, x=5; but a - b
OTHER_SIDE = {"»": "«", "«": "»", "“": "„"}  # « oui », »ja«, „ja“
WIDE = re.compile("[\u3000-\u303f\uff00-\uff65]")  # as 、 and 「, which include their space
OPEN_SINGLE = re.compile(r"(?:^|[\s(\[])['‘][^'’]*$")
# What an apostrophe may end: the dogs' owner, 5' tall; but l'eau, O'Brien, 5'10.
ENDED = regex.compile(r"(?:[\p{L}\p{N}]{2}[sxz]|\d)$", regex.IGNORECASE)
AFTER_APOSTROPHES = {"s", "t", "d", "m", "re", "ll", "ve"}


def space_before(text: str, word: str) -> str:
    """The space between a text and the word after it, or nothing: after a bracket, in Chinese, in don't.

    >>> [space_before(text, "known") for text in ("is", "is ", "(", "well-", 'said, "', '"Yes"', "")]
    [' ', '', '', '', '', ' ', '']
    >>> space_before("costs $", "5"), space_before("costs", "$5"), space_before("the end", ".")
    ('', ' ', '')
    """
    if not text or not word or text[-1].isspace() or word[0].isspace():
        return ""
    left, first = text[-1], word[0]
    if any(has_unspaced(one) or WIDE.match(one) for one in (left, first)) or _opens(text):
        return ""
    if not has_letters(first):
        begins = category(first) in (*OPENING, CURRENCY) or (first == '"' and text.count('"') % 2 == 0)
        return " " if begins or (first not in CLOSING and has_letters(word)) else ""
    return "" if _joins(text, word) else " "


def with_words(text: str, words: Iterable[str]) -> str:
    """A text with words after it, spaced as people write them.

    >>> with_words("he said", [",", "come", "!"])
    'he said, come!'
    """
    for word in words:
        text += space_before(text, word) + word
    return text


def _opens(text: str) -> bool:
    """Whether a text ends with a mark that opens what follows."""
    mark = text[-1]
    if mark == '"':
        return text.count(mark) % 2 == 1
    if mark == "”":  # in Swedish on both sides
        return not {"“", "„"} & {*text} and text.count(mark) % 2 == 1
    if mark in OTHER_SIDE:
        return text.count(mark) > text.count(OTHER_SIDE[mark])
    return category(mark) in OPENING or mark in "¿¡"


def _joins(text: str, word: str) -> bool:
    """Whether a text ends with a mark that the next letter or digit is joined to."""
    mark, before, first = text[-1], text[-2:-1], word[0]
    if mark in "'’":
        if ENDED.search(text[:-1]) and word.lower() not in AFTER_APOSTROPHES and not first.isdigit():
            return False
        return OPEN_SINGLE.search(text[:-1]) is None and (has_letters(before) or not before.strip())
    if mark in JOINED_AS_BEFORE:
        return not before.isspace()
    if category(mark) == CURRENCY:
        return first.isdigit() and not before.isdigit()
    return mark in ALWAYS_JOINED
