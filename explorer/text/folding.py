"""Which spellings are the same: one form for all of them, and the way back to the characters of a text.

    Don’t DON'T donʼt     ->  don't       any apostrophe; hyphens and spaces too
    Straße STRASSE        ->  strasse     Unicode's folding of case, where the Turkish İ and ı are i
    é, e and U+0301       ->  é           composed (NFC)
    كَتَبَ, שָׁלוֹם            ->  كتب, שלום   without the points that Arabic and Hebrew may be written with

A search compares these forms, and so does the index of a text; what is shown is the text itself.
"""

import re
from collections.abc import Sequence
from unicodedata import is_normalized, normalize

import regex

_APOSTROPHES = "’‘ʼʻ＇׳"
# Replaced one by one, which takes a tenth of the time of `translate`.
_ALIKE = [
    *((apostrophe, "'") for apostrophe in _APOSTROPHES),
    *((quotation_mark, '"') for quotation_mark in "“”״"),
    *((hyphen, "-") for hyphen in "\u2010\u2011\u05be"),
    *((no_break_space, " ") for no_break_space in "\u00a0\u202f"),
]
# What nobody sees (Unicode's Default_Ignorable_Code_Point: soft hyphens, joiners, signs of variation), the
# points of Hebrew and Arabic with its lengthening stroke, and the dot that lower case leaves of İ. `re` is
# three times as fast here as `regex`.
IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
_DROPPED = re.compile(f"[{IGNORABLE}{_POINTS}]|(?<=i)\u0307")
_CLUSTER = regex.compile(r"\X")


def fold(text: str) -> str:
    """The form that all spellings of a text share.

    >>> fold("DON’T"), fold("Straße") == fold("STRASSE"), fold("cafe\\u0301") == fold("Café")
    ("don't", True, True)
    """
    if text.isascii():
        return text.lower()
    composed = normalize("NFC", text).replace("İ", "i").replace("ı", "i")
    folded = _DROPPED.sub("", normalize("NFC", composed.casefold()))
    for variant, plain in _ALIKE:
        folded = folded.replace(variant, plain)
    return folded


def fold_with_places(text: str, folded: str | None = None) -> tuple[str, Sequence[int], Sequence[int]]:
    """A folded text, given or made here, and where what each of its characters comes from begins and ends.

    >>> fold_with_places("Maß")
    ('mass', [0, 1, 2, 2], [1, 2, 3, 3])
    """
    folded = fold(text) if folded is None else folded
    if len(folded) == len(text) and is_normalized("NFC", text) and not _DROPPED.search(text):
        return folded, range(len(text)), range(1, len(text) + 1)
    parts, starts, ends = [], [], []
    for cluster in _CLUSTER.finditer(text):
        part = fold(cluster[0])
        parts.append(part)
        starts += [cluster.start()] * len(part)
        ends += [cluster.end()] * len(part)
    return "".join(parts), starts, ends


def straighten(text: str) -> str:
    """A text with straight apostrophes, every character at its place.

    >>> straighten("don’t, donʼt")
    "don't, don't"
    """
    if not text.isascii():
        for apostrophe in _APOSTROPHES:
            text = text.replace(apostrophe, "'")
    return text


def variants(word: str) -> list[str]:
    """The ways in which a file may write a word, the likeliest first.

    Apostrophes are straight or curly, letters composed or not; at last comes the word as `fold` has it.

    >>> variants("don’t"), variants("bank")
    (["don't", 'don’t'], ['bank'])
    """
    if word.isascii() and "'" not in word:
        return [word]
    straight = straighten(word)
    written = (straight, word, straight.replace("'", "’"))
    forms = (normalize(form, one) for form in ("NFC", "NFD") for one in written)
    return list(dict.fromkeys([straight, word, *forms, *([] if word.isascii() else [fold(word)])]))
