"""The line in the place of a picture that cannot be drawn yet, which says what to do."""

import streamlit as st


def invite(padding: int = 160, text: str = "Type a sentence above.", below: int | None = None) -> None:
    """Draw a centred line with `padding` pixels above it and `below` (by default as many) under it."""
    under = padding if below is None else below
    st.html(f'<p class="rb-empty" style="padding:{padding}px 0 {under}px">{text}</p>')
