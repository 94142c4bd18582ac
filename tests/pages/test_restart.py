"""A click on a page from before the server was restarted: it is lost, and the page says so."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from tests.views.opening import unopened


@pytest.mark.parametrize(
    ("state", "lost"),
    [
        (WidgetState(id="$$ID-1-masked/preset/x", trigger_value=True), True),
        (WidgetState(id="$$ID-1-masked/k", int_value=5), False),
        (WidgetState(id="$$ID-1-page_behaviour__events", json_trigger_value='{"again": 1}'), False),
        (None, False),
    ],
)
def test_a_click_that_begins_a_session_is_not_swallowed_in_silence(state, lost):
    at = unopened()
    at._run(WidgetStates(widgets=[state] if state else []))
    assert not at.exception
    assert any("Press once more" in line.value for line in at.text) == lost
    at._run(WidgetStates(widgets=[state] if state else []))
    assert not any("Press once more" in line.value for line in at.text)
