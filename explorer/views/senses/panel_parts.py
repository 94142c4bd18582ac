"""What the panels of one's own text and of a folder of vectors share: their style, and a bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import streamlit as st

from explorer import assets

CSS = Path(__file__).with_name("own_text.css")


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A bar that is there once `step(done, all)` is called, and gone at the end."""
    slot = st.container(key="own/progress")  # always there, so that what follows keeps its place
    bar = None

    def step(done: int, total: int) -> None:
        nonlocal bar
        bar = bar or slot.empty()
        bar.progress(done / total, f"{done:,} of {total:,} occurrences read")

    try:
        yield step
    finally:
        if bar is not None:
            bar.empty()


def style() -> None:
    """The panel's own style."""
    st.html(f"<style>{_css()}</style>")


@cache
def _css() -> str:
    return assets.text(CSS)
