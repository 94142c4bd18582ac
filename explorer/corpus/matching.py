"""Which index can look a word up, and which forms a word has.

The full-text index is asked with single quoted words only, never with what a person typed, so its
query language has no way in. It may name too many sentences, never too few: `find` decides.
"""

import re
import unicodedata
from dataclasses import dataclass

from explorer.text.folding import fold
from explorer.text.letters import is_letters, spaced_words
from explorer.tokenizers.languages import is_ideograph

LONGEST_WORD = 60
TRIGRAM = 3  # characters that the trigram index needs at least

_VARIED = "'\"-" + "%_\\"  # what has other spellings, and what LIKE does not take for itself
_SIGNS = re.compile("[^a-z0-9]+")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ud800-\udfff]")


@dataclass(frozen=True)
class Query:
    """How to narrow the sentences down: `words` or `trigrams` (full text), `like`, or a `scan` of all.

    `argument` is what to bind: an FTS5 expression, a LIKE pattern with \\ as its escape, or "".
    """

    how: str
    argument: str


def tidy(text: str) -> str:
    """A text as it is kept and compared: composed characters (NFC), single spaces, no control characters.

    Soft hyphens, spaces without width and half characters, which hide a word from every search, go too.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return " ".join(_UNWANTED.sub("", text).split())


def query(word: str) -> Query:
    """How to look a word up.

    >>> query("Blood bank"), query("银行"), query("人工智能").argument
    (Query(how='words', argument='"blood" "bank"'), Query(how='like', argument='%银%行%'),
     '"人工智" "工智能"')
    """
    word = fold(word)
    tokens = search_key(word).split()
    if tokens and all(map(_is_plain, word)):
        return Query("words", " ".join(f'"{token}"' for token in tokens))
    if len(word) >= TRIGRAM and all(map(is_ideograph, word)):
        pieces = (word[i : i + TRIGRAM] for i in range(len(word) - TRIGRAM + 1))
        return Query("trigrams", " ".join(f'"{piece}"' for piece in pieces))
    if any(char.lower() != char.upper() for char in word):  # LIKE folds the case of ASCII letters alone
        return Query("scan", "")
    # Between any two characters there may be one that `fold` drops; for some signs another may stand.
    return Query("like", "%" + "".join(f"{'_' if char in _VARIED else char}%" for char in word))


def search_key(text: str) -> str:
    """The form of a text that goes into the index: folded, one space between words.

    Made here and not by SQLite, whose tables of letters are older: it takes some signs and new pictographs
    for letters, and would hide the word beside them.
    """
    if text.isascii():
        return _SIGNS.sub(" ", text.lower())
    return spaced_words(fold(text))


def forms(word: str) -> list[str]:
    """A word and its regular English endings: plural, past, -ing.

    >>> forms("bank"), forms("bat"), forms("fly")
    (['bank', 'banks', 'banked', 'banking'], ['bat', 'bats', 'batted', 'batting'],
     ['fly', 'flies', 'flied', 'flying'])

    The rules of spelling only, no dictionary: "mice" is not found from "mouse". A word with anything
    but Latin letters has no forms besides itself.
    """
    lower = word.lower()
    if not re.fullmatch(r"[a-z]{3,}", lower):
        return [word]
    stem = lower
    if re.search(r"[^aeiou]y$", lower):
        endings = [lower[:-1] + "ies", lower[:-1] + "ied", lower + "ing"]
    else:
        plural = lower + ("es" if re.search(r"(s|x|z|ch|sh)$", lower) else "s")
        if lower.endswith("e"):
            stem = lower if lower.endswith(("ee", "oe", "ye")) else lower[:-1]
            # "thing" is no form of "the".
            endings = [plural, lower + "d", *([stem + "ing"] if re.search("[aeiouy]", stem) else [])]
        else:
            if re.fullmatch(r"[^aeiou]*(qu)?[aeiou][^aeiouwxy]", lower):
                stem += lower[-1]
            endings = [plural, stem + "ed", stem + "ing"]
    return [word, *endings]


def _is_plain(char: str) -> bool:
    """ASCII, and Latin, Greek and Cyrillic letters: what unicode61 and Python agree on."""
    return char.isascii() or (
        is_letters(char) and ("\u00c0" <= char <= "\u0481" or "\u1e00" <= char <= "\u1eff")
    )
