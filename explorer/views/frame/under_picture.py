"""What follows a picture: what to see in it, how to read it, formulas, and the code that gives the same."""

from collections.abc import Sequence
from zlib import crc32

import streamlit as st

from explorer.locale import _, close_up, translate
from explorer.text.letters import has_letters
from explorer.views.frame import presenter
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.hints import Hints
from explorer.views.frame.lecture import lecturing
from explorer.views.widgets.formula import Formula, formula


def show_hints(hints: Hints) -> None:
    """Under the opening picture: what to see, and what to try next."""
    _show_line(
        with_terms(f"{_lead(_('What you see:'))} {hints.see}<br>{_lead(_('Now try:'))} {hints.then}"),
        "rb-first",
    )


def show_point(label: str, point: str) -> None:
    """In the hints' place after a press on a preset: its name and its point."""
    lead = _lead(_("{label}:", label=label) if has_letters(label[-1]) else label)
    _show_line(f"{lead} {with_terms(point)}", "rb-now")


def show_now(html: str) -> None:
    """In the hints' place after a change: what has become of what they said. Nothing if it is empty."""
    if html:
        _show_line(f"{_lead(_('What changed:'))} {html}", "rb-now")


def _lead(words: str) -> str:
    """The first words of a line, which are the heading of what they lead to."""
    return f'<b role="heading" aria-level="2">{words}</b>'


def _show_line(html: str, kind: str) -> None:
    """A line under the picture; in presenter mode at the lower edge of the screen, if it is asked for.

    Where it is not, presenter.css leaves it for paper alone.
    """
    asks = bool(lecturing.notes())  # at a stop of a lecture, whose answer the line would give away
    if presenter.presenting() and presenter.HINTS_SHOWN.get() and not asks:
        kind += " rb-told"
    st.html(f'<p class="rb-how {kind}">{close_up(html)}</p>')


def how_to_read(sentence: str, caveat: str = "") -> None:
    """How to read the picture, and the caveat, under it; in presenter mode on paper alone."""
    quiet = f'<span class="rb-quiet"> {caveat}</span>' if caveat else ""
    lead = _lead(_("How to read it:"))
    html = close_up(f"{lead} {with_terms(sentence + quiet)}")
    st.html(f'<p class="rb-how" id="rb-reading">{html}</p>')


def show_formulas(formulas: Sequence[Formula], key: str) -> None:
    """The formulas of a view; `key` is its own on the page."""
    if not formulas:
        return
    with st.container(key="formulas", gap="xxsmall"):
        for number, content in enumerate(formulas):
            formula(content, f"{key}-{number}")


def show_code(code: str, link: str) -> None:
    """The program that gives the same result; `link` says what the address carries."""
    if presenter.presenting():
        return
    with st.expander(_("Show the code")):
        with st.container(key=f"program/{crc32(code.encode())}"):  # see `page.prose`
            st.code(code, language="python")
        st.html(f'<p class="rb-quiet">{translate(link)}</p>')
