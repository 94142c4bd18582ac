"""The lines of text that views draw around their pictures: a note, a heading, what to do first."""

from html import escape

import streamlit as st

from explorer.locale import _, close_up


def note(text: str) -> None:
    """A line in small, pale type. The text is shown as it is."""
    note_html(escape(text))


def note_html(html: str) -> None:
    """A note whose words carry marks of their own, such as `quoted` ones."""
    st.html(f'<p class="rb-note">{close_up(html)}</p>')


def heading(text: str, level: int = 3, stacked: bool = False) -> None:
    """A small heading above one of several pictures. The text is shown as it is.

    `level` is 2 for what is not a part of the view's picture. `stacked` shows it on narrow screens alone,
    where columns stand below one another: elsewhere something above them names them.
    """
    kind = "rb-heading rb-stacked" if stacked else "rb-heading"
    st.html(f'<h{level} class="{kind}">{escape(text)}</h{level}>')


def instruction(text: str = "") -> None:
    """In a picture's place, what to do to get one, by default to type. The text is shown as it is."""
    st.html(f'<p class="rb-instruction">{escape(text or _("Type a sentence above."))}</p>')


def spoken(text: str) -> None:
    """What a picture shows, for screen readers only. The text is read as it is."""
    st.html(f'<p class="rb-unseen">{close_up(escape(text))}</p>')
