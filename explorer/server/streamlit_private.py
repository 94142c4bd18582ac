"""What leans on the insides of Streamlit 1.67, each with the line that it leans on: an upgrade begins here.

Beyond these, stylesheets and scripts find Streamlit's own elements by `data-testid` and by the class
`st-key-...` of a widget's key.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any

import streamlit as st
from starlette import websockets
from starlette.requests import ClientDisconnect
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext, get_run_yield_check
from streamlit.runtime.state.safe_session_state import SafeSessionState

from explorer import locale

ELEMENTS = "/elements"
BLOCKS = "/blocks"
STYLES = "styles"
MAIN, EVENT = 0, 2  # proto/RootContainer.proto: what is on the page, and a style sheet
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


def session_value(key: str) -> Any:
    """The session's value at a key. Raises KeyError.

    A run of a page looks some five hundred times, and `st.session_state` asks each time whether the run
    should end, and in four places for the value (runtime/state/safe_session_state.py:120,
    session_state.py:785).
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return st.session_state[key]
    with context.session_state._lock:
        state = context.session_state._state
        widget = state._key_id_mapper.get_id_from_key(key, None)
        if widget is not None:
            return state._getitem(widget, key)
        return state._new_session_state[key] if key in state._new_session_state else state._old_state[key]


def end_if_asked() -> None:
    """Let Streamlit end a run here whose visitor has asked for another one, or has left.

    runtime/scriptrunner_utils/script_run_context.py:531: what its own waits call.
    """
    if check := get_run_yield_check():
        check()


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


def _wrap(kind: type, name: str, around: Callable[..., Any]) -> None:
    """From now on `around` is called with a method and its arguments; a second time changes nothing."""
    method = getattr(kind, name)
    if not hasattr(method, "__wrapped__"):
        setattr(kind, name, wraps(method)(lambda *given, **more: around(method, *given, **more)))


def drop_late_fragments() -> None:
    """From now on drop requests all of whose fragments have gone by the time that they would be run.

    A component that asks for more, or a count that looks again every second, may do so a moment after a
    press has begun a change of page. Streamlit looks for the fragment when the request arrives, while the old
    page's are still there, and runs it once the new page has been drawn: under the old page's name, at which
    the browser clears the screen and stays empty (runtime/scriptrunner/script_runner.py:724, where
    SCRIPT_STARTED is sent before a missing fragment is skipped).
    """

    def run_what_is_there(run_script: Any, self: Any, rerun_data: Any) -> None:
        late = rerun_data.fragment_id_queue
        if not late or any(map(self._fragment_storage.contains, late)):
            run_script(self, rerun_data)

    _wrap(ScriptRunner, "_run_script", run_what_is_there)


def finish_callbacks(before: Callable[[], object] = lambda: None) -> None:
    """From now on a press has its whole effect, whatever else its browser sends meanwhile.

    Each look into the session is a place at which Streamlit goes on to the next request. Where one arrives
    as a press is about to be taken in, or its callback runs, the press would be lost
    (runtime/state/safe_session_state.py:69, runtime/state/session_state.py:1115).

    A browser sends as one what a press and a fragment's component have for it in the same moment, and asks
    for that fragment alone, though the press is outside of it: then the page runs.

    `before` is called before the callbacks, in the thread of the run, and so of a fragment's too.
    """

    def take_in_whole(take_in: Any, self: Any, *states: Any, **more: Any) -> None:
        runner = self._yield_callback.__self__
        runner._execing = False  # script_runner.py:556: the next request waits, and is looked for after it
        try:
            before()
            take_in(self, *states, **more)
        finally:
            runner._execing = True
        context: Any = get_script_run_ctx()
        fragments, state = context.fragment_ids_this_run, self._state._new_widget_state
        changes = [id for id in (state if fragments else ()) if self._state._widget_changed(id)]
        of_changes = [state.widget_metadata[id].fragment_id for id in changes if id in state.widget_metadata]
        if not set(of_changes) <= set(fragments or ()):
            raise RerunException(
                RerunData(
                    query_string=context.query_string,
                    page_script_hash=context.page_script_hash,
                    cached_message_hashes=context.cached_message_hashes,
                    context_info=context.context_info,
                )
            )

    _wrap(SafeSessionState, "on_script_will_rerun", take_in_whole)


def keep_history_navigation() -> None:
    """From now on Back and Forward are answered, whatever else their page sends meanwhile.

    A request that ends the run that was to read the address, or that it has not begun yet, begins another
    one. Streamlit asks that one alone whether it is Back (runtime/scriptrunner_utils/script_requests.py:428),
    and a page would write its own address again. While a run goes on, its request is the newest.
    `end_history_navigation` says that the address has been read.
    """

    def request_and_keep(request: Any, self: Any, new: Any) -> Any:
        before = self._rerun_data
        at, at_before = ((each.page_script_hash, each.query_string) for each in (new, before))
        if before.is_history_navigation and at == at_before:
            new = replace(new, is_history_navigation=True)
        return request(self, new)

    _wrap(ScriptRequests, "_request_rerun_locked", request_and_keep)


def end_history_navigation() -> None:
    """What comes in from now on, while this run goes on, is a press of its own."""
    context = get_script_run_ctx()
    if context is not None and (requests := context.script_requests) is not None:
        with requests._lock:
            requests._rerun_data = replace(requests._rerun_data, is_history_navigation=False)


@dataclass(frozen=True, eq=False)
class Values(Mapping[str, Any]):
    """A session's values by key, each looked up when it is asked for."""

    session: SafeSessionState

    def __getitem__(self, key: str) -> Any:
        with self.session._lock:
            return self.session._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.session._state.filtered_state)

    def __len__(self) -> int:
        return len(self.session._state.filtered_state)


def look_up_values_singly() -> None:
    """From now on a widget looks up its own value alone.

    Each slider, menu and box of text asks whether its value is None, in a dictionary that Streamlit makes of
    all values of the session (elements/widgets/slider.py:922, runtime/state/safe_session_state.py:115).
    """
    SafeSessionState.filtered_state = property(Values)  # type: ignore[method-assign, assignment]


@dataclass(eq=False)
class Elements:
    """What a page's last run has drawn, by reference: Streamlit's messages by their place on the page.

    While `part` is "", elements are not kept, and in STYLES only what has no place on the page. `mounts` has
    a component's name by its key, and what makes its data for a page without a server.
    """

    part: str = ""
    mounts: dict[str, tuple[str, Callable[[], Any] | None]] = field(default_factory=dict)
    _kept: dict[tuple[int, ...], tuple[str, object, Any]] = field(default_factory=dict)
    _last_run: dict[str, object] = field(default_factory=dict)  # of a fragment

    def keep(self, message: Any, run: object, of_fragment: bool) -> None:
        """Keep a message, instead of the one before it at its place."""
        delta, place = message.delta, tuple(message.metadata.delta_path)
        if delta.fragment_id:
            self._last_run[delta.fragment_id] = run
        part = self.part
        if of_fragment:  # alone, it is drawn where the page's run had drawn it
            above = (place[:end] for end in range(len(place), 0, -1))
            part = next((self._kept[at][0] for at in above if at in self._kept), "")
        is_block = delta.WhichOneof("type") == "add_block"
        if (place[0] == MAIN and (is_block or part not in ("", STYLES))) or (place[0] == EVENT and part):
            self._kept[place] = (part, run, delta)
        else:
            self._kept.pop(place, None)

    def drawn(self) -> list[tuple[tuple[int, ...], str, Any]]:
        """What stands on the page now, from top to bottom: its place, its part, its delta."""
        return sorted(
            (
                (place, part, delta)
                for place, (part, run, delta) in list(self._kept.items())
                if not delta.fragment_id or self._last_run[delta.fragment_id] is run
            ),
            key=lambda each: each[0],
        )


def elements(anew: bool = False) -> Elements:
    """The elements of the visitor's page; `anew` for a run that draws the page from its top.

    runtime/scriptrunner_utils/script_run_context.py:359: each message passes by there. They are a value of
    the session (runtime/state/session_state.py:647), and gone with it.
    """

    def enqueue_and_keep(enqueue: Any, self: Any, message: Any) -> None:
        enqueue(self, message)
        state = self.session_state._state  # to look into the session itself would be to yield
        kept = state._new_session_state.get(ELEMENTS) or state._old_state.get(ELEMENTS)
        if kept is not None and message.WhichOneof("type") == "delta":
            kept.keep(message, self.cursors, bool(self.fragment_ids_this_run))

    _wrap(ScriptRunContext, "enqueue", enqueue_and_keep)
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return Elements()
    if anew or ELEMENTS not in st.session_state:
        st.session_state[ELEMENTS] = Elements()
    kept: Elements = st.session_state[ELEMENTS]
    return kept


@dataclass(frozen=True, eq=False)
class Block:
    """What a run has drawn from these inputs: its messages by place, how many stand in a row, and its ids."""

    inputs: object
    messages: Sequence[tuple[Sequence[int], Any]]
    number: int
    ids: tuple[frozenset[str], frozenset[str]]


def draw_kept(container: Any, name: str, inputs: object, draw: Callable[[], object]) -> None:
    """Draw into a container; while the inputs are equal, send again what an earlier run has drawn.

    For text, links and buttons alone: a widget with a value has to be drawn. A press calls the callback of
    the run that drew the button. Those of the page that the visitor is on are kept. `delta_generator.py:547`
    makes a message and moves the cursor on, `elements/lib/utils.py:198` notes the ids of a run,
    `runtime/state/session_state.py:1627` keeps callbacks, and line 1707 there gives a button its value.
    """
    context: Any = get_script_run_ctx(suppress_warning=True)
    if context is None or context.fragment_ids_this_run:
        with container:
            draw()
        return
    inputs = locale.language(), inputs
    page, blocks = "", dict[str, Block]()
    with suppress(KeyError):
        page, blocks = session_value(BLOCKS)
    if page != context.page_script_hash:  # which is part of all ids
        st.session_state[BLOCKS] = context.page_script_hash, (blocks := {})
    cursor, shared = container._cursor, context.shared
    ids = shared.widget_ids_this_run, shared.widget_user_keys_this_run
    *above, start = cursor.delta_path
    block = blocks.get(name)
    if block is not None and block.inputs == inputs:
        for this_run, own in zip(ids, block.ids):
            for each in own:
                this_run.check_and_add(each)
        values = context.session_state._state._new_widget_state
        for button in block.ids[0] - values.states.keys():
            values.set_from_value(button, False)  # or it counts as changed when it comes back as not pressed
        for (first, *rest), message in block.messages:
            again = _copy(message)
            again.metadata.delta_path[:] = [*above, start + first, *rest]
            context.enqueue(again)
        for _ in range(block.number):
            cursor.lock_element()
        return
    messages: list[tuple[Sequence[int], Any]] = []
    enqueue, before = context.enqueue, [each.snapshot() for each in ids]

    def enqueue_and_note(message: Any) -> None:
        enqueue(message)
        first, *rest = message.metadata.delta_path[len(above) :]
        messages.append(((first - start, *rest), _copy(message)))

    context.enqueue = enqueue_and_note
    try:
        with container:
            draw()
    finally:
        context.enqueue = enqueue
    of_widgets, of_keys = (each.snapshot() - old for each, old in zip(ids, before))
    blocks[name] = Block(inputs, messages, cursor.delta_path[-1] - start, (of_widgets, of_keys))


def _copy(message: Any) -> Any:
    """A message that may be changed while the first one waits to be sent."""
    other = type(message)()
    other.CopyFrom(message)
    return other
