"""Values of a session are declared; the only raw keys are those of widgets."""

import re
from pathlib import Path

from explorer.server import session
from explorer.server.session import Session, reset

ROOT = Path(__file__).parents[2]
# A widget's own key is named `key`; `Settings` and its history keep what a page's settings are.
WIDGETS = re.compile(r"session_state(\[key\]|\.(get|pop)\(key\b)")


def test_no_view_has_a_key_of_the_session_that_is_not_declared():
    files = [file for room in ("explorer/views", "pages") for file in (ROOT / room).rglob("*.py")]
    for file in files:
        if file.parent.name == "settings" or file.name == "handout.py":  # it runs pages from outside
            continue
        text = file.read_text(encoding="utf-8")
        assert len(WIDGETS.findall(text)) == text.count("session_state"), file


def test_a_value_is_its_default_until_it_is_set_and_ends_with_what_it_is_of(monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {})
    monkeypatch.setattr(session, "_parts", {"room": [], "lecture": []})
    zoom, own = Session("zoom", 1.0), Session[list[int]]("own", [], of="room")
    assert zoom.get() == 1.0 and not zoom.is_set()
    zoom.set(2.0), own.get().append(1), own.at("other").set([3])
    assert (zoom.get(), own.get(), own.at("other").get()) == (2.0, [1], [3]) and own.default == []
    reset("lecture")
    assert own.get() == [1]
    reset("room")
    assert own.get() == [] and zoom.take() == 2.0 and zoom.get() == 1.0
