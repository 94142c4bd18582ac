"""The language of the interface: English in the code, other languages in `assets/locale`, by gettext.

A text is looked up as it is shown, in the language of whoever sees it: `_("Send")`. What a language
lacks stays English. Fields are filled in afterwards, so that no typed text is ever looked up.

Each language has a file for each of the `DOMAINS`, as far as it has been translated.
"""

import codecs
import gettext
import io
import logging
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import regex

from explorer.assets import LOCALE, read_once

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ENGLISH = "en"
RIGHT_TO_LEFT = ("ar",)
PHONE, APP = "phone", "app"  # the phones' page, and the pages around the views
DOMAINS = (PHONE, APP, "views", "glossary", "lectures")
_IN_SCRIPT = regex.compile(r'(?<![\p{L}_$.])t\("((?:[^"\\]|\\.)+)"')  # see translations.js
_GAP = regex.compile(r"(?<=[。！？；：，、）])((?:<[^<>]+>)*) (?=\S)")
T = TypeVar("T")
Arguments = ParamSpec("Arguments")

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language in which texts are shown here and now, such as “fr”."""
    return _language.get()


def use(name: str) -> None:
    """Show texts in a language from now on, in this request or thread alone."""
    _language.set(name if name in languages() else ENGLISH)


@read_once
def languages(domain: str = PHONE) -> tuple[str, ...]:
    """The languages in which a domain is shown, English first."""
    return (ENGLISH, *sorted(path.parent.name for path in LOCALE.glob(f"*/{domain}.po")))


def choose(header: str, domain: str = PHONE) -> str:
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
    return next((name for _, _, name in sorted(wishes) if name in languages(domain)), ENGLISH)


def _(text: str, /, **fields: Any) -> str:
    """A text in the language of whoever sees it, with its fields filled in."""
    return _filled(_catalogue(language()).gettext(text), text, fields)


def _filled(translation: str, english: str, fields: Mapping[str, Any]) -> str:
    """A translation with its fields, or the English text where a translator has mistaken one of them."""
    try:
        return translation.format(**fields)
    except (LookupError, ValueError, AttributeError, TypeError):
        return english.format(**fields)


def in_this_language(make: Callable[Arguments, T]) -> Callable[Arguments, T]:
    """What is made later, in another thread, in the language of whoever asks for it now."""
    name = language()

    def make_in_language(*args: Arguments.args, **kwargs: Arguments.kwargs) -> T:
        before = _language.set(name)
        try:
            return make(*args, **kwargs)
        finally:
            _language.reset(before)

    return make_in_language


class Filled(str):
    """An English text with its fields filled in, which `translate` says in another language."""

    text: str
    fields: dict[str, Any]


def N_(text: str, /, **fields: Any) -> str:
    """A constant that is shown with `_` later: the same text, which is among those to be translated.

    With fields, as in a result that is kept, it is the English text, and is shown with `translate`.
    """
    if not fields:
        return text
    filled = Filled(text.format(**fields))
    filled.text, filled.fields = text, fields
    return filled


def translate(value: T) -> T:
    """What ships as data (a text, or what has texts as parts) in the language of whoever sees it."""
    result: Any = value
    if language() == ENGLISH or not value:
        return value
    if isinstance(value, Filled):
        result = _(value.text, **value.fields)
    elif isinstance(value, str):
        result = _catalogue(language()).gettext(value)
    elif isinstance(value, Mapping):
        result = {key: translate(part) for key, part in value.items()}
    elif isinstance(value, list):
        result = [translate(part) for part in value]
    elif isinstance(value, tuple):
        parts = [translate(part) for part in value]
        result = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif is_dataclass(value) and not isinstance(value, type):
        parts_by_name = {field.name: translate(getattr(value, field.name)) for field in fields(value)}
        result = replace(value, **parts_by_name)
    return result  # type: ignore[no-any-return]


def translate_lines(text: str) -> str:
    """A text of which each line is translated for itself, such as a lecture."""
    return "\n".join(map(translate, text.split("\n")))


def texts_in_script(script: str) -> Iterator[tuple[str, int]]:
    """The texts that a component's script looks up, each with where it stands.

    >>> list(texts_in_script('t("Say \\\\"no\\\\"")'))
    [('Say "no"', 0)]
    """
    for match in _IN_SCRIPT.finditer(script):
        yield match[1].replace('\\"', '"'), match.start()


def ngettext(one: str, many: str, count: int, /, **fields: Any) -> str:
    """A text about a number of things, in the form that the language has for this `count`.

    It fills in the number itself, and the other fields; `count=` fills it in as another text.
    """
    english = one if count == 1 else many
    return _filled(_catalogue(language()).ngettext(one, many, count), english, {"count": count} | fields)


def close_up(text: str) -> str:
    """Sentences that were joined with spaces, which Chinese does not write after its own punctuation.

    >>> close_up("A. B")
    'A. B'
    """
    return _GAP.sub(r"\1", text) if language() == "zh" else text


def format_number(value: float) -> str:
    """A number as the language writes it: its groups of digits and its decimal mark.

    >>> format_number(1300), format_number(0.25)
    ('1,300', '0.25')
    """
    if language() == ENGLISH:
        return f"{value:,.10g}"
    from babel.numbers import format_decimal

    return str(format_decimal(value, "#,##0.##########", language()))


def localised(number: str) -> str:
    """A number as Python writes it, with the decimal mark and the groups of digits of the language."""
    if language() == ENGLISH:
        return number
    return number.translate({ord(mark): _(mark) for mark in ",."})


def format_with(value: float, spec: str) -> str:
    """A number by Python's format, such as “.2f”, with a true minus sign, as the language writes it.

    >>> format_with(-0.125, "+.2f")
    '−0.12'
    """
    return localised(f"{value:{spec}}".replace("-", "−"))


def percent(number: object) -> str:
    """A number of hundredths with its sign: “46%”, in French “46 %”."""
    return _("{number}%", number=number)


def format_large_number(value: float) -> str:
    """A number from a million on, in the language's words.

    >>> format_large_number(1.24e8)
    '124 million'
    """
    from babel.numbers import format_compact_decimal

    return str(format_compact_decimal(value, format_type="long", locale=language(), fraction_digits=2))


def read_catalogue(name: str, domain: str) -> "Catalog":
    """The entries of a language's file: each English text with its translation; none without a file."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    if name not in languages(domain):
        return Catalog(name)
    data = (LOCALE / name / f"{domain}.po").read_bytes()
    return read_po(io.BytesIO(data.removeprefix(codecs.BOM_UTF8)), name)


@read_once
def _catalogue(name: str) -> gettext.NullTranslations:
    """The texts of a language, of all domains: none of English, which stands in the code.

    A file that cannot be read leaves its texts in English.
    """
    texts = gettext.NullTranslations()
    for domain in DOMAINS if name != ENGLISH else ():
        from babel.messages.mofile import write_mo

        compiled = io.BytesIO()
        try:
            write_mo(compiled, read_catalogue(name, domain))
            compiled.seek(0)
            more, texts = texts, gettext.GNUTranslations(compiled)
        except (OSError, ValueError, LookupError) as error:
            logging.getLogger(__name__).error("%s/%s.po cannot be read: %s", name, domain, error)
            continue
        texts.add_fallback(more)
    return texts
