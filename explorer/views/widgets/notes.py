"""The lines of text that views draw around their pictures: a note, a heading, what to do first."""

from html import escape

import streamlit as st


def note(text: str) -> None:
    """A line in small, pale type. The text is shown as it is."""
    note_html(escape(text))


def note_html(html: str) -> None:
    """A note whose words carry marks of their own, such as `quoted` ones."""
    st.html(f'<p class="rb-note">{html}</p>')


def heading(text: str) -> None:
    """A small heading above one of several pictures. The text is shown as it is."""
    st.html(f'<p class="rb-heading">{escape(text)}</p>')


def instruction(text: str = "Type a sentence above.") -> None:
    """In a picture's place, what to do to get one. The text is shown as it is."""
    st.html(f'<p class="rb-instruction">{escape(text)}</p>')


def spoken(text: str) -> None:
    """What a picture shows, for screen readers only. The text is read as it is."""
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
    st.html(f'<p style="{hidden}">{escape(text)}</p>')
