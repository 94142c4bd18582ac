"""The last sheet of a course: what was right at the first try, what to look at again, and a link to hand in.

A teacher who opens the link sees the same sheet, with the student's answers.
"""

from urllib.parse import urlsplit

import streamlit as st

from explorer.locale import N_, _
from explorer.server import hosts
from explorer.server.session import Session
from explorer.views.frame.lecture import course_answers, lecture_place, lecturing
from explorer.views.frame.lecture.lecturing import plain
from explorer.views.frame.polls import class_room

OPEN = Session[bool | None]("/lecture/sheet", None)
HAND_IN = N_(
    "To hand it in, send this address to your teacher. It holds your answers, and nothing else of you."
)
OWN = N_("Your teacher opens it, and drops the course’s file on the page.")


def open_sheet() -> None:
    """Have the sheet lie above the page (for a callback)."""
    OPEN.set(True)


def draw() -> None:
    """The sheet, while it is open; one that was handed in opens by itself, once."""
    handed_in = lecturing.HANDED_IN.get()
    if handed_in and OPEN.get() is None:
        OPEN.set(True)
    if OPEN.get() and lecturing.items():
        _sheet()


def _close() -> None:
    OPEN.set(False)


def _sheet() -> None:
    st.dialog(_("Your answers"), on_dismiss=_close)(_draw)()


def _draw() -> None:
    answers = course_answers.answers()
    questions = {number: stop for number, stop in enumerate(lecturing.stops()) if stop.exercise}
    right = [number for number in questions if number in answers and answers[number].first.is_right]
    count = _("{right} of {count}", right=len(right), count=len(questions))
    st.html(f'<p class="rb-sheet-count">{_("{count} right at the first try", count=f"<b>{count}</b>")}</p>')
    if not lecturing.HANDED_IN.is_set():
        st.html(f'<p class="rb-how">{_(HAND_IN)} {_(OWN) if lecture_place.is_own() else ""}</p>')
        st.code(lecture_place.hand_in(_server()), language=None, wrap_lines=True)
    _stops(
        _("To look at again"), [number for number in questions if number in answers and number not in right]
    )
    _stops(_("Not answered yet"), [number for number in questions if number not in answers])


def _stops(heading: str, numbers: list[int]) -> None:
    """A heading, and buttons that lead to these stops; nothing without any."""
    if not numbers:
        return
    st.html(f'<p class="rb-how"><b>{heading}</b></p>')
    with st.container(gap=None):
        for number in numbers:
            if st.button(
                plain(lecturing.stops()[number].text), key=f"lecture/again/{number}", type="tertiary"
            ):
                lecturing.go(number)
                _close()
                st.rerun()


def _server() -> str:
    """The address of this server as a teacher reaches it, or else as the student has opened it."""
    visited = urlsplit(st.context.url or "")
    return class_room.address() or f"{visited.scheme}://{visited.netloc}{hosts.visited_base()}"
