"""Give a lecture, or learn: one line on the first page, above the pictures."""

import streamlit as st

from explorer.views.frame.lecture import lecture_buttons
from explorer.views.frame.lecture.lecture_library import lectures, open_lecture
from explorer.views.frame.polls import panel


def offer() -> None:
    """The lectures by their minutes and subjects, and for a learner the course, or the code of a class."""
    with st.container(key="home-lectures", horizontal=True, vertical_alignment="center", gap="small"):
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
        with st.popover("in a class", key="home/join"):
            panel.draw_code_box()
