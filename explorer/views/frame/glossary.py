"""The terms of the glossary: marked in our own sentences, with the meaning on hover; and the list of all.

`assets/glossary.md` has a line for each term: `**head** (heads): what it means.` A sentence marks a term
once. Words in quotation marks are examples and are not marked.
"""

import re
from html import escape

import streamlit as st

from explorer import assets
from explorer.assets import GLOSSARY, read_once
from explorer.locale import ENGLISH, _, language, translate_lines
from explorer.server.kept import kept
from explorer.server.streamlit_private import draw_kept
from explorer.views.widgets.registry import component

_LINE = re.compile(r"^\*\*(?P<term>.+?)\*\*(?: \((?P<forms>.+?)\))?\s?: (?P<meaning>.+)$", re.MULTILINE)
MODELS = "\n# Models\n"  # from here on: names of models, which are not marked
# Parts that are not marked: tags, entities, examples, and “cosine” beside “sine”.
_UNMARKED = re.compile(r"(<[^>]*>|[“«][^”»]*[”»]|&#?\w+;|\bsines?\b[^.;:]*?\bcosines?\b)")


def terms() -> dict[str, str]:
    """Each term with its meaning, in alphabetical order."""
    return _terms(language())


@read_once
def _terms(language: str) -> dict[str, str]:
    lines = _LINE.finditer(translate_lines(assets.text(GLOSSARY)))
    meanings = {line["term"]: line["meaning"] for line in lines}  # in the order of the English terms
    return (
        meanings
        if language == ENGLISH
        else dict(sorted(meanings.items(), key=lambda each: each[0].casefold()))
    )


def with_terms(html: str) -> str:
    """A sentence of ours as HTML, with each term marked at its first occurrence."""
    return _with_terms(html, language())


@kept(1024)
def _with_terms(html: str, language: str) -> str:
    pattern, term_of = _forms(language)
    used: set[str] = set()

    def mark(match: re.Match[str]) -> str:
        term = term_of[match[0].casefold()]
        if term in used:
            return match[0]
        used.add(term)
        meaning = escape(terms()[term], quote=True)
        return (
            f'<span class="rb-term" tabindex="0" role="note" data-meaning="{meaning}" '
            f'aria-description="{meaning}">{match[0]}</span>'
        )

    parts = _UNMARKED.split(html)
    return "".join(part if i % 2 else pattern.sub(mark, part) for i, part in enumerate(parts))


@read_once
def _forms(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern of all forms of the terms, the longest first, and the term of each form."""
    term_of: dict[str, str] = {}
    for line in _LINE.finditer(translate_lines(assets.text(GLOSSARY).partition(MODELS)[0])):
        for form in (line["term"], *(line["forms"] or "").split(", ")):
            if form:
                term_of[form.casefold()] = line["term"]
    longest = sorted(term_of, key=len, reverse=True)
    either = "|".join(map(re.escape, longest))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE), term_of


def place() -> None:
    """The button in the header that opens the list of all terms, which can be searched."""

    def draw() -> None:
        component("frame/terms")(key="terms/list", data={"terms": [*terms().items()]})

    draw_kept(st.popover(_("Terms"), key="terms", help=_("What the words mean")), "terms", None, draw)
