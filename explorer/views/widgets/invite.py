"""What stands in a picture's place while nothing is typed."""

import streamlit as st


def invite(padding: int = 160) -> None:
    """A line in the middle of so many pixels above and below it."""
    st.html(
        f'<p class="rb-caption" style="padding:{padding}px 0;text-align:center">Type a sentence above.</p>'
    )
