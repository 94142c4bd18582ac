"""Buttons that move an entry of a list up and down, and take it out."""

from collections.abc import Callable

import streamlit as st

from explorer.views.widgets.unseen import unseen_label


def order_buttons(
    key: str,
    entry: int,
    place: int,
    number: int,
    move: Callable[[int, int], None],
    remove: Callable[[int], None],
) -> None:
    """Draw the buttons for the entry at `place` of `number`.

    The callbacks are called with `entry`, by which they know it, and `move` with the step, -1 or 1. The
    keys of the buttons begin with `key`.
    """
    for icon, label, change, arguments, can in (
        ("arrow_upward", "Move up", move, (entry, -1), place > 0),
        ("arrow_downward", "Move down", move, (entry, 1), place < number - 1),
        ("close", "Remove", remove, (entry,), True),
    ):
        st.button(
            unseen_label(label),
            icon=f":material/{icon}:",
            key=f"{key}/{icon}/{entry}",
            type="tertiary",
            help=label,
            disabled=not can,
            on_click=change,
            args=arguments,
        )
