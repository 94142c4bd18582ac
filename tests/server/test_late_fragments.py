"""A request for a part of a page that is no longer there is dropped."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from explorer.server import late_fragments


@pytest.fixture(autouse=True)
def streamlits_own(monkeypatch):
    monkeypatch.setattr(ScriptRunner, "_run_script", ScriptRunner._run_script)  # put back at the end


def runner(*fragments: str) -> SimpleNamespace:
    """Anything but its fragments is missing: a run that begins fails at once."""
    return SimpleNamespace(_fragment_storage=SimpleNamespace(contains=fragments.__contains__))


def test_only_a_request_whose_fragments_have_all_gone_is_dropped():
    late_fragments.drop()
    late_fragments.drop()
    ScriptRunner._run_script(runner("another"), RerunData(fragment_id_queue=["gone"]))
    for begins in (RerunData(fragment_id_queue=["gone", "there"]), RerunData()):
        with pytest.raises(AttributeError):
            ScriptRunner._run_script(runner("there"), begins)
