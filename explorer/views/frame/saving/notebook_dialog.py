"""The visitor's notebook as a dialog: each kept picture with a sentence, and the files to hand in."""

import base64
from collections.abc import Sequence
from html import escape
from urllib.parse import urljoin

import streamlit as st

from explorer.locale import _, in_this_language
from explorer.server import hosts
from explorer.views.frame.lecture.lecture import Item, link_to
from explorer.views.frame.lecture.lecture import write as write_items
from explorer.views.frame.order_buttons import order_buttons
from explorer.views.frame.saving import notebook_entries, web_page
from explorer.views.frame.saving.notebook_entries import NotebookEntry
from explorer.views.widgets.notes import note
from explorer.views.widgets.registry import style

STYLE = """
.saved h2 { font: 600 22px/1.2 Georgia, serif; margin: 40px 0 8px; }
.saved img { display: block; width: 100%; border: 1px solid var(--rb-hairline); border-radius: 6px; }
.sentence { margin: 8px 0; white-space: pre-wrap; }
@media print { section { break-inside: avoid; } section + section { break-before: page; } }
"""


def html(pictures: Sequence[NotebookEntry], author: str, server: str) -> str:
    """The page; `author` is a name or empty, `server` the address under which Riverbank was open.

    All texts are escaped: what a visitor typed is shown, never executed.
    """
    title = f"{author.strip()}: Riverbank" if author.strip() else _("A Riverbank notebook")
    sections = "\n".join(_section(number, one, server) for number, one in enumerate(pictures, 1))
    body = f'<main class="saved"><h1>{escape(title)}</h1>\n{sections}\n</main>'
    return web_page.page(title, body, [], f"{style('frame/saving/saved_view.css')}{STYLE}", script="")


def markdown(pictures: Sequence[NotebookEntry]) -> str:
    """The kept views as a lecture, with each sentence as what to say."""
    return write_items(
        [
            Item(
                one.title,
                page=one.page,
                link=one.link,
                notes=(f"Say: {' '.join(one.sentence.split())}",) if one.sentence.strip() else (),
            )
            for one in pictures
        ]
    )


def _section(number: int, one: NotebookEntry, server: str) -> str:
    image = base64.b64encode(one.picture).decode()
    address = escape(f"{server.rstrip('/')}{link_to(one.page, one.link)}", quote=True)
    sentence = f'<p class="sentence">{escape(one.sentence)}</p>' if one.sentence.strip() else ""
    caption = " · ".join(one.caption)
    return (
        f"<section><h2>{number}. {escape(one.title)}</h2>{sentence}"
        f'<img alt="{escape(caption or one.title, quote=True)}" src="data:image/png;base64,{image}">'
        f'<p class="quiet">{escape(caption)} <a href="{address}">{_("Open this view")}</a></p></section>'
    )


AUTHOR = "/kept/author"
PICTURE_PX = 480


def sidebar() -> None:
    """Below the pages, the button that opens the notebook; nothing while it is empty."""
    if number := len(notebook_entries.pictures()):
        st.sidebar.button(
            _("My notebook ({number})", number=number), key="kept/open", width="stretch", on_click=_dialog
        )


def _dialog() -> None:
    st.dialog(_("My notebook"), width="large")(_draw)()


def _draw() -> None:
    pictures = notebook_entries.pictures()
    if not pictures:
        st.html(f'<p class="rb-how">{_("It is empty: under Save, press Keep beside a picture.")}</p>')
        return
    author = st.text_input(_("Your name, if it should be on the page"), key=AUTHOR, max_chars=100)
    for place, one in enumerate(pictures):
        _entry(one, place, len(pictures))
    written = sum(bool(one.sentence.strip()) for one in pictures)
    note(_("Pictures with a sentence: {written} of {count}.", written=written, count=len(pictures)))
    server = urljoin(st.context.url or "", f"{hosts.visited_base()}/")
    with st.container(horizontal=True):
        st.download_button(
            _("Save as one page · HTML"),
            in_this_language(lambda: html(pictures, author, server)),
            "riverbank-notebook.html",
            "text/html",
            key="kept/html",
            on_click="ignore",
            type="primary",
        )
        st.download_button(
            _("Save as a lecture · MD"),
            lambda: markdown(pictures),
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
            _("What you see in it, in your own words"),
            one.sentence,
            key=key,
            height=80,
            max_chars=notebook_entries.LONGEST,
            on_change=notebook_entries.write_sentence,
            args=(one.number, key),
        )
