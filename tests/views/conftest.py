"""For every test of a page: models that a link names are loaded, as if the visitor had asked for them."""

import functools
from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner

from explorer.analysis.senses import contextuality
from explorer.views.frame import picker
from explorer.views.look import blocklist
from tests.shared_models import models_read_once

__all__ = ["models_read_once"]


@pytest.fixture(autouse=True)
def chosen_by_hand(monkeypatch):
    """Test checkpoints come by link; that a link alone loads nothing, test_picker.py tests."""
    monkeypatch.setattr(picker, "was_chosen", lambda name: True)


@pytest.fixture
def block(monkeypatch):
    """block("river") makes the list these words alone, so that ordinary sentences can test it."""
    return lambda *words: monkeypatch.setattr(blocklist, "listed", lambda: frozenset(words))


@pytest.fixture(scope="session", autouse=True)
def packages_searched_once() -> Iterator[None]:
    """AppTest looks through all installed packages for components, at every run of a page (0.13 s)."""
    once = functools.cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def random_words_read_once() -> Iterator[None]:
    """A model reads the two hundred sentences of its random baseline once for all tests (0.3 to 1 s)."""
    kept, real = {}, contextuality.random_words

    def once(model, sentences, count, **settings):
        key = (str(model.checkpoint), tuple(sentences), count, *sorted(settings.items()))
        if key not in kept:
            kept[key] = real(model, sentences, count, **settings)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contextuality, "random_words", once)
        yield


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Outside a server one session state serves all tests: what one has set must not reach the next."""
    yield
    st.session_state.clear()
