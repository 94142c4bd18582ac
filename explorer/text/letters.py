"""Letters and word boundaries in any script.

Words end as in Unicode (UAX 29, rules WB4 to WB13): a mark belongs to the letter before it, and
letters, digits and underscores are joined. Three things differ, so that a search for `bank` finds it:

    bank's  l'eau  a.m    an apostrophe, a point and a colon separate words
    我去bank取钱           in a script without spaces, only syllables are joined
    bank에서               a Korean particle is not part of the foreign word before it
"""

import re
from functools import lru_cache

import regex

# Characters inside a word that are not letters: soft hyphen, ZWNJ, ZWJ, word joiner, Armenian marks of tone.
_JOINERS = r"\u00ad\u200c\u200d\u2060\u055b\u055c\u055e"
_HALVES = re.compile("[\ud800-\udfff]")  # of characters (lone surrogates), which UTF-8 cannot encode
_MARKS = rf"\p{{Mn}}\p{{Mc}}{_JOINERS}"
# A word without digits, one with them, and one with underscores too, for patterns of `regex`; nothing goes
# back over them. No word begins with a mark, since a sign of variation after an emoji is one too. A dot is
# inside a word in Catalan's l·l.
_DOT = r"(?<=[lL])[\u00b7\u2022\u2027\u2219\u22c5](?=[lL])"
LETTERS = rf"(?:\p{{L}}(?:[\p{{L}}{_MARKS}]|{_DOT})*+)"
LETTERS_AND_DIGITS = rf"(?:[\p{{L}}\p{{N}}](?:[\p{{L}}\p{{N}}{_MARKS}]|{_DOT})*+)"
WORD = rf"(?:[\p{{L}}\p{{N}}_](?:[\p{{L}}\p{{N}}{_MARKS}_]|{_DOT})*+)"

# Chinese characters, kana, bopomofo, and the scripts of South East Asia that need a dictionary (LB=SA).
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{LB=SA}\u30fc\uff70"
# Never separated from the character before: marks, small kana (LB=CJ), the colour of a skin, the tags
# of a flag, Thai and Lao vowels.
_TRAILING = (
    rf"\p{{M}}\p{{LB=CJ}}\p{{EMod}}\U000e0020-\U000e007f{_JOINERS}"
    r"\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3\u0ebd"
)
# Never separated from the letter after: Thai vowels written first, signs that stack Khmer letters.
_LEADING = r"\p{Logical_Order_Exception}\p{InSC=Invisible_Stacker}"
# Variation selectors do not join letters.
_HELD = rf"[\p{{L}}\p{{N}}\p{{Mn}}\p{{Mc}}\p{{Pc}}{_JOINERS}--\ufe0e\ufe0f]"
_PAIR = regex.compile(
    rf"(?V1)\S[{_TRAILING}]|[{_LEADING}]\p{{L}}|\p{{Hangul}}{{2}}|[{_HELD}--[{_UNSPACED}\p{{Hangul}}]]{{2}}"
    r"|\u200d\p{ExtPict}"
)
_ASAT = "\u103a"  # makes a Burmese letter the end of the syllable before it
_INVISIBLE = regex.compile(r"(?V1)[\p{M}\p{Default_Ignorable_Code_Point}]*+")
_TAIL = regex.compile(rf"[\p{{M}}{_JOINERS}]*+")
_CONTINUING = regex.compile(rf"(?V1)[{_TRAILING}]|[\p{{L}}\p{{N}}--[{_UNSPACED}]]")
_WITHOUT_SPACES = regex.compile(rf"(?V1)[[{_UNSPACED}]&&\p{{L}}]")
_LETTER_OR_DIGIT = regex.compile(r"(?V1)[\p{L}\p{N}\p{Mn}\p{Mc}--\p{Variation_Selector}]")
_SIGNS = regex.compile(rf"(?V1)[^[\p{{L}}\p{{N}}\p{{Mn}}\p{{Mc}}]--[{_UNSPACED}]]+")
_WHOLE = regex.compile(LETTERS)
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uffa1-\uffdc]+")


@lru_cache(maxsize=1 << 14)
def joined(left: str, right: str) -> bool:
    """Whether two adjacent characters belong to one word.

    >>> joined("a", "b"), joined("क", "ा"), joined("k", "'"), joined("银", "行"), joined("k", "에")
    (True, True, False, False, False)
    """
    return _PAIR.fullmatch(left + right) is not None


def joined_at(text: str, place: int) -> bool:
    """Whether the character at an offset belongs to one word, flag or Burmese syllable with the one before.

    >>> joined_at("🇫🇷🇩🇪", 1), joined_at("🇫🇷🇩🇪", 2), joined_at("ab", 1)
    (True, False, True)
    """
    if "🇦" <= text[place] <= "🇿":
        before = regex.search(r"(?r)[🇦-🇿]*+", text, pos=0, endpos=place)
        return before is not None and (place - before.start()) % 2 == 1
    if text[place + 1 : place + 2] == _ASAT:
        return has_letters(text[place - 1])
    return joined(text[place - 1], text[place])


def is_invisible(text: str) -> bool:
    """Whether a text consists of marks and invisible characters only.

    >>> is_invisible("\\u0947\\u00ad"), is_invisible("")
    (True, True)
    >>> is_invisible(" "), is_invisible("a")
    (False, False)
    """
    return _INVISIBLE.fullmatch(text) is not None


def end_of_marks(text: str, start: int, limit: int) -> int:
    """The end of the marks and joiners at an offset of a text.

    >>> end_of_marks("के बैंक", 1, 7)
    2
    """
    match = _TAIL.match(text, start, limit)
    return limit if match is None else int(match.end())


@lru_cache(maxsize=1 << 14)
def continues(char: str) -> bool:
    """Whether a character, without a space before it, continues the word before it.

    >>> [continues(char) for char in ("a", "ी", "에", "行", ",")]
    [True, True, True, False, False]
    """
    return _CONTINUING.fullmatch(char) is not None


@lru_cache(maxsize=1 << 14)
def is_hangul(char: str) -> bool:
    """Whether a character is a Korean letter or syllable.

    >>> is_hangul("은"), is_hangul("銀")
    (True, False)
    """
    return _HANGUL.match(char) is not None


def has_letters(text: str) -> bool:
    """Whether a text has a letter, a digit or a vowel sign.

    >>> [has_letters(text) for text in ("नदी", "ी", "3.", "—!")]
    [True, True, True, False]
    """
    return _LETTER_OR_DIGIT.search(text) is not None


def is_letters(text: str) -> bool:
    """Whether a text consists of letters and their marks only.

    >>> is_letters("बैंक"), is_letters("don't"), is_letters("b2"), is_letters("")
    (True, False, False, False)
    """
    return _WHOLE.fullmatch(text) is not None


def spaced_words(text: str) -> str:
    """A text with its words separated by spaces, also Korean particles from foreign words.

    >>> spaced_words("at the bank에서, 我去bank").split()
    ['at', 'the', 'bank', '에서', 'bank']
    """
    return _HANGUL.sub(r" \g<0> ", _SIGNS.sub(" ", text))


def has_unspaced(text: str) -> bool:
    """Whether a text has letters of a script without spaces between words.

    >>> has_unspaced("去bank"), has_unspaced("ธนาคาร"), has_unspaced("은행")
    (True, True, False)
    """
    return _WITHOUT_SPACES.search(text) is not None


def without_halves(text: str) -> str:
    """A text with `�` for each half of a surrogate pair.

    >>> without_halves("a\\ud800b")
    'a�b'
    """
    return _HALVES.sub("�", text)
