"""A select box of numbered items, such as Layer 1, Layer 2. Links count them from 0."""

import streamlit as st

from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings

ALL = -1  # the number for all of them


def numbered(
    settings: Settings, name: Setting[int], label: str, size: int, width: int = 130, every: str = ""
) -> None:
    """Draw a box for one of `size` items; a larger stored number is shown as the nearest.

    `every` is the label for all items at once, with the number `ALL`; without it they cannot be chosen.
    """
    least = ALL if every else 0
    settings.clamp(name, least, size - 1)
    st.selectbox(
        label,
        range(least, size),
        key=settings.key(name, label, lambda number: every if number == ALL else str(number + 1)),
        label_visibility="collapsed",
        width=width,
        format_func=lambda number: every if number == ALL else f"{label} {number + 1}",
    )
