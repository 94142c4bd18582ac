"""Join a class, give a lecture, or learn: one line on the first page, above the pictures."""

import streamlit as st

from explorer.views.frame.lecture import lecture_buttons
from explorer.views.frame.lecture.lecture_library import lectures, open_lecture
from explorer.views.frame.polls import panel


def offer() -> None:
    """First the code of a class; then the lectures by their minutes and subjects, and the course."""
    with st.container(key="home-top", horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(key="home-code", width="content"):
            panel.draw_code_box("home")
        with st.container(
            key="home-lectures", width="content", horizontal=True, vertical_alignment="center", gap="small"
        ):
            _lectures()


def _lectures() -> None:
    st.html('<p class="rb-how"><b>Teach</b> in</p>', width="content")
    lecture_buttons.by_length("home")
    with st.popover("one subject", key="home/subjects"):
        lecture_buttons.by_subject("home")
    st.html('<p class="rb-how"><b>Learn</b></p>', width="content")
    course = next(ready for ready in lectures() if ready.asks)
    st.button(
        "by yourself",
        key=f"home/lecture/{course.name}",
        help=f"{course.title}: {course.stops} stops, each with a question",
        on_click=open_lecture,
        args=(course,),
    )
