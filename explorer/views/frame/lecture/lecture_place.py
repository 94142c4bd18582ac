"""Where a visitor is in a lecture, in the address and in the browser, so that a new session goes on there.

    ?course=course&stop=2          the lecture that ships as assets/lectures/course.md, at its second stop
    ?course=own&stop=2             one's own: its text is in the tab's storage
    ?course=course&answers=aBcC    a sheet that was handed in, see course_sheet.py
    ?course=own-1f2e3d4c&answers=aBcC    one of one's own course, which waits for the course's file

The browser has the answers too, and for one's own lecture the text: keep_lecture.js. Both may come from
anybody, and are read as a pasted text is.
"""

import json
from typing import Any, NamedTuple
from zlib import crc32

import streamlit as st

from explorer.errors import TextError
from explorer.locale import N_, _
from explorer.server.session import Session
from explorer.server.streamlit_private import is_history_navigation
from explorer.views.frame import problem
from explorer.views.frame.lecture import course_answers, lecture, lecture_changes, lecture_library, lecturing
from explorer.views.settings.settings import ADDED

COURSE, STOP, SHEET = "course", "stop", "answers"  # parameters of the address
OWN = "own"
ITS_FILE = N_("Drop the course’s file on the page, or paste its text under Save: then the answers are shown.")
READ = Session("/lecture/address-read", False)  # the address has been read once in this session
AWAITED = Session["Place | None"]("/lecture/awaited", None)  # of the address, until the browser answers
WAITING = Session[tuple[str, str]]("/lecture/sheet-waits", ("", ""))  # one's own course with answers
IN_BROWSER = Session("/lecture/in-browser", False)  # whether the browser has been given something to keep
LONGEST = 2 * lecture.MOST_CHARACTERS  # characters that a browser may send: Markdown escapes some


class Place(NamedTuple):
    """A course by its name, and the number of a stop; None before the first."""

    course: str
    stop: int | None


def follow_address() -> None:
    """Open the lecture that the address names, in a new session; follow the browser's Back in an old one."""
    place, answers = _place(), st.query_params.get(SHEET, "")[: 2 * lecture.MOST_ITEMS]
    if not READ.is_set():
        READ.set(True)
        if place.course == OWN:
            AWAITED.set(place)
        elif place.course.startswith(f"{OWN}-") and answers:
            WAITING.set((place.course, answers))
        elif ready := next((one for one in lecture_library.lectures() if one.name == place.course), None):
            lecturing.load(ready.text, ready.name)
            lecturing.stand_at(place.stop)
            if answers:
                lecturing.HANDED_IN.set(answers)
                course_answers.keep(course_answers.unpack(answers, lecturing.stops()))
            else:
                AWAITED.set(place)
    elif is_history_navigation() and place.course == _name():
        lecturing.stand_at(place.stop)


def take_sheet() -> None:
    """Have a sheet that waits for its course take the lecture that is open, if it is that."""
    course, answers = WAITING.get()
    if course and not lecturing.items():
        problem.keep(TextError(_("This sheet is of a course that is somebody’s own."), _(ITS_FILE)))
    elif course and is_own() and course == _own_name():
        WAITING.take()
        lecturing.HANDED_IN.set(answers)
        course_answers.keep(course_answers.unpack(answers, lecturing.stops()))


def write_address() -> None:
    """Have the address name the open lecture, with its stop; until there is one, what the address named."""
    place = Place(_name(), lecturing.at()) if _name() else AWAITED.get() or Place("", None)
    parameters = {COURSE: place.course} if place.course else {}
    if parameters and place.stop is not None:
        parameters[STOP] = str(place.stop + 1)
    if parameters and lecturing.HANDED_IN.is_set():
        parameters[SHEET] = lecturing.HANDED_IN.get()
        parameters[COURSE] = _own_name() if place.course == OWN else place.course
    if not parameters and WAITING.is_set():
        parameters = dict(zip((COURSE, SHEET), WAITING.get()))
    ADDED.set(parameters)


def for_browser() -> dict[str, str | None]:
    """What the browser is to keep, as keep_lecture.js reads it.

    `wanted` is the course that it is asked for, or empty; `state` is what it keeps: nothing if it is empty,
    and what it has already if it is None.
    """
    awaited = AWAITED.get()
    name = _name()
    if awaited is not None:
        return {"wanted": awaited.course, "state": None}
    if not name:
        return {"wanted": "", "state": "" if IN_BROWSER.is_set() else None}
    if lecturing.HANDED_IN.is_set():
        return {"wanted": "", "state": None}
    IN_BROWSER.set(True)
    state: dict[str, Any] = {"course": name, "answers": course_answers.pack(course_answers.answers())}
    if name == OWN:
        state["text"] = lecture_changes.text()
    return {"wanted": "", "state": json.dumps(state, ensure_ascii=False)}


@problem.keep_errors
def take(state: str) -> None:
    """Go on with what the browser has kept of the course that it was asked for (for a callback)."""
    awaited = AWAITED.take()
    if awaited is None:
        return
    text, answers = _read(state)
    if awaited.course == OWN:
        if not text:
            message = _("This address leads to a lecture that is kept in another browser, or tab.")
            raise TextError(message, _("Drop its file on the page, or paste its text under Save."))
        lecturing.load(text)
        lecturing.stand_at(awaited.stop)
    course_answers.keep(course_answers.unpack(answers, lecturing.stops()) | course_answers.answers())


def hand_in(server: str) -> str:
    """The address of the sheet with this session's answers; of one's own course it names the text."""
    name = _own_name() if is_own() else _name()
    return f"{server}/?{COURSE}={name}&{SHEET}={course_answers.pack(course_answers.answers())}"


def is_own() -> bool:
    """Whether the open lecture is one's own, whose text no address holds."""
    return _name() == OWN


def _own_name() -> str:
    """One's own lecture by a checksum of its text."""
    return f"{OWN}-{crc32(lecture_changes.text().encode()):08x}"


def _name() -> str:
    """The name of the open lecture in the address; empty without one."""
    return (lecturing.NAME.get() or OWN) if lecturing.items() else ""


def _place() -> Place:
    number = st.query_params.get(STOP, "")
    stop = int(number) - 1 if number.isascii() and number.isdigit() and len(number) <= 3 else None
    return Place(st.query_params.get(COURSE, ""), stop)


def _read(state: str) -> tuple[str, str]:
    """The text and the answers that a browser has kept; empty where it sends something else."""
    try:
        kept_state = json.loads(state) if len(state) <= LONGEST else {}
    except (ValueError, RecursionError):
        kept_state = {}
    parts = kept_state if isinstance(kept_state, dict) else {}
    text, answers = (parts.get(name, "") for name in ("text", "answers"))
    return (text if isinstance(text, str) else "", answers if isinstance(answers, str) else "")
