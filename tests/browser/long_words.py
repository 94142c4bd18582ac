"""The app in long words: each text is a third longer, as in German, where it would be in French (lang=fr).

    python -m tests.browser.long_words run app.py

Every vowel is doubled, but for those in fields, tags, code and links. A text whose vowels are single has not
been looked up.
"""

import gettext
import re
import sys
from argparse import REMAINDER

from explorer import locale
from tests.command import parser

LONG = "long"  # the name of these words among languages

KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|`[^`]*`|\]\([^)]*\)|&\w+;|^\*\*[^*]+\*\*)")
DOUBLED = re.compile("(?:aa|ee|ii|oo|uu)+")
VOWEL = re.compile("[aeiou]", re.IGNORECASE)


def lengthen(text: str) -> str:
    """A text in long words.

    >>> lengthen("Layer {n} of <b>all</b>"), lengthen("**head**: one of several")
    ('Laayeer {n} oof <b>aall</b>', '**head**: oonee oof seeveeraal')
    """
    parts = KEPT.split(text)
    return "".join(part if i % 2 else VOWEL.sub(r"\g<0>\g<0>", part) for i, part in enumerate(parts))


def is_long(text: str) -> bool:
    """Whether a text that is seen is one in long words, and no example or token.

    >>> is_long("Laayeer 3"), is_long("a tree")
    (True, False)
    """
    doubled = sum(map(len, DOUBLED.findall(text.casefold())))
    return doubled > 0.7 * len(VOWEL.findall(text))


class LongWords(gettext.NullTranslations):
    """Long words for every text; none for a lecture’s lines and formulas, which programs read."""

    def gettext(self, message: str) -> str:
        """One text, made longer."""
        kept = message.lstrip().startswith(("* ", "#")) or "\\" in message
        return message if kept else lengthen(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The text for this number, made longer."""
        return lengthen(msgid1 if n == 1 else msgid2)


def take_the_place_of_french() -> None:
    """Show long words to whoever asks for French."""
    catalogue = locale._catalogue
    locale._catalogue = lambda name: LongWords() if name == "fr" else catalogue(name)


if __name__ == "__main__":
    from streamlit.web.cli import main

    p = parser("tests.browser.long_words", __doc__)
    p.add_argument("arguments", nargs=REMAINDER, help="of the command streamlit")
    arguments = p.parse_args().arguments
    take_the_place_of_french()
    sys.exit(main(arguments, prog_name="streamlit"))
