"""What leans on Streamlit's insides does what it says, with the installed version."""

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
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.session_manager import SessionInfo, SessionManager
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from explorer.server import streamlit_private


@pytest.fixture(autouse=True)
def streamlits_own(monkeypatch):
    for owner, name in ((ScriptRunner, "_run_script"), (SafeSessionState, "on_script_will_rerun")):
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
    at = AppTest.from_function(press_while_the_browser_sends).run()
    assert at.button(key="press").click().run().session_state["effect"] == 1


def visit() -> None:
    import streamlit as st

    from explorer.server import streamlit_private as private

    st.button("Press", key="press")
    st.toggle("Turn", key="turn")
    here = [private.in_script(), private.session(), private.script(), private.is_history_navigation()]
    st.session_state["here"] = here
    st.session_state["clicks"] = [private.clicked(), private.clicked(besides="press")]


def test_a_script_knows_its_visitor_and_whether_a_click_has_started_it():
    at = AppTest.from_function(visit).run()
    inside, session, script, history = at.session_state["here"]
    assert inside and session and script and not history
    assert at.session_state["clicks"] == [False, False]
    assert at.toggle(key="turn").set_value(True).run().session_state["clicks"] == [False, False]
    assert at.button(key="press").click().run().session_state["clicks"] == [True, False]
    outside = streamlit_private.in_script(), streamlit_private.session(), streamlit_private.script()
    assert outside == (False, "", "") and not streamlit_private.clicked()


def test_back_and_forward_are_told_by_the_context():
    assert "is_history_navigation" in ScriptRunContext.__dataclass_fields__
    assert "is_history_navigation" in RerunData.__dataclass_fields__


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
