"""Teach, in every header: presenter mode, the lectures, and the class; on stage the class alone."""

from typing import Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.locale import N_, _
from explorer.server.streamlit_private import draw_kept
from explorer.views.frame import navigation, popovers, presenter
from explorer.views.frame.lecture import lecture_changes, lecture_library
from explorer.views.frame.lecture.lecture import FIRST_PAGE
from explorer.views.frame.lecture.lecture_library import Ready, open_lecture
from explorer.views.frame.polls import asking, class_room, room_popover
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.settings.settings import Settings
from explorer.views.widgets.visually_hidden import hidden_label

PRESENT = N_("Present: one picture, larger (P)")
STAGE_LABEL = N_("Class: ask it, on its phones")


def place() -> Any:
    """The popover's button in the header, which `fill` fills once the page knows its view.

    The code of an open room is on it.
    """
    here, presenting = _room()[0], presenter.presenting()
    label = f"`{here.code}`" if here else hidden_label(_(STAGE_LABEL)) if presenting else ""
    icon = ":material/groups:" if presenting else None
    key = f"{asking.POPOVER}/{popovers.times_closed(asking.POPOVER)}"
    with st.container(width="content", key="header-polls"):
        popover = st.popover(label if presenting else f"{_('Teach')} {label}".strip(), icon=icon, key=key)
        if here is not None:
            room_popover.join_screen(here)
    return popover


def fill(popover: Any, settings: Settings, make_polls: Polls) -> None:
    """Presenter mode, the class and the lectures; on stage the class alone."""
    here, problem = _room()
    presenting = presenter.presenting()
    with popover:
        if not presenting:
            if here is None:
                room_popover.draw_code_box("teach")
            st.button(_(PRESENT), key="teach/present", icon=":material/slideshow:", on_click=_present)
        if problem:
            st.text(problem)
        room_popover.draw_class(here, make_polls)
        if not presenting:
            _draw_lectures(settings)


def _room() -> tuple[Room | None, str]:
    """The open room, and what is wrong if it cannot be read."""
    try:
        return class_room.room(), ""
    except ExplorerError as error:
        return None, str(error)


def _draw_lectures(settings: Settings) -> None:
    def draw_ready() -> None:
        st.html(f'<p class="rb-how"><b>{_("Teach in")}</b></p>', width="content")
        lecture_library.by_length("teach", _give)

    box = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    draw_kept(box, "teach/lectures", None, draw_ready)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if settings.page != FIRST_PAGE:
            navigation.link(FIRST_PAGE, _("Or one subject"))
        st.button(
            _("Add this view to my lecture"),
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
