"""What leans on the insides of Streamlit 1.67, each with the line that it leans on: an upgrade begins here.

Beyond these, stylesheets and scripts find Streamlit's own elements by `data-testid` and by the class
`st-key-...` of a widget's key.
"""

from collections.abc import Iterable
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Any

import streamlit as st
from starlette import websockets
from starlette.requests import ClientDisconnect
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.state.safe_session_state import SafeSessionState

CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value")
# What ends a connection whose browser has gone: web/server/starlette/starlette_websocket.py:516 goes on to
# read after a failed write. Older versions of Starlette do not have the first.
GONE: Any = (*filter(None, [getattr(websockets, "WebSocketDisconnected", None)]), ClientDisconnect)


def in_script() -> bool:
    """Whether the code runs for a visitor, and neither in the server itself nor in a notebook.

    runtime/scriptrunner_utils/script_run_context.py: the context of the thread.
    """
    return get_script_run_ctx(suppress_warning=True) is not None


def session() -> str:
    """The session of the visitor for whom the code runs; "" outside of a script."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def script() -> str:
    """The file that Streamlit runs: a page's own in an older multipage mode (runtime/pages_manager.py:60)."""
    context = get_script_run_ctx()
    return Path(context.main_script_path).name if context else ""


def clicked(besides: str = "") -> bool:
    """Whether a click on a button or a component started this run; a browser sends a click once.

    What the component with the key `besides` sends by itself is none. runtime/state/session_state.py:194: a
    click is one of the kinds of a WidgetState's value.
    """
    context = get_script_run_ctx()
    if context is None:
        return False
    states = context.session_state.get_widget_states()
    own = [state for state in states if not besides or besides not in state.id]
    kinds = ((state, state.WhichOneof("value")) for state in own)
    return any(kind in CLICKS and bool(getattr(state, kind)) for state, kind in kinds if kind is not None)


def is_history_navigation() -> bool:
    """Whether the browser's Back or Forward started this run (runtime/scriptrunner/script_runner.py:716)."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def sessions() -> list[str]:
    """All sessions, also those without a browser (runtime/runtime.py:244)."""
    return [info.session.id for info in runtime.get_instance()._session_mgr.list_sessions()]


def stored_bytes() -> dict[str, int]:
    """The size of the uploads that are kept, by session (runtime/memory_uploaded_file_manager.py:40)."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(manager.file_storage.items())
    }


def remove_upload(file: object) -> None:
    """Drop an upload's bytes, which the server would keep for the whole session.

    runtime/memory_uploaded_file_manager.py:120.
    """
    context, file_id = get_script_run_ctx(), getattr(file, "file_id", None)
    if context is not None and file_id is not None:
        uploads: Any = context.uploaded_file_mgr  # the protocol lacks what Streamlit's own manager has
        uploads.remove_file(context.session_id, file_id)


def fresh(pages: "Iterable[st.Page]") -> "list[st.Page]":
    """Copies of pages: Streamlit notes in a chosen one that this run may run it (navigation/page.py:552)."""
    return [copy(page) for page in pages]


def drop_late_fragments() -> None:
    """From now on drop requests all of whose fragments have gone by the time that they would be run.

    A component that asks for more, or a count that looks again every second, may do so a moment after a
    press has begun a change of page. Streamlit looks for the fragment when the request arrives, while the old
    page's are still there, and runs it once the new page has been drawn: under the old page's name, at which
    the browser clears the screen and stays empty (runtime/scriptrunner/script_runner.py:724, where
    SCRIPT_STARTED is sent before a missing fragment is skipped).
    """
    run_script = ScriptRunner._run_script
    if hasattr(run_script, "__wrapped__"):
        return

    @wraps(run_script)
    def run_what_is_there(self: Any, rerun_data: Any) -> None:
        late = rerun_data.fragment_id_queue
        if not late or any(map(self._fragment_storage.contains, late)):
            run_script(self, rerun_data)

    setattr(ScriptRunner, run_script.__name__, run_what_is_there)


def finish_callbacks() -> None:
    """From now on a press has its whole effect, whatever else its browser sends meanwhile.

    Each look into the session is a place at which Streamlit goes on to the next request. Where one arrives
    as a press is about to be taken in, or its callback runs, the press would be lost
    (runtime/state/safe_session_state.py:69, runtime/state/session_state.py:1115).
    """
    take_in = SafeSessionState.on_script_will_rerun
    if hasattr(take_in, "__wrapped__"):
        return

    @wraps(take_in)
    def take_in_whole(self: Any, *states: Any, **more: Any) -> None:
        runner = self._yield_callback.__self__
        runner._execing = False  # script_runner.py:556: the next request waits, and is looked for after it
        try:
            take_in(self, *states, **more)
        finally:
            runner._execing = True

    setattr(SafeSessionState, take_in.__name__, take_in_whole)
