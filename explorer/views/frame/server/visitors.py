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
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE_S = 20.0
POLL_INTERVAL_S = 1.0  # seconds between two looks at the connections


@dataclass(eq=False)
class _Session:
    """A session, the method to call once it has ended, and when it was last connected."""

    session: str
    leave: "weakref.WeakMethod[Callable[[], None]]"
    last_seen: float


_guests: dict[str, _Session] = {}
_lock = threading.Lock()  # guards _guests
_watch: threading.Thread | None = None


def on_session_end(key: str, leave: Callable[[], None]) -> None:
    """Call a method once this visitor has left, unless its object has been deleted before."""
    global _watch
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return
    with _lock:
        _guests[key] = _Session(context.session_id, weakref.WeakMethod(leave), time.monotonic())
        if _watch is None:
            _watch = threading.Thread(target=_look, name="visitors", daemon=True)
            _watch.start()


def forget(key: str) -> None:
    """Forget the method under this key."""
    with _lock:
        _guests.pop(key, None)


def connected(session: str) -> bool:
    """Whether a session's browser is connected; without a server, as in a test, everybody is."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def look(now: float) -> list[Callable[[], None]]:
    """The methods to call now: those of visitors who were last connected more than GRACE_S ago."""
    due = []
    with _lock:
        for key, guest in list(_guests.items()):
            leave = guest.leave()
            if leave is None:
                del _guests[key]
            elif connected(guest.session):
                guest.last_seen = now
            elif now - guest.last_seen > GRACE_S:
                del _guests[key]
                due.append(leave)
    return due


def _look() -> None:
    """Look at the connections until no guest is left."""
    global _watch
    while True:
        time.sleep(POLL_INTERVAL_S)
        for leave in look(time.monotonic()):
            try:
                leave()
            except Exception:  # the other visitors' data must be deleted all the same
                logging.getLogger(__name__).exception("the data of a visitor could not be deleted")
        with _lock:
            if not _guests:
                _watch = None
                return
