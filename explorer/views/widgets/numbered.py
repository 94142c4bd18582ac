"""A box of numbered things: Layer 0, Layer 1 and on; heads likewise."""

import streamlit as st

from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings

ALL = -1  # what stands for all of them at once


def numbered(
    settings: Settings, name: Setting[int], label: str, size: int, width: int = 130, every: str = ""
) -> None:
    """A box for which of so many; a stored number beyond them is shown as the nearest.

    `every` is what all at once are called, where they can be chosen together: the number `ALL`.
    """
    least = ALL if every else 0
    settings.adjust(name.to(min(max(settings[name], least), size - 1)))
    st.selectbox(
        label,
        range(least, size),
        key=settings.key(name, label, {ALL: every}.get),
        label_visibility="collapsed",
        width=width,
        format_func=lambda number: every if number == ALL else f"{label} {number}",
    )
