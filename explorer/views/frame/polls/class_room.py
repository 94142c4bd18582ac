"""The room of this session's class: opened and ended by the teacher, with its code, address and QR code."""

from contextlib import suppress
from typing import NamedTuple

import streamlit as st
from streamlit import config, net_util

from explorer.errors import ExplorerError
from explorer.room.store import Store
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.server import hosts

ROOM, POLL = "/room", "/room/poll"
SHARE = (
    "Phones cannot reach this server: it listens on this computer alone. Start it with "
    "`riverbank --share`, or `streamlit run app.py --server.address 0.0.0.0`."
)


class Room(NamedTuple):
    """An open room; who has its secret asks, closes and ends."""

    code: str
    secret: str


def store() -> Store:
    """The rooms of this server."""
    return Store()


def room() -> Room | None:
    """This session's room, while it is open; None without one."""
    here: Room | None = st.session_state.get(ROOM)
    if here is not None and not store().owns(*here):
        st.session_state.pop(ROOM, None)
        return None
    return here


def open_room() -> None:
    """Open a room (for a callback)."""
    st.session_state[ROOM] = Room(*store().open_room())


def end_room() -> None:
    """End the room; all answers are deleted (for a callback)."""
    here = st.session_state.pop(ROOM, None)
    st.session_state.pop(POLL, None)
    if here is not None:
        with suppress(ExplorerError):  # it has ended already
            store().end(*here)


def ask(poll: Poll) -> None:
    """Ask the class (for a callback)."""
    here = room()
    if here is not None:
        store().ask(*here, poll.question)
        st.session_state[POLL] = poll


def poll() -> Poll | None:
    """The question that was asked last in this session."""
    return st.session_state.get(POLL)


def state() -> str:
    """The state of the question on screen: open, closed or shown; "" without one."""
    here = room() if poll() is not None else None
    current = store().newest(here.code) if here is not None else None
    return current.state if current is not None else ""


def close() -> None:
    """Take no more answers (for a callback)."""
    if (here := room()) is not None:
        store().close(*here)


def reveal() -> None:
    """Show the answers, here and on the phones, with the model's (for a callback)."""
    here, shown_poll = room(), poll()
    if here is not None and shown_poll is not None:
        store().show(*here, shown_poll.reveal())


def put_away() -> None:
    """Take the question off the screen; phones keep what they have been shown (for a callback)."""
    if state() == "open":
        close()
    st.session_state.pop(POLL, None)


def address(code: str) -> str:
    """The address at which phones join: this computer's in the network, never its own name for itself."""
    visited = st.context.headers.get("host", "")
    scheme = "https" if st.context.headers.get("x-forwarded-proto") == "https" else "http"
    name = hosts.name(visited)
    if name in hosts.LOOPBACK or not name:
        port = visited.rpartition(":")[2] if ":" in visited else str(config.get_option("server.port"))
        visited = f"{net_util.get_internal_ip() or 'localhost'}:{port}"
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"{scheme}://{visited}{f'/{base}' if base else ''}/join/{code}"


def qr_code(text: str) -> str:
    """A QR code as the address of a picture, in black on white, which every phone reads."""
    import segno

    return segno.make(text, error="m").svg_data_uri(border=2, light="#fff", omitsize=True)
