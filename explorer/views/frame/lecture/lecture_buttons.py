"""Buttons that open the lectures that ship: on the first page, and under Teach."""

from collections.abc import Callable

import streamlit as st

from explorer.views.frame.lecture.lecture_library import Ready, lectures, open_lecture

Open = Callable[[Ready], None]


def by_length(where: str, on_click: Open = open_lecture) -> None:
    """Those about all of it, by their minutes, the shortest first; `where` begins the keys of the buttons."""
    for ready in reversed([one for one in lectures() if one.is_whole]):
        _button(where, f"{ready.minutes} min", ready, on_click)


def by_subject(where: str, on_click: Open = open_lecture) -> None:
    """Those about one subject, by their titles."""
    for ready in lectures():
        if not ready.is_whole and not ready.asks:
            _button(where, ready.title, ready, on_click)


def _button(where: str, label: str, ready: Ready, on_click: Open) -> None:
    how = f"{ready.title}, {ready.stops} stops in {ready.minutes} minutes"
    st.button(label, key=f"{where}/lecture/{ready.name}", help=how, on_click=on_click, args=(ready,))
