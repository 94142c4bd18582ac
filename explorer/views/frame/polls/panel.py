"""What the teacher sees of a poll: who has answered, Close and Reveal, and the class beside the model."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from explorer.errors import ExplorerError, NotFoundError
from explorer.room.questions import Question
from explorer.room.result import Result, count_answers
from explorer.room.store import CurrentQuestion
from explorer.views.frame.polls import class_room, picture
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import hosts
from explorer.views.widgets.quoted import quoted

EVERY_S = 0.8  # between two looks at an open question: an answer is on the wall within a second
TALLY = "/room/tally"  # whether the tally is shown while the question is open
OWN = "/room/own"  # the teacher's own question


def control(make_poll: Callable[[], Poll | None]) -> None:
    """The popover of the class: its room, and a question made from the view on screen."""
    here = class_room.room()
    with st.popover(f"Class {here.code}" if here else "Class", help="Ask the class, on its phones"):
        if here is None:
            if not hosts.shared():
                st.markdown(class_room.SHARE)
            st.html('<p class="rb-point">Students join with a code, without a name or an account.</p>')
            st.button("Open a room", key="room/open", on_click=class_room.open_room)
            return
        _invitation(here)
        if (poll := make_poll()) is not None:
            st.button(
                f"Ask: {poll.question.text}",
                key="room/ask",
                type="primary",
                on_click=class_room.ask,
                args=(poll,),
            )
        own = st.text_input("Or your own question", key=OWN, max_chars=200)
        if own.strip():
            st.button(
                "Ask this",
                key="room/ask-own",
                on_click=class_room.ask,
                args=(Poll(Question("free", own.strip())),),
            )
        polls = class_room.store().polls(*here)
        if polls:
            st.download_button(
                "All answers", lambda: polls_csv(here), f"class-{here.code}.csv", key="room/csv"
            )
        st.button("End the room", key="room/end", on_click=class_room.end_room)


def _invitation(here: Room) -> None:
    """The code, large, with the QR code and the address."""
    address = class_room.address(here.code)
    st.html(
        f'<div class="rb-room"><img class="rb-qr" alt="QR code" src="{class_room.qr_code(address)}">'
        f'<p class="rb-code">{here.code}</p><p class="rb-point">{quoted(address)}</p></div>'
    )


def draw() -> Sequence[Export | Picture]:
    """The open question above the picture, nothing without one; returns what there is to save of it."""
    here, poll = class_room.room(), class_room.poll()
    if here is None or poll is None:
        return []
    try:
        current = class_room.store().newest(here.code)
    except ExplorerError as error:
        st.text(str(error))
        return []
    if current is None:
        return []
    with st.container(key=picture.BOX, border=True):
        every = EVERY_S if current.state == "open" else None
        st.fragment(_panel, run_every=every)(here, poll)
    return picture.saves(partial(_revealed, here)) if current.state == "shown" else []


def _panel(here: Room, poll: Poll) -> None:
    """The question with its answers so far; redrawn each second while it is open."""
    current = class_room.store().newest(here.code)
    if current is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="poll-line"):
        st.html(f'<p class="rb-question-asked">{quoted(current.question.text)}</p>')
        count = f"{current.count} answered" if current.count else "nobody has answered yet"
        st.html(
            f'<p class="rb-point rb-one-line">{count} · join with <b>{here.code}</b></p>', width="content"
        )
        _buttons(here, poll, current)
    if current.state == "shown" or (current.state == "open" and st.session_state.get(TALLY)):
        whose = poll if current.state == "shown" else Poll(current.question)
        result = picture.result_of(whose, class_room.store().answers(*here), current.id)
        picture.draw(current.question, result, current.id, partial(_reveal, here, poll, current))


def _revealed(here: Room) -> Result:
    """What phones are shown now."""
    current = class_room.store().newest(here.code)
    if current is None or not current.reveal:
        raise NotFoundError("The answers are no longer shown.", "Reveal them, then save them.")
    return Result.from_json(current.reveal)


def _reveal(here: Room, poll: Poll, current: CurrentQuestion) -> None:
    """Show phones what is on the wall, again after a change; nothing while the question is open."""
    if current.state != "open":
        answers = class_room.store().answers(*here)
        class_room.store().show(*here, picture.result_of(poll, answers, current.id).to_json())


def _buttons(here: Room, poll: Poll, current: CurrentQuestion) -> None:
    """What can be done with the question in its state."""
    store = class_room.store()
    if current.state == "open":
        st.toggle("Tally", key=TALLY)
        if st.button("Close", key="poll/close"):
            store.close(*here)
            st.rerun()
        return
    if current.state == "closed":
        if st.button("Open again", key="poll/again"):
            store.reopen(*here)
            st.rerun()
        if st.button("Reveal", key="poll/reveal", type="primary"):
            _reveal(here, poll, current)
            st.rerun()
    if st.button("Put away", key="poll/away"):
        st.session_state.pop(class_room.POLL, None)
        st.rerun()


def polls_csv(here: Room) -> str:
    """All questions of the room with their answers, and the model's where it has been revealed."""
    rows = []
    for number, (question, answers, reveal) in enumerate(class_room.store().polls(*here), 1):
        result = Result.from_json(reveal) if reveal else count_answers(question, answers, {})
        rows += [[number, question.text, question.context, *row] for row in picture.csv_rows(result)]
    return table(["question", "text", "sentence", *picture.COLUMNS], rows)
