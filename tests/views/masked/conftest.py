"""For the tests of the masked-words page: the model it opens with, and a block list of one's own."""

import pytest

import explorer
from explorer.views.look import blocklist


@pytest.fixture(scope="module")
def model():
    return explorer.load("bert")


@pytest.fixture
def block(monkeypatch):
    """block("river") makes the list these words alone, so that ordinary sentences can test it."""
    return lambda *words: monkeypatch.setattr(blocklist, "listed", lambda: frozenset(words))
