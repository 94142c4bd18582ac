"""Who is connected: what belongs to one visitor goes a while after the visitor's browser has left.

    stay_while_here("a key", text.delete)      delete it once this session is gone

A browser whose connection breaks comes back under the same session, so a session counts as gone only
after GRACE_S. Nothing of this hangs on Streamlit's caches, which any visitor may have cleared for all.
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
LOOK_S = 1.0  # between two looks at who is connected


@dataclass(eq=False)
class _Guest:
    """A session, what to do once it is gone, and when it was last seen."""

    session: str
    leave: "weakref.WeakMethod[Callable[[], None]]"
    seen: float


_guests: dict[str, _Guest] = {}
_lock = threading.Lock()  # guards the one above
_watch: threading.Thread | None = None


def stay_while_here(key: str, leave: Callable[[], None]) -> None:
    """Call a method once this visitor is gone; where its object goes before, there is nothing to do."""
    global _watch
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return
    with _lock:
        _guests[key] = _Guest(context.session_id, weakref.WeakMethod(leave), time.monotonic())
        if _watch is None:
            _watch = threading.Thread(target=_look, name="visitors", daemon=True)
            _watch.start()


def forget(key: str) -> None:
    """What was under this key is gone already."""
    with _lock:
        _guests.pop(key, None)


def connected(session: str) -> bool:
    """Whether a session's browser is connected; without a server, as in a test, everybody is."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def look(now: float) -> list[Callable[[], None]]:
    """What is to be called at this moment: that of visitors who were last seen more than GRACE_S ago."""
    due = []
    with _lock:
        for key, guest in list(_guests.items()):
            leave = guest.leave()
            if leave is None:
                del _guests[key]
            elif connected(guest.session):
                guest.seen = now
            elif now - guest.seen > GRACE_S:
                del _guests[key]
                due.append(leave)
    return due


def _look() -> None:
    """Look until there is nobody to look after."""
    global _watch
    while True:
        time.sleep(LOOK_S)
        for leave in look(time.monotonic()):
            try:
                leave()
            except Exception:  # what is wrong with one visitor's must not keep the others' from being deleted
                logging.getLogger(__name__).exception("a visitor's things could not be let go")
        with _lock:
            if not _guests:
                _watch = None
                return
