"""The poll of a stop on stage: the clicker asks the class, closes, and reveals, which uncovers the picture.

Without an open room the stop's question is read out, and the clicker uncovers the picture.
"""

import streamlit as st

from explorer.views.frame.lecture import lecturing, stage
from explorer.views.frame.polls import asking, class_room, panel
from explorer.views.frame.polls.asking import Polls
from explorer.views.frame.presenter import Destination, presenting
from explorer.views.settings.settings import Settings

STOP = "/room/stop"  # the stop at which the question on screen was asked, and whether it is revealed


def step(settings: Settings, make_polls: Polls) -> Destination | None:
    """What the clicker does next for the open stop's poll; None where it uncovers the picture or goes on."""
    stop, state = stage.stop(settings), class_room.state()
    if not presenting() or class_room.room() is None or stop is None or stop.poll is None:
        return None
    if state == "open":
        return Destination("Close the question", panel.close, ())
    if state == "closed":
        return Destination("Reveal the answers", panel.reveal, ())
    return None if state or stage.number_shown(1) else Destination("Ask the class", asking.ask, (make_polls,))


def follow() -> None:
    """Uncover a stop's picture once the answers are revealed; put them away when another stop is opened."""
    here = (lecturing.at(), class_room.state() == "shown")
    before = st.session_state.get(STOP, here)
    st.session_state[STOP] = here
    if here[0] != before[0]:
        panel.put_away()
    elif here[1] and not before[1] and lecturing.at() is not None and not stage.number_shown(1):
        stage.show_parts(1)
