"""A bar for what computes while the page waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def progress_bar() -> Iterator[Callable[[float, str], None]]:
    """A bar, from the first `show(share, text)` to the end of the block."""
    place = st.empty()

    def show(share: float, text: str) -> None:
        place.progress(min(max(share, 0.0), 1.0), text)

    try:
        yield show
    finally:
        place.empty()
