"""A line where something is still being computed, until the page can be drawn with it."""

from collections.abc import Callable

import streamlit as st


@st.fragment(run_every=1.0)
def wait_until(ready: Callable[[], bool], words: str) -> None:
    """Say some words (HTML of ours), ask each second, and draw the page again once it is ready."""
    if ready():
        st.rerun()
    st.html(f'<p class="rb-point">{words}</p>')
