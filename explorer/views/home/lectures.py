"""Give the lecture: the lectures that ship, each with a button that opens its first stop."""

import streamlit as st

from explorer.views.frame.lecture import lecture_library


def offer() -> None:
    """A button for each lecture, with its length and how it is given."""
    with st.container(key="home-lectures", gap="xsmall"):
        st.html('<p class="rb-how"><b>Give the lecture</b></p>')
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for number, ready in enumerate(lecture_library.lectures()):
                st.button(
                    f"{ready.title} · {ready.stops} stops",
                    key=f"home/lecture/{ready.name}",
                    type="secondary" if number else "primary",
                    on_click=lecture_library.open_lecture,
                    args=(ready,),
                )
        st.html(
            '<p class="rb-point">Each stop says what to say, to ask and to see. Press P for the projector; '
            "a clicker goes from stop to stop.</p>"
        )
