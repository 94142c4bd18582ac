"""Give the lecture, or learn by yourself: a button for each that ships opens its first stop."""

import streamlit as st

from explorer.views.frame.lecture import lecture_library

LECTURES = "Each stop says what to say, ask and see. In presenter mode a clicker goes from stop to stop."
COURSES = "Each stop has a question. Answer it to go on, and read what was right or wrong about your answer."


def offer() -> None:
    """The lectures, and beside them the course for oneself."""
    with st.container(key="home-lectures"):
        lectures, courses = st.columns([3, 2], gap="large")
        with lectures.container(gap="xsmall"):
            _offer("Give the lecture", LECTURES, asks=False)
        with courses.container(gap="xsmall"):
            _offer("Learn by yourself", COURSES, asks=True)


def _offer(heading: str, how: str, asks: bool) -> None:
    """A button for each lecture, or for each course, with its length and how it is used."""
    st.html(f'<p class="rb-how"><b>{heading}</b></p>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for number, ready in enumerate(one for one in lecture_library.lectures() if one.asks == asks):
            st.button(
                f"{ready.title} · {ready.stops} stops",
                key=f"home/lecture/{ready.name}",
                type="secondary" if number else "primary",
                on_click=lecture_library.open_lecture,
                args=(ready,),
            )
    st.html(f'<p class="rb-point">{how}</p>')
