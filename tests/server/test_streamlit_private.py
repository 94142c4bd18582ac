"""What leans on Streamlit's insides does what it says, with the installed version."""

from dataclasses import replace
from inspect import getsource
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.commands import navigation
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.session_manager import SessionInfo, SessionManager
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from explorer.server import streamlit_private


@pytest.fixture(autouse=True)
def streamlits_own(monkeypatch):
    taken_over = "on_script_will_rerun", "filtered_state"
    others = (ScriptRunner, "_run_script"), (ScriptRequests, "_request_rerun_locked")
    for owner, name in (*others, *((SafeSessionState, each) for each in taken_over)):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # put back at the end


def runner(*fragments: str) -> SimpleNamespace:
    """Anything but its fragments is missing: a run that begins fails at once."""
    return SimpleNamespace(_fragment_storage=SimpleNamespace(contains=fragments.__contains__))


def test_only_a_request_whose_fragments_have_all_gone_is_dropped():
    streamlit_private.drop_late_fragments()
    streamlit_private.drop_late_fragments()
    ScriptRunner._run_script(runner("another"), RerunData(fragment_id_queue=["gone"]))
    for begins in (RerunData(fragment_id_queue=["gone", "there"]), RerunData()):
        with pytest.raises(AttributeError):
            ScriptRunner._run_script(runner("there"), begins)


def press_while_the_browser_sends() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    def pressed():
        context = get_script_run_ctx()
        context.script_requests.request_rerun(RerunData(page_script_hash=context.page_script_hash))
        st.session_state["effect"] = st.session_state.get("effect", 0) + 1

    st.button("Press", key="press", on_click=pressed)


def test_a_press_has_its_effect_though_another_message_arrives_with_it():
    streamlit_private.finish_callbacks()
    at = AppTest.from_function(press_while_the_browser_sends, default_timeout=300).run()
    assert at.button(key="press").click().run().session_state["effect"] == 1


def press_beside_a_fragment() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

    @st.fragment
    def part() -> None:
        st.session_state["fragment"] = ThreadState.get().fragment_id
        st.button("More", key="more")

    st.button("Press", key="press", on_click=lambda: None)
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    part()


@pytest.mark.parametrize(("key", "runs"), [("press", 2), ("more", 1)])
def test_a_press_that_is_sent_with_a_fragments_message_runs_the_page(monkeypatch, key, runs):
    streamlit_private.finish_callbacks()
    at = AppTest.from_function(press_beside_a_fragment, default_timeout=300).run()
    fragment, request = at.session_state["fragment"], ScriptRequests.request_rerun

    def as_one(self, new):
        return request(self, replace(new, fragment_id_queue=[fragment]))

    monkeypatch.setattr(ScriptRequests, "request_rerun", as_one)
    assert at.button(key=key).click().run().session_state["runs"] == runs


def visit() -> None:
    import streamlit as st

    from explorer.server import streamlit_private as private

    st.button("Press", key="press")
    st.toggle("Turn", key="turn")
    here = [private.in_script(), private.session(), private.script(), private.is_history_navigation()]
    st.session_state["here"] = here
    st.session_state["clicks"] = [private.clicked(), private.clicked(besides="press")]


def test_a_script_knows_its_visitor_and_whether_a_click_has_started_it():
    at = AppTest.from_function(visit, default_timeout=300).run()
    inside, session, script, history = at.session_state["here"]
    assert inside and session and script and not history
    assert at.session_state["clicks"] == [False, False]
    assert at.toggle(key="turn").set_value(True).run().session_state["clicks"] == [False, False]
    assert at.button(key="press").click().run().session_state["clicks"] == [True, False]
    outside = streamlit_private.in_script(), streamlit_private.session(), streamlit_private.script()
    assert outside == (False, "", "") and not streamlit_private.clicked()


def choose() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    st.session_state.setdefault("none", None)
    st.session_state["chosen"] = [st.number_input("Number", key=key) for key in ("none", "number")]
    session = get_script_run_ctx().session_state
    st.session_state["each"], st.session_state["all"] = session.filtered_state, session._state.filtered_state


def test_widgets_look_up_their_own_values():
    streamlit_private.look_up_values_singly()
    at = AppTest.from_function(choose, default_timeout=300).run()
    singly, whole = at.session_state["each"], at.session_state["all"]
    assert at.session_state["chosen"] == [None, 0] and type(singly) is streamlit_private.Values
    assert {key: singly[key] for key in whole} == whole and singly.keys() > whole.keys()


def draw_in_the_middle() -> None:
    import streamlit as st

    from explorer.server.streamlit_private import draw_kept

    for name in ("effect", "drawn"):
        st.session_state.setdefault(name, 0)

    def pressed():
        st.session_state["effect"] += 1

    def draw():
        st.session_state["drawn"] += 1
        st.text(words)
        st.columns(2)[0].button("Press", key="press", on_click=pressed)

    if st.toggle("Above", key="above"):
        st.text("above")
    words = "others" if st.toggle("Words", key="words") else "some"
    box = st.container()
    box.text("before")
    draw_kept(box, "middle", words, draw)
    box.text("after")


def test_what_its_inputs_alone_decide_is_drawn_again_only_for_others():
    at = AppTest.from_function(draw_in_the_middle, default_timeout=300).run()
    at.toggle(key="above").set_value(True).run()  # its place has changed
    for presses in (1, 2):
        assert at.button(key="press").click().run().session_state["effect"] == presses
        assert [text.value for text in at.text] == ["above", "before", "some", "after"]
    assert at.session_state["drawn"] == 1 and len(at.columns) == 2
    at.toggle(key="words").set_value(True).run()
    assert [text.value for text in at.text] == ["above", "before", "others", "after"]
    assert at.session_state["drawn"] == 2


def test_back_and_forward_are_told_by_the_context():
    assert "is_history_navigation" in ScriptRunContext.__dataclass_fields__
    assert "is_history_navigation" in RerunData.__dataclass_fields__


@pytest.mark.parametrize("is_running", [False, True])
@pytest.mark.parametrize(("address", "is_kept"), [("layer=4", True), ("layer=5", False)])
def test_a_message_that_comes_with_back_does_not_undo_it(monkeypatch, is_running, address, is_kept):
    streamlit_private.keep_history_navigation()
    requests = ScriptRequests()
    requests.request_rerun(RerunData(query_string="layer=4", is_history_navigation=True))
    if is_running:
        assert requests.on_scriptrunner_ready().rerun_data.is_history_navigation
    requests.request_rerun(RerunData(query_string=address))
    assert requests.on_scriptrunner_ready().rerun_data.is_history_navigation == is_kept
    context = SimpleNamespace(script_requests=requests)
    monkeypatch.setattr(streamlit_private, "get_script_run_ctx", lambda: context)
    streamlit_private.end_history_navigation()
    requests.request_rerun(RerunData(query_string=address))
    assert not requests.on_scriptrunner_ready().rerun_data.is_history_navigation, "it has been read"


def test_sessions_are_listed_by_the_manager_of_the_runtime():
    assert "self._session_mgr =" in getsource(Runtime.__init__) and "self.id =" in getsource(
        AppSession.__init__
    )
    assert callable(SessionManager.list_sessions) and "session" in SessionInfo.__annotations__


def test_uploads_are_counted_by_session_and_dropped(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    manager.add_file("here", UploadedFileRec(file_id="a", name="a.txt", type="text/plain", data=b"12345"))
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    assert streamlit_private.stored_bytes() == {"here": 5}
    context = SimpleNamespace(uploaded_file_mgr=manager, session_id="here")
    monkeypatch.setattr(streamlit_private, "get_script_run_ctx", lambda: context)
    streamlit_private.remove_upload(UploadedFile(manager.get_files("here", ["a"])[0], FileURLs()))
    assert sum(streamlit_private.stored_bytes().values()) == 0


def test_a_page_that_one_run_may_run_is_not_that_of_another():
    page = st.Page(visit, title="Visit", url_path="visit")
    (one,), (other,) = (streamlit_private.fresh([page]) for _ in range(2))
    one._can_be_called = True
    assert not getattr(other, "_can_be_called", False)
    assert "_can_be_called = True" in getsource(navigation)
