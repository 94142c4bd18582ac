"""The visitor's notebook as a dialog: each kept picture with a sentence, and the files to hand in."""

from html import escape
from urllib.parse import urljoin

import streamlit as st

from explorer.server import hosts
from explorer.views.frame.order_buttons import order_buttons
from explorer.views.frame.saving import notebook_entries, notebook_page
from explorer.views.frame.saving.notebook_entries import NotebookEntry
from explorer.views.widgets.notes import note

AUTHOR = "/kept/author"
PICTURE_PX = 480


def sidebar() -> None:
    """Below the pages, the button that opens the notebook; nothing while it is empty."""
    if number := len(notebook_entries.pictures()):
        st.sidebar.button(f"My notebook ({number})", key="kept/open", width="stretch", on_click=_dialog)


@st.dialog("My notebook", width="large")
def _dialog() -> None:
    pictures = notebook_entries.pictures()
    if not pictures:
        st.html('<p class="rb-how">It is empty: under Save, press Keep beside a picture.</p>')
        return
    author = st.text_input("Your name, if it should be on the page", key=AUTHOR, max_chars=100)
    for place, one in enumerate(pictures):
        _entry(one, place, len(pictures))
    written = sum(bool(one.sentence.strip()) for one in pictures)
    note(f"Pictures with a sentence: {written} of {len(pictures)}.")
    server = urljoin(st.context.url or "", f"{hosts.visited_base()}/")
    with st.container(horizontal=True):
        st.download_button(
            "Save as one page · HTML",
            lambda: notebook_page.html(pictures, author, server),
            "riverbank-notebook.html",
            "text/html",
            key="kept/html",
            on_click="ignore",
            type="primary",
        )
        st.download_button(
            "Save as a lecture · MD",
            lambda: notebook_page.markdown(pictures),
            "riverbank-notebook.md",
            "text/markdown",
            key="kept/md",
            on_click="ignore",
        )


def _entry(one: NotebookEntry, place: int, number: int) -> None:
    key = f"kept/sentence/{one.number}"
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<p class="rb-how"><b>{place + 1}.</b> {escape(one.title)}</p>', width="stretch")
            order_buttons("kept", one.number, place, number, notebook_entries.move, notebook_entries.remove)
        st.image(one.picture, width=PICTURE_PX)
        st.text_area(
            "What you see in it, in your own words",
            one.sentence,
            key=key,
            height=80,
            max_chars=notebook_entries.LONGEST,
            on_change=notebook_entries.write_sentence,
            args=(one.number, key),
        )
