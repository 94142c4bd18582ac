"""The language of the interface: English in the code, other languages in `assets/locale`, by gettext.

A text is looked up as it is shown, in the language of whoever sees it: `_("Send")`. What a language
lacks stays English. Fields are filled in afterwards, so that no typed text is ever looked up.
"""

import gettext
import io
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from explorer.assets import LOCALE, read_once

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ENGLISH = "en"
RIGHT_TO_LEFT = ("ar",)
DOMAIN = "phone"  # the texts of the phones' page; each language has a file for each domain

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language in which texts are shown here and now, such as “fr”."""
    return _language.get()


def use(name: str) -> None:
    """Show texts in a language from now on, in this request or thread alone."""
    _language.set(name if name in languages() else ENGLISH)


@read_once
def languages() -> tuple[str, ...]:
    """The languages that there are, English first."""
    return (ENGLISH, *sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir()))


def choose(header: str) -> str:
    """The language that a browser asks for (`Accept-Language`, RFC 9110, section 12.5.4), or else English.

    >>> choose("de-CH, fr;q=0.9"), choose("xx, zh-TW;q=0.8, fr;q=0.5"), choose("")
    ('de', 'zh', 'en')
    """
    wishes: list[tuple[float, int, str]] = []
    for part in header.split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1), len(wishes), name.partition("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(wishes) if name in languages()), ENGLISH)


def _(text: str, /, **fields: Any) -> str:
    """A text in the language of whoever sees it, with its fields filled in."""
    return _catalogue(language()).gettext(text).format(**fields)


def ngettext(one: str, many: str, count: int) -> str:
    """A text about a number of things, in the form that the language has for this `count`."""
    return _catalogue(language()).ngettext(one, many, count).format(count=count)


def format_number(value: float) -> str:
    """A number as the language writes it: its groups of digits and its decimal mark.

    >>> format_number(1300), format_number(0.25)
    ('1,300', '0.25')
    """
    if language() == ENGLISH:
        return f"{value:,.10g}"
    from babel.numbers import format_decimal

    return str(format_decimal(value, "#,##0.##########", language()))


def format_large_number(value: float) -> str:
    """A number from a million on, in the language's words.

    >>> format_large_number(1.24e8)
    '124 million'
    """
    from babel.numbers import format_compact_decimal

    return str(format_compact_decimal(value, format_type="long", locale=language(), fraction_digits=2))


def read_catalogue(name: str) -> "Catalog":
    """The entries of a language's file: each English text with its translation."""
    from babel.messages.pofile import read_po

    with (LOCALE / name / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, name)


@read_once
def _catalogue(name: str) -> gettext.NullTranslations:
    """The texts of a language: none of English, which stands in the code."""
    if name == ENGLISH:
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(name))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
