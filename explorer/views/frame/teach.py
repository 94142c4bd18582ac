"""Teach, in every header: presenter mode, the lectures, and the class; on stage the class alone."""

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame import navigation, popovers, presenter
from explorer.views.frame.lecture import lecture_buttons, lecture_changes
from explorer.views.frame.lecture.lecture import FIRST_PAGE
from explorer.views.frame.lecture.lecture_library import Ready, open_lecture
from explorer.views.frame.polls import asking, class_room, panel
from explorer.views.frame.polls.asking import Polls
from explorer.views.settings.settings import Settings
from explorer.views.widgets.visually_hidden import hidden_label

PRESENT = "Present: one picture, larger (P)"
STAGE_LABEL = hidden_label("Class: ask it, on its phones")


def control(settings: Settings, make_polls: Polls) -> None:
    """The popover; an open room comes first in it, and its code is on the button."""
    problem = ""
    try:
        here = class_room.room()
    except ExplorerError as error:
        here, problem = None, str(error)
    presenting = presenter.presenting()
    label = f"`{here.code}`" if here else STAGE_LABEL if presenting else ""
    icon = ":material/groups:" if presenting else None
    key = f"{asking.POPOVER}/{popovers.times_closed(asking.POPOVER)}"
    with st.popover(label if presenting else f"Teach {label}".strip(), icon=icon, key=key):
        if not presenting:
            st.button(PRESENT, key="teach/present", icon=":material/slideshow:", on_click=_present)
        if problem:
            st.text(problem)
        panel.draw_class(here, make_polls)
        if not presenting:
            _draw_lectures(settings)
        if here is None:
            panel.draw_code_box()
    if here is not None:
        panel.join_screen(here)


def _draw_lectures(settings: Settings) -> None:
    """The lectures that ship, and one's own."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.html('<p class="rb-how"><b>Teach in</b></p>', width="content")
        lecture_buttons.by_length("teach", _give)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if settings.page != FIRST_PAGE:
            navigation.link(FIRST_PAGE, "Or one subject")
        st.button(
            "Add this view to my lecture",
            key=f"{settings.page}/to-lecture",
            icon=":material/playlist_add:",
            type="tertiary",
            on_click=lecture_changes.add,
            args=(settings,),
        )


def _present() -> None:
    popovers.close(asking.POPOVER)
    presenter.enter()


def _give(ready: Ready) -> None:
    popovers.close(asking.POPOVER)
    open_lecture(ready)
