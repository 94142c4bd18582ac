"""How a text and a word are written to be compared, and which forms a word has."""

import re
import unicodedata

from explorer.text.folding import fold
from explorer.text.letters import spaced_words

LONGEST_WORD = 60

_SIGNS = re.compile("[^a-z0-9]+")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ud800-\udfff]")


def tidy(text: str) -> str:
    """A text as it is stored and compared: composed characters (NFC), single spaces, no control characters.

    Soft hyphens, zero-width spaces and lone surrogates, which hide a word from every search, are removed too.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return " ".join(_UNWANTED.sub("", text).split())


def search_key(text: str) -> str:
    """A text as its words are counted: folded, one space between words."""
    if text.isascii():
        return _SIGNS.sub(" ", text.lower())
    return spaced_words(fold(text))


def forms(word: str) -> list[str]:
    """A word and its regular English endings: plural, past, -ing.

    By the rules of spelling alone, without a dictionary: "mouse" does not give "mice". A word with anything
    but Latin letters has no other forms.
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
            # "thing" is not a form of "the"
            endings = [plural, lower + "d", *([stem + "ing"] if re.search("[aeiouy]", stem) else [])]
        else:
            if re.fullmatch(r"[^aeiou]*(qu)?[aeiou][^aeiouwxy]", lower):
                stem += lower[-1]
            endings = [plural, stem + "ed", stem + "ing"]
    return [word, *endings]
