"""The questions that a class can be asked here: the open stop's, those of the view, and the teacher's own."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from explorer.errors import ExplorerError, TextError
from explorer.locale import _
from explorer.room.questions import LONGEST_QUESTION, own_question
from explorer.room.tally import key
from explorer.server.session import Session
from explorer.views.frame import popovers, problem
from explorer.views.frame.lecture import lecturing, stage
from explorer.views.frame.lecture.lecture import NO_ANSWER, Item
from explorer.views.frame.polls import class_room
from explorer.views.frame.polls.poll import Poll, text_end
from explorer.views.settings.settings import Settings

Polls = Callable[[], Sequence[Poll]]
OWN = Session("/room/own", "")
CHOICES = Session("/room/own-choices", "")  # the teacher's own question
POPOVER = "room/popover"
WAITING = Session[int | None]("/room/waiting", None, of="room")  # the place of one without its picture
INCOMPLETE = Session("/room/incomplete", False, of="room")  # one stands on stage without its text for that


def polls(settings: Settings, view_asks: Polls, who: str, make_text: Callable[[], str]) -> list[Poll]:
    """The questions of the view, whose model is `who`; before them that of the open stop, if it has one.

    Where a stop asks in the words of the view, it is the view's question, with what the model answers;
    otherwise it is about the text that stands in the picture.
    """
    try:
        whose = who or _(Poll.who)
        of_view = [replace(poll, who=whose) if poll.who == Poll.who else poll for poll in view_asks()]
        of_view = [replace(poll, about=stage.place(settings)) for poll in of_view]
    except ExplorerError:  # the picture's place says what is wrong
        of_view = []
    stop = stage.stop(settings)
    if stop is None or (question := stop.poll) is None:
        return of_view
    same = [poll for poll in of_view if key(poll.question.text) == key(question.text)]
    own = Poll(replace(question, context=text_end(make_text())), about=stage.place(settings))
    first = same[0] if same and not question.choices else own
    return [_with_answer(first, stop), *(poll for poll in of_view if poll is not first)]


def _with_answer(poll: Poll, stop: Item) -> Poll:
    """A poll with the right answer that the stop names, as the poll's kind has it."""
    if key(stop.answer) == key(NO_ANSWER):
        return replace(poll, truth="", find_truth=None, taste=True)
    if not stop.answer:
        return poll
    names = poll.question.choices
    at = next((at for at, name in enumerate(names) if key(name) == key(stop.answer)), None)
    if at is None:
        return poll if names else replace(poll, truth=stop.answer)
    return replace(poll, truth=str(at) if poll.question.kind == "token" else names[at])


@problem.keep_errors
def ask(make_polls: Polls, place: int = 0) -> None:
    """Ask one of the questions as it is now, with what the model answers now (for a callback).

    One that was just taken back is asked on, with the answers that it has. One whose picture is still being
    made waits until that has ended.
    """
    WAITING.set(None)
    for poll in list(make_polls())[place : place + 1]:
        if poll.waits:
            WAITING.set(place)
        elif (last := class_room.put_away_question()) and (last.question, last.state) == (
            poll.question,
            "closed",
        ):
            class_room.take_out()
            class_room.reopen()
        else:
            class_room.ask(poll)
    popovers.close(POPOVER)
    OWN.set("")
    CHOICES.set("")


def ask_what_waited(make_polls: Polls) -> None:
    """Ask the question that has waited for its picture, and draw the page anew with its line."""
    if (place := WAITING.get()) is not None:
        ask(make_polls, place)
        if WAITING.get() is None:
            st.rerun()


def is_waiting() -> bool:
    """Whether a question waits for its picture, which then draws the page again once it stands."""
    return WAITING.get() is not None or INCOMPLETE.get()


def draw(make_polls: Polls) -> None:
    """A button for each question, and boxes for one of the teacher's own."""
    for place, poll in enumerate(make_polls()):
        st.button(
            _("Ask: {question}", question=lecturing.plain(poll.question.text)),
            key=f"room/ask/{place}",
            type="secondary" if place else "primary",
            on_click=ask,
            args=(make_polls, place),
        )
    text = st.text_input(_("Or your own question"), key=OWN, max_chars=LONGEST_QUESTION)
    if not text.strip():
        return
    label, none = _("Its choices, one a line"), _("None: any answer")
    choices = st.text_area(label, key=CHOICES, height=92, placeholder=none)
    try:
        own_question(text, choices)
    except TextError as error:
        st.text(f"{error.message} {error.hint}")
    else:
        st.button(_("Ask this"), key="room/ask-own", on_click=ask, args=(_own_polls,))


def _own_polls() -> list[Poll]:
    """The teacher’s own question as the boxes have it now, which may have changed since they were drawn."""
    return [Poll(own_question(OWN.get(), CHOICES.get()))]
