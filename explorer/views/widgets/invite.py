"""What stands in a picture's place while there is none: what to do."""

import streamlit as st


def invite(padding: int = 160, text: str = "Type a sentence above.", below: int | None = None) -> None:
    """A line in the middle, with so many pixels above it, and as many or `below` under it."""
    under = padding if below is None else below
    st.html(f'<p class="rb-empty" style="padding:{padding}px 0 {under}px">{text}</p>')
