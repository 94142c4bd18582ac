"""How to query an index for a word, and which forms a word has.

The full-text index is queried with single quoted words only, never with what a person typed, so nobody can
use its query language. A query may select too many sentences, never too few: `WordSearch` decides.
"""

import re
import unicodedata
from dataclasses import dataclass

from explorer.text.folding import fold
from explorer.text.letters import is_letters, spaced_words

LONGEST_WORD = 60

_VARIED = "'\"-" + "%_\\"  # characters with other spellings, and those that mean something else to LIKE
_SIGNS = re.compile("[^a-z0-9]+")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ud800-\udfff]")


@dataclass(frozen=True)
class Query:
    """How to preselect sentences: by `words` (full text), by `like`, or a `scan` of all.

    `argument` is the value to bind: an FTS5 expression, a LIKE pattern with \\ as its escape, or "".
    """

    method: str
    argument: str


def tidy(text: str) -> str:
    """A text as it is stored and compared: composed characters (NFC), single spaces, no control characters.

    Soft hyphens, zero-width spaces and lone surrogates, which hide a word from every search, are removed too.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return " ".join(_UNWANTED.sub("", text).split())


def select_sentences(words: list[str]) -> tuple[str, tuple[str, ...]]:
    """The SQL that selects at least every sentence with one of the words, and the values to bind."""
    queries = [query(word) for word in words]
    methods = {each.method for each in queries}
    arguments = tuple(each.argument for each in queries)
    if methods == {"words"}:  # several words are regular forms, or one word in two scripts
        match = " OR ".join(f"({argument})" for argument in arguments)
        # Ordered by the table's own rowid: any other order is sorted in a temporary file.
        select = "SELECT id, text FROM words JOIN sentence ON id = words.rowid"
        return f"{select} WHERE words MATCH ? ORDER BY words.rowid", (match,)
    if methods == {"like"}:
        likes = " OR ".join([r"COALESCE(folded, text) LIKE ? ESCAPE '\'"] * len(arguments))
        return f"SELECT id, text FROM sentence WHERE {likes} ORDER BY id", arguments
    return "SELECT id, text FROM sentence ORDER BY id", ()


def query(word: str) -> Query:
    """How to preselect the sentences that may have a word.

    >>> query("Blood bank"), query("银行")
    (Query(method='words', argument='"blood" "bank"'), Query(method='like', argument='%银%行%'))
    """
    word = fold(word)
    tokens = search_key(word).split()
    if tokens and all(map(_is_plain, word)):
        return Query("words", " ".join(f'"{token}"' for token in tokens))
    if any(char.lower() != char.upper() for char in word):  # LIKE ignores the case of ASCII letters alone
        return Query("scan", "")
    # Between any two characters there may be one that `fold` drops; some signs have other spellings.
    return Query("like", "%" + "".join(f"{'_' if char in _VARIED else char}%" for char in word))


def search_key(text: str) -> str:
    """A text as the full-text index stores it: folded, one space between words.

    SQLite does not do this, because its tables of letters are older: it takes some signs and new pictographs
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


def _is_plain(char: str) -> bool:
    """Whether a character is ASCII, or a Latin, Greek or Cyrillic letter: unicode61 and Python agree on
    these."""
    return char.isascii() or (
        is_letters(char) and ("\u00c0" <= char <= "\u0481" or "\u1e00" <= char <= "\u1eff")
    )
