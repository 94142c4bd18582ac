"""Which spellings are the same: one form for all of them, and the way back to the characters of a text.

    Don’t DON'T donʼt     ->  don't       any apostrophe; hyphens and spaces too
    Straße STRASSE        ->  strasse     Unicode's folding of case, where the Turkish İ and ı are i
    é, e and U+0301       ->  é           composed (NFC)
    كَتَبَ, שָׁלוֹם            ->  كتب, שלום   without the points that Arabic and Hebrew may be written with
    ي ى, ك, ٱ             ->  ی, ک, ا      as Arabic and Persian type one letter
    ＢＡＮＫ, ﾊﾞﾝｸ, ﬁ      ->  bank, バンク, fi   forms of width and of place, and ligatures

A search compares these forms, and so does the index of a text; what is shown is the text itself.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, decomposition, is_normalized, normalize

import regex

_APOSTROPHES = "’‘ʼʻ＇׳"
# Replaced one by one, which takes a tenth of the time of `translate`.
_ALIKE = [
    *((apostrophe, "'") for apostrophe in _APOSTROPHES),
    *((quotation_mark, '"') for quotation_mark in "“”״"),
    *((hyphen, "-") for hyphen in "\u2010\u2011\u05be"),
    *((yeh, "ی") for yeh in "يى"),
    ("ك", "ک"),
    ("ٱ", "ا"),
]
_SPACES = re.compile(r"[^\S ]")
# What nobody sees (Unicode's Default_Ignorable_Code_Point: soft hyphens, joiners, signs of variation), the
# points of Hebrew and Arabic with its lengthening stroke, Armenian marks of tone, and the dot that lower case
# leaves of İ. What builds one picture of several stays. `re` is three times as fast here as `regex`.
IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u055b\u055c\u055e"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
_PICTURES = "\u2190-\u2bff\U0001f000-\U0001fbff"
_DROPPED = re.compile(f"(?!\u200d[{_PICTURES}]|[\U000e0020-\U000e007f])[{IGNORABLE}{_POINTS}]|(?<=i)\u0307")

# Unicode's compatibility forms that are another way to write the same letters. Others stay, for people tell
# them apart: ², ①, ℝ, №; and Korean letters on their own.
_FORMS = {"<wide>", "<narrow>", "<initial>", "<medial>", "<final>", "<isolated>"}


def _compatible() -> dict[str, str]:
    table = {}
    for char in map(chr, (*range(0x132, 0x3130), *range(0xF900, 0xFFEF))):
        form, *codes = decomposition(char).split() or [""]
        if form in _FORMS or (form == "<compat>" and category(char) in ("Ll", "Lu", "Lt", "Lo")):
            half_width = "\uffa0" < char < "\uffdd"
            table[char] = chr(int(codes[0], 16)) if half_width else normalize("NFKC", char)
    for char in "\u0e33\u0eb3ŀĿ":  # one character for several here, see below
        del table[char]
    return table


_PLAIN = _compatible()
_COMPATIBLE = re.compile(f"[{''.join(_PLAIN)}]")
# Several characters that are another way to write one: sara am of Thai and Lao, which a mark of tone may
# stand in, Malayalam's chillus, Bengali's khanda ta, and Catalan's l·l with any dot.
_SEQUENCES = {
    "\u0d23\u0d4d\u200d": "\u0d7a",
    "\u0d28\u0d4d\u200d": "\u0d7b",
    "\u0d30\u0d4d\u200d": "\u0d7c",
    "\u0d32\u0d4d\u200d": "\u0d7d",
    "\u0d33\u0d4d\u200d": "\u0d7e",
    "\u0d15\u0d4d\u200d": "\u0d7f",
    "\u09a4\u09cd\u200d": "\u09ce",
}
_SARA_AM = {"\u0e32": "\u0e33", "\u0eb2": "\u0eb3"}
_DOTTED = "(?:[lL][\u00b7\u2022\u2027\u2219\u22c5]|[ŀĿ])(?=[lL])"
_NIKHAHIT = "(?:\u0e4d([\u0e48-\u0e4b]?)\u0e32|\u0ecd([\u0ec8-\u0ecb]?)\u0eb2)"
_SEVERAL = re.compile(f"{'|'.join(_SEQUENCES)}|{_NIKHAHIT}|{_DOTTED}")
_UNIT = regex.compile(
    rf"(?P<dotted>{_DOTTED})|\X(?:(?<=\u200d)(?=[{_PICTURES}])\X)*+(?:(?<=\u0e4d[\u0e48-\u0e4b]?)\u0e32|(?<=\u0ecd[\u0ec8-\u0ecb]?)\u0eb2)?"
)
# What may make a text shorter in characters, full width left out where it cannot.
_SHORTENING = re.compile(
    f"{_DROPPED.pattern}|{_SEVERAL.pattern}|[\uff01-\uff5e][\u0300-\u036f]"
    f"|[{''.join(char for char in _PLAIN if not '！' <= char <= '～' and char != '　')}]"
)

# What a phone or a habit puts around a word or a line; signs that may belong to one (#, %, +, -) stay.
_MARKS = "[\\s.,;:!?…\"'“”„‘’‚«»‹›()\\[\\]¡¿。，、；：！？「」『』（）؟،؛।]+"
_FACE = re.compile(r"[:;=]['-]?[()\[\]|/]|[()]['-]?[:;=]")  # “Great :)” is not “Great :(”
_MARKS_AT_ENDS = re.compile(f"^{_MARKS}|(?<!{_MARKS[:-1]}){_MARKS}$")


def fold(text: str) -> str:
    """A text in a form that is the same for all its spellings."""
    if text.isascii():
        return text.lower()
    if _COMPATIBLE.search(text):
        text = _COMPATIBLE.sub(lambda match: _PLAIN[match[0]], text)
    composed = normalize("NFC", text)
    if _SEVERAL.search(composed):
        composed = _SEVERAL.sub(_one_for_several, composed)
    composed = composed.replace("İ", "i").replace("ı", "i")
    folded = _DROPPED.sub("", normalize("NFC", composed.casefold()))
    for variant, plain in _ALIKE:
        folded = folded.replace(variant, plain)
    return _SPACES.sub(" ", folded)


def fold_line(text: str) -> str:
    """`fold` of a text with one space for several, and none at its ends."""
    return fold(" ".join(text.split()))


def fold_ends(text: str) -> str:
    """`fold_line` without the marks at its ends, unless there is nothing else.

    >>> fold_ends("“Bank.”"), fold_ends("Good  film!"), fold_ends("C#"), fold_ends("?")
    ('bank', 'good film', 'c#', '?')
    """
    folded = fold_line(text)
    if _FACE.search(folded):
        return folded
    return _MARKS_AT_ENDS.sub("", folded) or folded


def _one_for_several(match: re.Match[str]) -> str:
    several = match[0]
    if several[-1] in _SARA_AM:
        return several[1:-1] + _SARA_AM[several[-1]]
    return _SEQUENCES.get(several, "ŀ")


_fold_unit = lru_cache(maxsize=1 << 12)(fold)


def fold_with_places(text: str, folded: str | None = None) -> tuple[str, Sequence[int], Sequence[int]]:
    """A folded text, with the start and end offset in `text` of each of its characters.

    >>> fold_with_places("Maß")
    ('mass', [0, 1, 2, 2], [1, 2, 3, 3])
    """
    folded = fold(text) if folded is None else folded
    if len(folded) == len(text) and is_normalized("NFC", text) and not _SHORTENING.search(text):
        return folded, range(len(text)), range(1, len(text) + 1)
    parts, starts, ends = [], [], []
    for unit in _UNIT.finditer(text):
        part = "ŀ" if unit.lastgroup == "dotted" else _fold_unit(unit[0])
        start, end = unit.span()
        parts.append(part)
        if len(part) == 1:
            starts.append(start)
            ends.append(end)
        else:
            starts += [start] * len(part)
            ends += [end] * len(part)
    return "".join(parts), starts, ends


def straighten(text: str) -> str:
    """A text with straight apostrophes and unchanged offsets.

    >>> straighten("don’t, donʼt")
    "don't, don't"
    """
    if not text.isascii():
        for apostrophe in _APOSTROPHES:
            text = text.replace(apostrophe, "'")
    return text


def in_small_letters(text: str) -> str:
    """A text in lower case, with a plain i for the Turkish İ.

    >>> in_small_letters("İSTANBUL"), in_small_letters("Straße")
    ('istanbul', 'straße')
    """
    return text.lower().replace("i\u0307", "i")


def variants(word: str) -> list[str]:
    """The spellings of a word in a file, the likeliest first.

    Apostrophes are straight or curly, letters composed or not; the last one is the folded word.

    >>> variants("don’t"), variants("bank")
    (["don't", 'don’t'], ['bank'])
    """
    if word.isascii() and "'" not in word:
        return [word]
    straight = straighten(word)
    written = (straight, word, straight.replace("'", "’"))
    forms = (normalize(form, one) for form in ("NFC", "NFD") for one in written)
    return list(dict.fromkeys([straight, word, *forms, *([] if word.isascii() else [fold(word)])]))


def places_by_fold(words: Sequence[str]) -> dict[str, int]:
    """The indices of words that `fold` changes, by their folded forms; the first of equal ones.

    ASCII words and words equal to their folded form are left out: a large vocabulary
    has few others.

    >>> places_by_fold(["bank", "Bank", "straße", "река"])
    {'strasse': 2}
    """
    places: dict[str, int] = {}
    for i, word in enumerate(words):
        if not word.isascii() and (folded := fold(word)) != word:
            places.setdefault(folded, i)
    return places
