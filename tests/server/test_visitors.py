"""What belongs to a visitor goes after the visitor: not at once, and not because somebody else asks."""

import gc

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.server import visitors
from explorer.server.visitors import GRACE_S, look


class Text:
    """Something that can be deleted."""

    deleted = 0

    def delete(self) -> None:
        """Once more."""
        self.deleted += 1


def script():
    import streamlit as st

    from explorer.server import visitors

    visitors.on_session_end("key", st.session_state["text"].delete)


@pytest.fixture
def here(monkeypatch):
    """Who is connected, as a set of sessions that the test fills."""
    there: set[str] = set()
    monkeypatch.setattr(visitors, "connected", lambda session: session in there)
    monkeypatch.setattr(visitors, "_callbacks", {})
    return there


def came(text: Text) -> str:
    """A visitor with a text: the session."""
    at = AppTest.from_function(script, default_timeout=300)
    at.session_state["text"] = text
    at.run()
    return visitors._callbacks["key"].session


def test_a_break_shorter_than_the_grace_costs_nothing(here):
    text = Text()
    here.add(session := came(text))
    start = visitors._callbacks["key"].last_seen
    look(start + 1000)
    here.clear()
    look(start + 1000 + GRACE_S - 1)
    here.add(session)
    look(start + 1000 + GRACE_S + 1)
    assert not text.deleted
    here.clear()
    look(start + 1000 + 3 * GRACE_S)
    look(start + 1000 + 4 * GRACE_S)
    assert text.deleted == 1 and not visitors._callbacks


def test_clearing_every_cache_deletes_nothing(here):
    text = Text()
    here.add(came(text))
    st.cache_data.clear()
    st.cache_resource.clear()
    look(1e9)
    assert not text.deleted and visitors._callbacks


def test_what_is_gone_already_is_not_waited_for(here):
    text = Text()
    came(text)
    del text
    gc.collect()
    look(0.0)
    assert not visitors._callbacks
    came(training := Text())
    visitors.forget("key")
    look(1e9)
    assert not training.deleted


def test_one_that_fails_leaves_no_others_data(here, caplog):
    class Broken(Text):
        def delete(self) -> None:
            raise OSError

    texts = [Broken(), Text()]
    for number, text in enumerate(texts):
        came(text)
        visitors._callbacks[number] = visitors._callbacks.pop("key")
    look(1e9)
    assert texts[1].deleted and "could not be deleted" in caplog.text
