"""What the teacher sees of a poll: who has answered, Close and Reveal, and the class beside the model."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.errors import ExplorerError, NotFoundError
from explorer.room.page import key_of
from explorer.room.result import Result, count_answers
from explorer.views.frame import popovers, presenter, problem
from explorer.views.frame.polls import asking, class_room, picture
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.server import hosts
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.visually_hidden import hidden_label

EVERY_S = 0.8  # between two looks at an open question: an answer is on the wall within a second
TALLY = "/room/tally"  # whether the tally is shown while the question is open
JOIN = "For teachers: students answer on their phones, and join with a code, without a name or an account."
ALONE = (
    "Show this to nobody: who has it is the teacher. The link takes the room over on another computer, or on "
    "this one after a crash. With the code your own phone follows the lecture’s notes."
)
CODE_BOX = (
    '<form class="rb-code-box" method="get" action="{join}"><label for="rb-code-box">I have a code</label>'
    '<span><input id="rb-code-box" name="code" maxlength="8" autocomplete="off" autocapitalize="characters" '
    "required><button>Join</button></span></form>"
)
IN_A_ROOM = ".st-key-header-polls button { border-color: var(--rb-accent); color: var(--rb-accent); }"


def control(make_polls: Polls) -> None:
    """The popover of the class: its room, and a question made from the view on screen."""
    problem = ""
    try:
        here = class_room.room()
    except ExplorerError as error:
        here, problem = None, str(error)
    name = f"Class {here.code}" if here else "Class: ask it, on its phones"
    label = here.code if here and presenter.presenting() else hidden_label(name)
    key = f"{asking.POPOVER}/{popovers.times_closed(asking.POPOVER)}"
    # Of an open room the tooltip would lie over the answers for as long as the button has the focus.
    with st.popover(label, icon=":material/groups:", key=key, help=name if here is None else None):
        if here is None:
            st.html(CODE_BOX.format(join=f"{hosts.base()}/join"))
        if problem:
            st.text(problem)
        if not class_room.address():
            st.markdown(class_room.NO_NETWORK if hosts.shared() else class_room.SHARE)
        if here is None:
            st.html(f'<p class="rb-point">{JOIN}</p>')
            st.button("Open a room", key="room/open", type="primary", on_click=class_room.open_room)
        else:
            _open_room(here, make_polls)
    if here is not None:
        st.html(f'<style>{IN_A_ROOM}</style><div class="rb-join-screen">{_invitation(here)}</div>')


def _open_room(here: Room, make_polls: Polls) -> None:
    """How to join, what can be asked, what was answered, and the end."""
    st.html(_invitation(here))
    asking.draw(make_polls)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if class_room.store().newest(here.code) is not None:
            table_of = f"class-{here.code}.csv"
            st.download_button("All answers", lambda: polls_csv(here), table_of, on_click="ignore")
        st.button("End the room", key="room/end", help="Deletes all answers", on_click=class_room.end_room)
    if address := class_room.address():
        _for_the_teacher(address, f"{class_room.LINK}{class_room.DOT.join(here)}")


def _for_the_teacher(address: str, secret: str) -> None:
    """The links that hold the room's secret, out of sight until they are asked for."""
    with st.expander("For you alone: another computer, notes on your phone"):
        st.html(f'<p class="rb-point">{ALONE}</p>')
        st.code(f"{address}/{secret}", language=None, wrap_lines=True)
        code = class_room.qr_code(f"{address}/notes{secret}")
        st.html(f'<img class="rb-qr" alt="QR code of the notes" src="{code}">')


def _invitation(here: Room) -> str:
    """The code, large, with the QR code and the address where phones can reach it, as HTML."""
    address = class_room.address()
    code = f'<p class="rb-code" translate="no">{here.code}</p>'
    if not address:
        return f'<div class="rb-room"><div>{code}</div></div>'
    code_image = class_room.qr_code(f"{address}/join/{here.code}")
    short = quoted(f"{address.removeprefix('http://')}/join")
    return (
        f'<div class="rb-room"><img class="rb-qr" alt="QR code of the address" src="{code_image}">'
        f'<div><p class="rb-join">Scan it, or open <b>{short}</b> and type</p>{code}</div></div>'
    )


def draw() -> Sequence[Export | Picture]:
    """The newest question above the picture, none once it is put away; what there is to save of it."""
    try:
        current = class_room.question()
    except ExplorerError as error:
        st.text(str(error))
        return []
    here = class_room.room()
    if current is None or here is None:
        return []
    with st.container(key=picture.BOX, border=True):
        with st.container(horizontal=True, vertical_alignment="center", key="poll-line"):
            key, question = key_of(current), quoted(current.question.text)
            st.html(f'<p class="rb-question-asked" data-key="{key}">{question}</p>')
            count_place = st.empty()
            _buttons(here, current.state)
        every = EVERY_S if current.state == "open" else None
        st.fragment(_answers, run_every=every)(key, count_place)
    return picture.saves(_revealed) if current.state == "shown" else []


def _answers(key: str, count_place: Any) -> None:
    """How many have answered, and what; again each second while the question is open.

    `key` is what the page was drawn with: the page follows what another teacher does. The buttons are not
    part of it: a click on one that is just being drawn again would be lost.
    """
    here, current, poll = class_room.room(), class_room.question(), class_room.poll()
    if here is None or current is None or poll is None or key_of(current) != key:
        st.rerun()
    count = f"{current.count} answered" if current.count else "nobody has answered yet"
    count_place.html(f'<p class="rb-answered">{count} · join with <b>{here.code}</b></p>', width="content")
    if current.state == "shown" or (current.state == "open" and st.session_state.get(TALLY)):
        whose = poll if current.state == "shown" else Poll(current.question)
        result = picture.result_of(whose, class_room.store().answers(*here), current.id)
        picture.draw(current.question, result, current.id, problem.keep_errors(reveal))


def _revealed() -> Result:
    """What phones are shown now."""
    current = class_room.question()
    if current is None or not current.reveal:
        raise NotFoundError("The answers are no longer shown.", "Reveal them, then save them.")
    return Result.from_json(current.reveal)


def reveal() -> None:
    """Show phones what is on the wall, again after a change; nothing while the question is open."""
    here, current, poll = class_room.room(), class_room.question(), class_room.poll()
    if here is not None and current is not None and poll is not None and current.state != "open":
        answers = class_room.store().answers(*here)
        class_room.store().show(*here, picture.result_of(poll, answers, current.id).to_json())


def _buttons(here: Room, state: str) -> None:
    """What can be done with the question in its state."""
    store, safely = class_room.store(), problem.keep_errors
    if state == "open":
        st.toggle("Tally", key=TALLY)
        st.button("Close", key="poll/close", on_click=safely(store.close), args=here)
        return
    if state == "closed":
        st.button("Open again", key="poll/again", on_click=safely(store.reopen), args=here)
        st.button("Reveal", key="poll/reveal", type="primary", on_click=safely(reveal))
    st.button("Put away", key="poll/away", on_click=safely(class_room.put_away))


def polls_csv(here: Room) -> str:
    """All questions of the room with their answers, and the model's where it has been revealed."""
    rows = []
    for number, (question, answers, reveal) in enumerate(class_room.store().polls(*here), 1):
        result = Result.from_json(reveal) if reveal else count_answers(question, answers, {})
        rows += [[number, question.text, question.context, *row] for row in picture.csv_rows(result)]
    return table(["question", "text", "sentence", *picture.COLUMNS], rows)
