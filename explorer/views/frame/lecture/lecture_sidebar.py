"""The lecture in the sidebar: where it is, Back and Next, what to say or answer at this stop, the chapters.

Of a long lecture only the stops of one chapter are listed, with the names of the others. A switch turns the
list into boxes, to rename, move and remove what is in it.
"""

from collections.abc import Sequence
from html import escape
from typing import Any
from zlib import crc32

import streamlit as st

from explorer.locale import _, translate
from explorer.server.session import Session
from explorer.views.frame.lecture import (
    course,
    course_answers,
    handout_process,
    lecture,
    lecture_changes,
    lecturing,
    notes_window,
)
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.lecture.lecture_changes import titled
from explorer.views.frame.lecture.lecturing import plain
from explorer.views.frame.order_buttons import order_buttons
from explorer.views.widgets.visually_hidden import hidden_label, icon_button

EDITING = Session("/lecture/editing", False)
WHOLE = 12  # stops: a lecture with no more is listed whole


def draw() -> Any:
    """Draw the lecture, above the pages; returns the place of a course's question, None without a lecture."""
    items = lecturing.items()
    if not items:
        return None
    with st.sidebar.container(key="lecture", gap="xxsmall"):
        asks = course.exercise() is not None
        # Above what differs in height from stop to stop, so that Next stays under the pointer.
        with st.container(key="lecture-head", gap="xxsmall"):
            _progress()
            _steps(asks)
        if not asks:
            notes_window.button()
            _tools()
        if notes := lecturing.notes():
            st.html(notes_html(notes, with_kinds=not asks))
        question = st.container(key="lecture-question", gap="xxsmall")
        if EDITING.get():
            for place, item in enumerate(items):
                _editor(place, item, len(items))
        else:
            _list(items)
        if asks:
            _tools()
    return question


def present() -> None:
    """In presenter mode, beside the title: which stop this is, and its minute; nothing without a lecture."""
    if text := lecturing.progress():
        with st.container(key="lecture-progress", width="content"):
            st.html(f'<span class="rb-quiet">{escape(text.removeprefix("Stop "))}</span>')


def notes_html(notes: Sequence[str], with_kinds: bool = True) -> str:
    """What to say, to ask and to see as lines, with that word in bold if a teacher reads them; escaped.

    >>> notes_html(["Say: a < b"])
    '<p class="rb-lecture-note"><b>Say.</b> a &lt; b</p>'
    """
    lines = []
    for note in notes:
        kind, _colon, text = note.partition(":")
        lead = f"<b>{escape(translate(f'{kind.capitalize()}.'))}</b> " if with_kinds else ""
        lines.append(f'<p class="rb-lecture-note">{lead}{escape(text.strip())}</p>')
    return "".join(lines)


def _progress() -> None:
    """The title and the number of the stop, or in its place that an answer is missing."""
    reminder = course.reminder()
    kind = "rb-lecture-text rb-reminder" if reminder else "rb-lecture-text"
    st.html(
        f'<p class="rb-lecture">{escape(lecture_changes.title())}</p>'
        f'<p class="{kind}" role="status">{escape(reminder or lecturing.progress())}</p>'
    )


def _steps(asks: bool) -> None:
    """Back and Next; after the last question of a course, its sheet."""
    here, last = lecturing.at(), len(lecturing.stops()) - 1
    back, ahead = (0, 0) if here is None else (here - 1, here + 1)
    ahead_label = _("Finish") if asks and ahead > last else _("Next")
    with st.container(horizontal=True, gap="xxsmall", key="lecture-steps"):
        for label, key, to, can, step in (
            (_("Back"), "back", max(back, 0), bool(here), lecturing.go),
            (ahead_label, "next", ahead, asks or ahead <= last, course.go_on),
        ):
            st.button(label, key=f"lecture/{key}", disabled=not can, on_click=step, args=(to,))


def _list(items: Sequence[Item]) -> None:
    """The stops by chapter; of a long lecture the open chapter's only, and a button for each other one."""
    here, number = lecturing.at() or 0, 0
    whole = len(lecturing.stops()) <= WHOLE
    for chapter in lecture.chapters(items[titled(items) :]):
        count = sum(item.stop for item in chapter)
        if whole or not count or number <= here < number + count:
            _chapter(chapter, number)
        else:
            label, key = plain(chapter[0].text), f"lecture/chapter/{number}"
            st.button(label, key=key, type="tertiary", on_click=lecturing.go, args=(number,))
        number += count


def _chapter(chapter: Sequence[Item], number: int) -> None:
    """The lines of a chapter whose first stop has this number."""
    for item in chapter:
        if item.stop:
            label = f"**{plain(item.text)}**" if number == lecturing.at() else plain(item.text)
            key = f"lecture/stop/{number}"
            st.button(label, key=key, type="tertiary", on_click=lecturing.go, args=(number,))
            number += 1
        else:
            kind = "rb-lecture-heading" if item.heading else "rb-lecture-text"
            st.html(f'<p class="{kind}">{escape(item.text)}</p>')


def _editor(place: int, item: Item, number: int) -> None:
    """A line's name in a box, and buttons that move and remove it."""
    key = f"lecture/name/{place}/{crc32(item.text.encode())}"
    st.text_input(
        _("Name of a stop") if item.stop else _("Heading"),
        item.text,
        key=key,
        label_visibility="collapsed",
        on_change=lecture_changes.rename,
        args=(place, key),
    )
    with st.container(horizontal=True, gap="xxsmall", horizontal_alignment="right"):
        order_buttons("lecture", place, place, number, lecture_changes.move, lecture_changes.remove)


def _tools() -> None:
    """Arrange, save, put away."""
    editing = EDITING.get()
    with st.container(horizontal=True, gap="xxsmall"):
        icon_button(
            "check" if editing else "edit",
            _("Done") if editing else _("Rename, move and remove stops"),
            key="lecture/edit",
            on_click=EDITING.set,
            args=(not editing,),
        )
        st.download_button(
            hidden_label(_("Save the lecture")),
            lecture_changes.text,
            "lecture.md",
            "text/markdown",
            key="lecture/save",
            on_click="ignore",
            icon=":material/download:",
            help=_("Save the lecture"),
        )
        if course.exercise() is None:
            handout_process.draw()
        else:
            name = _("Hide the controls") if course.controls_shown() else _("Show the controls")
            icon_button("tune", name, key="lecture/controls", on_click=course.turn_controls)
        if not course_answers.answers():
            icon_button("close", _("Put it away"), key="lecture/away", on_click=_close)
            return
        with st.popover(hidden_label(_("Put it away")), icon=":material/close:", key="lecture/leave"):
            st.html(f'<p class="rb-point">{_("Your answers are then forgotten.")}</p>')
            st.button(_("Put it away"), key="lecture/away", on_click=_close)


def _close() -> None:
    EDITING.take()
    handout_process.stop()
    lecturing.close()
