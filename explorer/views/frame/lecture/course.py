"""A course for oneself: a lecture whose stops ask a question, which is answered before one goes on.

What is chosen is kept in the session. Whoever was wrong reads why, may choose again, and may go on.
"""

from collections.abc import Callable, Iterable
from html import escape
from zlib import crc32

import streamlit as st

from explorer.locale import N_, _, close_up
from explorer.server.session import Session
from explorer.views.frame.lecture import course_answers, course_sheet, lecturing, stage
from explorer.views.frame.lecture.exercise import Exercise
from explorer.views.frame.lecture.lecturing import plain
from explorer.views.frame.polls.poll import Poll
from explorer.views.settings.settings import Settings

REMINDED = Session("/lecture/reminded", False, of="lecture")  # Next was pressed before an answer was chosen
CONTROLS = Session("/lecture/controls", False)
ELSEWHERE = N_("The picture is another one now. Come back to the stop, and choose again.")


def exercise() -> Exercise | None:
    """The question of the stop that was opened last; None without one."""
    stop = lecturing.stop()
    return stop.exercise if stop else None


def answer(number: int | None) -> int | None:
    """The place of the choice that was made last at a stop; None before."""
    chosen = None if number is None else course_answers.answers().get(number)
    return chosen.last.place if chosen else None


def go_on(number: int) -> None:
    """Open the next stop, after the last one the sheet; or say that the question waits (for a callback)."""
    if exercise() is not None and answer(lecturing.at()) is None:
        REMINDED.set(True)
    elif number < len(lecturing.stops()):
        lecturing.go(number)
    else:
        course_sheet.open_sheet()


def controls_shown() -> bool:
    """Whether the controls stand beside the picture, which a course otherwise has alone."""
    return CONTROLS.get()


def turn_controls() -> None:
    """Show the controls, or hide them (for a callback)."""
    CONTROLS.set(not controls_shown())


def reminder() -> str:
    """What is said once after Next was pressed too early; otherwise empty."""
    return _("Choose an answer first.") if REMINDED.take() else ""


def draw(settings: Settings, make_polls: Callable[[], Iterable[Poll]]) -> None:
    """The question of the open stop with its choices, and what is said of the chosen one.

    `make_polls` says what the view on screen asks a class, with what its model answers.
    """
    number, question = lecturing.at(), exercise()
    if number is None or question is None:
        return
    if stage.stop(settings) is None:
        _way_back(number)
        return
    # The choices of another stop, which has moved here, are another widget.
    key, chosen = f"lecture/choice/{number}/{crc32(repr(question).encode())}", answer(number)
    if chosen is not None and st.session_state.get(key) is None:  # the browser may bring it after a first run
        st.session_state[key] = chosen
    kind = "rb-lecture-note" if controls_shown() else "rb-lecture-note rb-course"  # see course.css
    st.html(f'<p class="{kind}"><b>{escape(question.question)}</b></p>')
    st.radio(
        _("Your answer"),
        range(len(question.choices)),
        index=None,
        key=key,
        format_func=lambda place: plain(question.choices[place].text),
        label_visibility="collapsed",
        on_change=_keep,
        args=(number, key),
    )
    if chosen is None:
        _say("")
    elif (verdict := question.judge(chosen, make_polls())) is None:
        _say(_(ELSEWHERE))
        _way_back(number)
    else:
        is_right, reason = verdict
        course_answers.judge(number, is_right)
        _say(reason, _("Right.") if is_right else _("Not quite."))


def _way_back(number: int) -> None:
    st.button(_("Back to this stop"), key="lecture/here", on_click=lecturing.go, args=(number,))


def _say(text: str, verdict: str = "") -> None:
    html = close_up(f"<b>{verdict}</b> {escape(text)}")
    st.html(f'<p class="rb-lecture-note rb-said">{html}</p>')


def _keep(number: int, key: str) -> None:
    course_answers.choose(number, st.session_state[key])
