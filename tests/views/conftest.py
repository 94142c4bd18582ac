"""For every test of a page: models that a link names are loaded, as if the visitor had asked for them."""

import pytest

from explorer.views.frame import picker


@pytest.fixture(autouse=True)
def chosen_by_hand(monkeypatch):
    """Test checkpoints come by link; that a link alone loads nothing, test_picker.py tests."""
    monkeypatch.setattr(picker, "was_chosen", lambda name: True)
