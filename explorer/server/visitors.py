"""Deletes what belongs to a visitor some seconds after the visitor's browser has left.

    on_session_end("a key", text.delete)      call `delete` once this session has ended

A browser whose connection breaks returns to the same session, so a session has ended only after GRACE_S
without one. Streamlit's caches would not do: any visitor may clear them for all.
"""

import logging
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass

from streamlit import runtime

from explorer.server import streamlit_private

GRACE_S = 20.0


@dataclass(eq=False)
class _Callback:
    """A method to call once a session has ended, and when that was last connected."""

    session: str
    leave: "weakref.WeakMethod[Callable[[], None]]"
    last_seen: float


_callbacks: dict[str, _Callback] = {}
_lock = threading.Lock()  # guards _callbacks


def on_session_end(key: str, leave: Callable[[], None]) -> None:
    """Call a method once this visitor has left, unless its object has been deleted before."""
    session = streamlit_private.session()
    if not session:
        return
    with _lock:
        _callbacks[key] = _Callback(session, weakref.WeakMethod(leave), time.monotonic())


def forget(key: str) -> None:
    """Forget the method under this key."""
    with _lock:
        _callbacks.pop(key, None)


def connected(session: str) -> bool:
    """Whether a session's browser is connected; without a server, as in a test, everybody is."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def look(now: float) -> None:
    """Call the methods of visitors who were last connected more than GRACE_S ago.

    The server does so each second (`bounds.Sweep`).
    """
    due = []
    with _lock:
        for key, callback in list(_callbacks.items()):
            leave = callback.leave()
            if leave is None:
                del _callbacks[key]
            elif connected(callback.session):
                callback.last_seen = now
            elif now - callback.last_seen > GRACE_S:
                del _callbacks[key]
                due.append(leave)
    for leave in due:
        try:
            leave()
        except Exception:  # the other visitors' data must be deleted all the same
            logging.getLogger(__name__).exception("the data of a visitor could not be deleted")
