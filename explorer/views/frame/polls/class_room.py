"""The room of this session's class: opened, taken over and ended by the teacher, and how phones get there."""

import json
from contextlib import suppress
from dataclasses import asdict
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from explorer.errors import ExplorerError, TextError
from explorer.locale import N_, _
from explorer.room import routes
from explorer.room.limit import Limit
from explorer.room.store import CurrentQuestion, Store
from explorer.server import hosts
from explorer.server.kept import kept
from explorer.server.session import Session, reset
from explorer.system import serving
from explorer.views.frame import problem
from explorer.views.frame.polls.poll import Poll

ROOM = Session["Room | None"]("/room", None, of="room")  # None once it has ended
PUT_AWAY = Session[int | None]("/room/away", None, of="room")  # the number of a question
FOLDED = Session[int | None]("/room/folded", None, of="room")  # that of one in a strip, on stage
NOTES = Session["tuple[Room, str] | None"]("/room/notes", None, of="room")  # what the store has as notes
DOT = "."  # between a room's code and its secret
LINK = "#class="  # of keep_room.js too
SHARE = N_(
    "Phones cannot reach this server: it listens on this computer alone. Start it with "
    "`riverbank --share`, or `streamlit run app.py --server.address 0.0.0.0`."
)
NO_NETWORK = N_("This computer is in no network that phones could join. Join one, or open a hotspot on it.")
MOST_OPENED = 20  # rooms an hour from one address, which may be that of a whole building
opened = Limit(MOST_OPENED, 3600)


class Room(NamedTuple):
    """An open room; who has its secret asks, closes and ends."""

    code: str
    secret: str


def store() -> Store:
    """The rooms of this server."""
    return routes.store


def room() -> Room | None:
    """This session's room, while it is open; None without one."""
    here = ROOM.get()
    if here is not None and not store().owns(*here):
        ROOM.set(here := None)
    return here


def key() -> str | None:
    """The session's room as its browser keeps it: "" once it has ended, None if there never was one."""
    return DOT.join(ROOM.get() or ()) if ROOM.is_set() else None


@problem.keep_errors
def open_room() -> None:
    """Open a room; the one that this session had ends (for a callback)."""
    if not opened.takes(st.context.ip_address or ""):
        raise TextError(
            _("{count} rooms were opened from this address within an hour.", count=MOST_OPENED),
            _("Use one that is open, or wait."),
        )
    if here := ROOM.get():
        with suppress(ExplorerError):  # it has ended already
            store().end(*here)
    _enter(None)
    _enter(Room(*store().open_room()))


@problem.keep_errors
def take_over(key: str) -> None:
    """Be a teacher of the room with this key, beside whoever else has it (for a callback)."""
    code, __, secret = key.partition(DOT)
    _enter(Room(code, secret) if store().owns(code, secret) else None)
    if ROOM.get() is None:
        raise TextError(
            _("This class has ended, or the link is not its teacher’s."), _("Open a room under Class.")
        )


def _enter(room: Room | None) -> None:
    """Be in another room, or in none, and forget what belonged to the last one."""
    reset("room")
    ROOM.set(room)


def end_room() -> None:
    """End the room; all answers are deleted (for a callback)."""
    here = ROOM.get()
    _enter(None)
    if here is not None:
        with suppress(ExplorerError):  # it has ended already
            store().end(*here)


def ask(poll: Poll) -> None:
    """Ask the class."""
    here = room()
    if here is not None:
        model = {name: value for name, value in asdict(poll.computed()).items() if name != "question"}
        store().ask(*here, poll.question, json.dumps(model))


def question() -> CurrentQuestion | None:
    """The newest question, whichever teacher has asked it; None without one, and once it is put away."""
    here = room()
    newest = store().newest(here.code) if here is not None else None
    return None if newest is None or newest.id == PUT_AWAY.get() else newest


def is_folded() -> bool:
    """Whether the answers on stage are folded into a strip, beside the model's picture."""
    current = question()
    return current is not None and current.id == FOLDED.get()


def fold() -> None:
    """Fold the answers into a strip (for a callback)."""
    current = question()
    FOLDED.set(current.id if current is not None else None)


def unfold() -> None:
    """Bring the answers back from their strip (for a callback)."""
    FOLDED.set(None)


def put_away_question() -> CurrentQuestion | None:
    """The room's newest question if it was put away; otherwise None."""
    here = room()
    return store().newest(here.code) if here is not None and question() is None else None


def take_out() -> None:
    """Bring back the question that was put away."""
    PUT_AWAY.set(None)


def state() -> str:
    """The state of the question on screen: open, closed or shown; "" without one."""
    current = question()
    return current.state if current is not None else ""


def poll() -> Poll | None:
    """The question on screen with the model's answer; None without one."""
    current = question()
    return Poll(current.question, **json.loads(current.model or "{}")) if current is not None else None


def close() -> None:
    """Take no more answers."""
    if (here := room()) is not None:
        store().close(*here)


def reopen() -> None:
    """Take answers again."""
    if (here := room()) is not None:
        store().reopen(*here)


def rounds() -> list[tuple[str, str]]:
    """The first and second answer of each phone to the question on screen; empty unless asked again."""
    here, current = room(), question()
    return store().rounds(*here) if here is not None and current is not None and current.first else []


def put_away() -> None:
    """Take the question off the screen; phones keep what they have been shown."""
    here, current = room(), question()
    if here is not None and current is not None:
        if current.state == "open":
            store().close(*here)
        PUT_AWAY.set(current.id)


def keep_notes(notes: str) -> None:
    """Keep what the teacher's window shows for one on another device; nothing without a room."""
    here = ROOM.get()
    if here is not None and NOTES.get() != (here, notes):
        with suppress(ExplorerError):  # the room has ended, or the disk is full: the page says so
            store().keep_notes(*here, notes)
            NOTES.set((here, notes))


def address() -> str:
    """The address of this server as other computers reach it; "" if they cannot.

    It is the one at which the teacher has opened it, through whatever proxy, with this computer's own in the
    network in place of its name for itself.
    """
    visited = urlsplit(st.context.url or "")
    host = visited.netloc
    if not visited.hostname or visited.hostname in hosts.LOOPBACK:
        here = serving.in_network() if hosts.shared() else ""
        port = visited.port if visited.hostname else config.get_option("server.port")
        host = f"{here}:{port}" if here and port else here
    return f"{visited.scheme or 'http'}://{host}{hosts.visited_base()}" if host else ""


@kept(16)
def qr_code(text: str) -> str:
    """A QR code as the address of a picture, in black on white, which every phone reads."""
    import segno

    return segno.make(text, error="m").svg_data_uri(border=4, light="#fff", omitsize=True)
