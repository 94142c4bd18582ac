"""The poll of a stop on stage: the clicker asks the class, closes, and reveals, which uncovers the picture.

Without an open room the stop's question is read out, and the clicker uncovers the picture.
"""

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame.lecture import lecturing, stage
from explorer.views.frame.polls import asking, class_room, panel
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.presenter import Destination, presenting
from explorer.views.settings.settings import Settings

BEFORE = "/room/before"  # the stop of the last run, and whether the answers were revealed in it


def step(settings: Settings, make_polls: Polls) -> Destination | None:
    """What the clicker does next for the open stop's poll; None where it uncovers the picture or goes on."""
    stop, now = stage.stop(settings), state()
    if not presenting() or now is None or stop is None or stop.poll is None:
        return None
    if now == "open":
        return Destination("Close the question", class_room.close, ())
    if now == "closed":
        return Destination("Reveal the answers", panel.reveal, ())
    return None if now or stage.number_shown(1) else Destination("Ask the class", asking.ask, (make_polls,))


def follow() -> None:
    """Uncover a stop's picture once the answers are revealed; put them away when another stop is opened."""
    here = (lecturing.at(), state() == "shown")
    before = st.session_state.get(BEFORE, here)
    st.session_state[BEFORE] = here
    if here[0] != before[0] and state():
        class_room.put_away()
    elif here[1] and not before[1] and lecturing.at() is not None and not stage.number_shown(1):
        stage.show_parts(1)


def state() -> str | None:
    """The state of the class's question, "" without one; None without a room."""
    try:
        return None if class_room.room() is None else class_room.state()
    except ExplorerError:  # the popover says what is wrong
        return None
