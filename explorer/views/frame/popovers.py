"""Closing a popover from a callback: Streamlit draws another one, which is closed, under another key.

st.popover("More", key=f"more/{times_closed('more')}")
close("more")                       in the callback of a button inside
"""

import streamlit as st


def times_closed(name: str) -> int:
    """How often the popover of this name was closed in this session; part of its key."""
    return int(st.session_state.get(f"/closed/{name}", 0))


def close(name: str) -> None:
    """Close the popover of this name (for a callback)."""
    st.session_state[f"/closed/{name}"] = times_closed(name) + 1
