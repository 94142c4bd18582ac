"""For every test of a page: models that a link names are loaded, as if the visitor had asked for them."""

from collections.abc import Iterator

import pytest
import streamlit as st

from explorer.views.frame import picker


@pytest.fixture(autouse=True)
def chosen_by_hand(monkeypatch):
    """Test checkpoints come by link; that a link alone loads nothing, test_picker.py tests."""
    monkeypatch.setattr(picker, "was_chosen", lambda name: True)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Outside a server one session state serves all tests: what one has set must not reach the next."""
    yield
    st.session_state.clear()
