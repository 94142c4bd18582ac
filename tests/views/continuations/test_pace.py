"""An answer brings more of a text where many visitors are answered at once."""

from streamlit.testing.v1 import AppTest

from explorer.views.continuations import session
from explorer.views.continuations.pace import LEAST, MOST, portion


def count_answers():
    import streamlit as st

    from explorer.views.continuations.pace import under_way

    st.text(under_way())


def test_streamlits_own_threads_are_counted():
    assert AppTest.from_function(count_answers).run().text[0].value == "1", "the one that runs this script"


def test_a_full_room_is_answered_less_often_and_with_more(monkeypatch):
    class Run:
        answers, going, grown = 0, True, 0

        def grow(self, wait):
            self.grown += 1
            return True

    for room, tokens in ((1, LEAST), (5, 10), (50, MOST)):
        monkeypatch.setattr(session, "under_way", lambda room=room: room)
        run = Run()
        session.extend(run)
        assert (run.grown, run.answers) == (tokens, 1)
    assert portion(50).seconds > portion(1).seconds
