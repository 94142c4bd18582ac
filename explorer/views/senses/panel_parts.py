"""Parts of the panels for the visitor's own text and for a folder: style, progress bar, sample controls."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.frame.settings import Settings
from explorer.views.senses.settings import DRAWN, LOCKED, SEED

CSS = Path(__file__).with_name("own_text.css")


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A progress bar that appears when `step(count, total)` is called, and disappears at the end."""
    slot = st.container(key="own/progress")  # always there, so that what follows keeps its place
    bar = None

    def step(count: int, total: int) -> None:
        nonlocal bar
        bar = bar or slot.empty()
        bar.progress(count / total, f"{count:,} of {total:,} occurrences read")

    try:
        yield step
    finally:
        if bar is not None:
            bar.empty()


def again(settings: Settings) -> None:
    """Draw the button for a new sample."""
    st.button(
        ":material/casino:",
        key="own/again",
        type="tertiary",
        help=f"Draw again: seed {settings[SEED] + 1}",
        on_click=lambda: settings.set(SEED.to(settings[SEED] + 1), LOCKED.to("")),
    )


def how_many(settings: Settings, label: str, counts: Sequence[int], total: int) -> None:
    """Draw the choice of the sample's size; a setting that is not among `counts` becomes the nearest."""
    if len(counts) < 2:
        return
    settings.nearest(DRAWN, counts)
    st.segmented_control(
        label,
        counts,
        key=settings.key(DRAWN, label),
        required=True,
        label_visibility="collapsed",
        format_func=lambda n: f"{n:,}" if n < total else f"all {total:,}",
    )


def style() -> None:
    """The panel's own style."""
    st.html(f"<style>{_css()}</style>")


@cache
def _css() -> str:
    return assets.text(CSS)
