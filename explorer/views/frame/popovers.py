"""Closing a popover from a callback: Streamlit draws another one, which is closed, under another key.

st.popover("More", key=f"more/{times_closed('more')}")
close("more")                       in the callback of a button inside
"""

from explorer.server.session import Session

CLOSED = Session("/closed", 0)  # how often


def times_closed(name: str) -> int:
    """How often the popover of this name was closed in this session; part of its key."""
    return CLOSED.at(name).get()


def close(name: str) -> None:
    """Close the popover of this name (for a callback)."""
    CLOSED.at(name).set(times_closed(name) + 1)
