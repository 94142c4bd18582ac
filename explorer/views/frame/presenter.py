"""Presenter mode, for a room: the title, the person's text and one picture, larger; nothing else.

`?present=1` in the address turns it on, so that a link for a lecture opens in it. PageUp and
PageDown, the keys of a clicker, change pages; P enters and leaves.
"""

from functools import cache
from pathlib import Path

import streamlit as st

from explorer import assets
from explorer.views.frame import navigation
from explorer.views.widgets.registry import component

CSS = Path(__file__).with_name("presenter.css")
NAME, ON = "present", "1"  # settings.py keeps this parameter in every link


def presenting() -> bool:
    """Whether the address asks for presenter mode."""
    return st.query_params.get(NAME) == ON


def style() -> str:
    """What presenter mode adds to the page's CSS; nothing otherwise."""
    return _css() if presenting() else ""


def controls(name: str) -> None:
    """The way in; in presenter mode the ways to the pages before and after, and the way out."""
    if not presenting():
        st.button(
            ":material/slideshow:",
            key="present/enter",
            shortcut="P",
            on_click=_turn,
            args=(True,),
            help="Present: one picture, larger (P)",
        )
        return
    pages = navigation.pages()
    at = next(i for i, page in enumerate(pages) if page.name == name)
    component("frame/pager")(key="present/pager", height=1, width=1)
    for key, icon, to in (("PageUp", "chevron_left", at - 1), ("PageDown", "chevron_right", at + 1)):
        there = 0 <= to < len(pages)
        with st.container(key=f"present-{key}", width="content"):
            if st.session_state.get("/framed"):  # else a page run on its own, as a test does
                st.page_link(
                    pages[to if there else at].path,
                    label=f":material/{icon}:",
                    disabled=not there,
                    help=f"{pages[to].title} ({key})" if there else None,
                    query_params={NAME: ON},
                )
    st.button(
        ":material/close_fullscreen:",
        key="present/leave",
        shortcut="P",
        type="tertiary",
        help="Leave presenter mode (P)",
        on_click=_turn,
        args=(False,),
    )


def _turn(on: bool) -> None:
    if on:
        st.query_params[NAME] = ON
    else:
        st.query_params.pop(NAME, None)


@cache
def _css() -> str:
    return assets.text(CSS)
