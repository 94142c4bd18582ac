"""The popover of a class's room: how to open it and to join, what can be asked, all answers, and the end."""

from html import escape

import streamlit as st

from explorer.locale import N_, _
from explorer.room.result import Result, count_answers
from explorer.server import hosts
from explorer.views.frame import presenter
from explorer.views.frame.polls import asking, class_room, panel, picture
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.polls.class_room import Room
from explorer.views.frame.saving.saving import table
from explorer.views.widgets.quoted import quoted

JOIN = N_(
    "For teachers: students answer on their phones, and join with a code, without a name or an account."
)
ALONE = N_(
    "Show this to nobody: who has it is the teacher. The link takes the room over on another computer, or on "
    "this one after a crash. With the code your own phone follows the lecture’s notes."
)
CODE_BOX = (
    '<form class="rb-code-box" method="get" action="{join}"><label for="{where}-code">{label}</label>'
    '<span><input id="{where}-code" name="code" maxlength="8" autocomplete="off" autocapitalize="characters" '
    "required><button>{enter}</button></span></form>"
)
IN_A_ROOM = ".st-key-header-polls button { border-color: var(--rb-accent); color: var(--rb-accent); }"


def draw_code_box(where: str) -> None:
    """Where somebody types the code of a room, and joins it; `where` begins the box's name."""
    join = escape(f"{hosts.visited_base()}/join")
    st.html(
        CODE_BOX.format(join=join, where=where, label=_("I have a code"), enter=_("Join")), width="content"
    )


def draw_class(here: Room | None, make_polls: Polls) -> None:
    """A room for the class and a question on the view on screen, or how to open or to join one."""
    if not class_room.address():
        st.markdown(_(class_room.NO_NETWORK if hosts.shared() else class_room.SHARE))
    if here is None:
        st.html(f'<p class="rb-point">{_(JOIN)}</p>')
        st.button(_("Open a room"), key="room/open", type="primary", on_click=class_room.open_room)
    else:
        _open_room(here, make_polls)


def join_screen(here: Room) -> None:
    """What the key R fills the screen with; the room's colour on its button."""
    st.html(f'<style>{IN_A_ROOM}</style><div class="rb-join-screen">{_invitation(here)}</div>')


def _open_room(here: Room, make_polls: Polls) -> None:
    """How to join, what can be asked, what was answered, and the end."""
    st.html(_invitation(here))
    if presenter.presenting() and (state := class_room.state()):  # on stage only what is for the class
        with st.container(horizontal=True):
            panel.draw_buttons(here, state)
    asking.draw(make_polls)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if class_room.store().newest(here.code) is not None:
            table_of = f"class-{here.code}.csv"
            st.download_button(_("All answers"), lambda: polls_csv(here), table_of, on_click="ignore")
        st.button(
            _("End the room"), key="room/end", help=_("Deletes all answers"), on_click=class_room.end_room
        )
    if address := class_room.address():
        _for_the_teacher(address, f"{class_room.LINK}{class_room.DOT.join(here)}")


def _for_the_teacher(address: str, secret: str) -> None:
    """The links that hold the room's secret, out of sight until they are asked for."""
    with st.expander(_("For you alone: another computer, notes on your phone")):
        st.html(f'<p class="rb-point">{_(ALONE)}</p>')
        st.code(f"{address}/{secret}", language=None, wrap_lines=True)
        code = class_room.qr_code(f"{address}/notes{secret}")
        st.html(f'<img class="rb-qr" alt="{_("QR code of the notes")}" src="{code}">')


def _invitation(here: Room) -> str:
    """The code, large, with the QR code and the address where phones can reach it, as HTML."""
    address = class_room.address()
    code = f'<p class="rb-code" translate="no">{here.code}</p>'
    if not address:
        return f'<div class="rb-room"><div>{code}</div></div>'
    code_image = class_room.qr_code(f"{address}/join/{here.code}")
    short = quoted(f"{address.removeprefix('http://')}/join")
    scan = _("Scan it, or open {address} and type", address=f"<b>{short}</b>")
    return (
        f'<div class="rb-room"><img class="rb-qr" alt="{_("QR code of the address")}" src="{code_image}">'
        f'<div><p class="rb-join">{scan}</p>{code}</div></div>'
    )


def polls_csv(here: Room) -> str:
    """All questions of the room with their answers, and the model's where it has been revealed."""
    rows = []
    for number, (question, answers, reveal) in enumerate(class_room.store().polls(*here), 1):
        result = Result.from_json(reveal) if reveal else count_answers(question, answers, {})
        rows += [[number, question.text, question.context, *row] for row in picture.csv_rows(result)]
    return table(["question", "text", "sentence", *picture.COLUMNS], rows)
