"""A student's notebook: pictures are kept in order, with sentences, and become a page without scripts."""

import base64
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import BytesIO

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from explorer.errors import TextError
from explorer.views.frame import problem
from explorer.views.frame.lecture import lecture
from explorer.views.frame.saving import notebook_dialog, notebook_entries
from explorer.views.frame.saving.notebook_entries import NotebookEntry

HOSTILE = "</script><script>alert(1)</script>\"'&"


def png() -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (4, 3), "red").save(buffer, "PNG")
    return buffer.getvalue()


def data_url(image: bytes) -> str:
    return notebook_entries.PREFIX + base64.b64encode(image).decode()


@dataclass
class Page:
    """As much of the settings as keeping a picture asks for."""

    page: str = "senses"
    caption: list[str] = field(default_factory=lambda: ["Riverbank: Word senses"])

    def link(self) -> dict[str, str]:
        return {"layer": "6"}


@pytest.fixture
def session(monkeypatch):
    """An empty session."""
    state = {}
    monkeypatch.setattr(notebook_entries.st, "session_state", state)
    monkeypatch.setattr(notebook_entries.st, "toast", lambda text: None)
    return state


def titles() -> list[str]:
    return [one.title for one in notebook_entries.pictures()]


def test_pictures_are_kept_moved_and_removed(session):
    for title in ("one", "two", "three"):
        notebook_entries.keep(Page(), title, data_url(png()))
    notebook_entries.move(3, -1)
    notebook_entries.move(1, -1)  # is the first already
    assert titles() == ["one", "three", "two"]
    session["box"] = "They lie apart."
    notebook_entries.write_sentence(3, "box")
    notebook_entries.remove(1)
    assert [(one.title, one.sentence) for one in notebook_entries.pictures()] == [
        ("three", "They lie apart."),
        ("two", ""),
    ]
    notebook_entries.keep(Page(), "four", data_url(png()))
    assert len({one.number for one in notebook_entries.pictures()}) == 3, "no number is given twice"


@pytest.mark.parametrize(
    "sent", [None, "", "data:image/svg+xml,<svg/>", data_url(b"GIF89a"), notebook_entries.PREFIX + "%"]
)
def test_what_is_no_picture_is_refused(session, sent):
    notebook_entries.keep(Page(), "one", sent)
    assert titles() == [] and "no picture" in session[problem.KEY].message


def test_there_is_an_end_to_it(session, monkeypatch):
    monkeypatch.setattr(notebook_entries, "MOST", 1)
    for title in ("one", "two"):
        notebook_entries.keep(Page(), title, data_url(png()))
    assert titles() == ["one"] and "1 pictures at most" in session[problem.KEY].message
    with pytest.raises(TextError, match="larger than 3 MB"):
        notebook_entries.read_png("x" * 5_000_000)


class Tags(HTMLParser):
    """The tags of a page, and the addresses in them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags, self.addresses = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]


def test_the_page_shows_texts_and_executes_none():
    one = NotebookEntry(1, HOSTILE, png(), (HOSTILE,), "masked", {"text": HOSTILE}, sentence=HOSTILE)
    page = notebook_dialog.html([one], HOSTILE, "http://localhost:8501")
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.tags and page.count("&lt;/script&gt;") >= 5
    image, link = tags.addresses
    assert base64.b64decode(image.partition(",")[2]) == png()
    assert link.startswith("http://localhost:8501/masked?text=")


def test_as_a_lecture_it_opens_the_same_views():
    one = NotebookEntry(1, "Senses", png(), (), "senses", {"layer": "6"}, sentence="Three\ngroups.")
    [item] = lecture.read(notebook_dialog.markdown([one]), {"senses": "Word senses"})
    assert (item.page, item.link, item.notes) == ("senses", {"layer": "6"}, ("Say: Three groups.",))


def script():
    from explorer.views.frame.saving import notebook_dialog

    notebook_dialog.sidebar()


def test_the_dialog_shows_what_is_kept():
    at = AppTest.from_function(script, default_timeout=300)
    at.run(timeout=300)
    assert not at.button
    at.session_state["/kept"] = [NotebookEntry(1, "Senses", png(), (), "senses", {})]
    at.run().button(key="kept/open").click().run()
    assert not at.exception
    assert [box.label for box in at.text_area] == ["What you see in it, in your own words"]
    at.button(key="kept/close/1").click().run()
    assert not at.exception and at.session_state["/kept"] == []
