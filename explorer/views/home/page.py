"""The start page: pictures that move, one view, and no model before somebody clicks or types."""

from collections.abc import Mapping

import streamlit as st

from explorer.locale import _
from explorer.server.streamlit_private import draw_kept
from explorer.views import kit
from explorer.views.frame.lecture import lecture_library, lecturing
from explorer.views.frame.lecture.lecture_library import lectures, open_lecture
from explorer.views.frame.polls import room_popover
from explorer.views.home import moving_pictures, start
from explorer.views.home.guesses import MODEL

VIEWS: Mapping[str, kit.View[None]] = {"start": start.VIEW}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The badge of the model that guesses or writes; no lecture is offered and nothing moves during one."""
    has_gap = kit.MASK in start.text_of(settings)
    header.badge(MODEL if has_gap else kit.WRITER)
    header.needs = ["FILL"] if has_gap else ["GENERATE"]
    if not kit.presenter.presenting() and lecturing.at() is None:
        _offer()
        moving_pictures.draw()
    return kit.OpenPage(settings, start.VIEW, None)


def _offer() -> None:
    """First the code of a class; then the lectures by their minutes and subjects, and the course."""
    with st.container(key="home-top", horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(key="home-code", width="content"):
            room_popover.draw_code_box("home")
        box = st.container(
            key="home-lectures", width="content", horizontal=True, vertical_alignment="center", gap="small"
        )
        draw_kept(box, "lectures", None, _lectures)


def _lectures() -> None:
    st.html(f'<p class="rb-how">{_("<b>Teach</b> in")}</p>', width="content")
    lecture_library.by_length("home")
    with st.popover(_("one subject"), key="home/subjects"):
        lecture_library.by_subject("home")
    st.html(f'<p class="rb-how"><b>{_("Learn")}</b></p>', width="content")
    course = next(ready for ready in lectures() if ready.asks)
    st.button(
        _("by yourself"),
        key=f"home/lecture/{course.name}",
        help=_("{course}: {count} stops, each with a question", course=course.title, count=course.stops),
        on_click=open_lecture,
        args=(course,),
    )


PAGE = kit.Page(name="home", views=VIEWS, open=open)
