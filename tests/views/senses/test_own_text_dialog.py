"""The way in for one's own text: files and pastes of every kind, and what is said of bad ones."""

from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.senses import own_text
from tests.views.opening import problems

# The dialog alone: a test's rerun is one of the whole page, which would close it.
SCRIPT = """
from explorer.views.senses.own_text_dialog import choose
from tests.views.opening import defaults, page_settings

choose(page_settings("senses", **defaults("senses")))
"""
TABLE = b"note,sort\n" + b"".join(
    b"We met at the bank on day %d,%s\n" % (i, b"river" if i % 2 else b"money") for i in range(40)
)


@pytest.fixture
def at() -> AppTest:
    """The dialog, open."""
    return AppTest.from_string(SCRIPT).run(timeout=300)


def drop(at: AppTest, name: str, data: bytes) -> AppTest:
    at.file_uploader[0].set_value([(name, data, "text/plain")]).run(timeout=300)
    assert not at.exception
    return at


def taken(at: AppTest) -> own_text.OwnText | None:
    """The text that the page would open on."""
    return next((at.session_state[key] for key in [own_text.STATE] if key in at.session_state), None)


def test_a_paste_becomes_the_visitors_text(at):
    at.button(key="own/use").click().run(timeout=300)
    assert "There is no text yet." in problems(at) and taken(at) is None
    at.text_area(key="own/text/0").set_value("The bank is shut. It was the old bank! Rain fell.")
    at.button(key="own/use").click().run(timeout=300)
    assert not at.exception
    assert taken(at).index.sentences == 3 and taken(at).contents.name == "pasted.txt"
    assert at.session_state["senses.own"] and at.session_state["own/turn"] == 1
    assert "own/text/0" not in at.session_state, "the paste itself is not kept"


def test_a_text_file_is_read_at_once(at):
    drop(at, "notes.txt", b"The bank is shut. A bank.\n")
    assert taken(at).index.sentences == 2 and "senses.word" not in at.session_state, "it has the word"
    first = taken(at).index
    drop(at, "other.txt", b"Ferries leave at noon.\n")
    assert at.session_state["senses.word"] == "", "it has not"
    assert not first.size and taken(at).index.size


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.txt", b"text\0", "is a binary file"),
        ("a.csv", b"id,price\n1,2\n", "has no column of text"),
        ("a.jsonl", b"{broken\n", "no line that is a JSON object"),
        ("a.txt", b" \n", "is empty"),
        ("a.txt", b"\n\xe2\x80\x8b\xc2\xad\n", "There are no sentences"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_and_the_way_stays_open(at, name, data, says):
    drop(at, "kept.txt", b"A bank is here.")
    before = taken(at)
    assert says in problems(drop(at, name, data)) and taken(at) is before, "nothing is lost"
    assert before.index.read()
    assert taken(drop(at, "b.txt", b"A bank is there.")).contents.name == "b.txt"


def test_another_encoding_can_be_chosen(at):
    drop(at, "a.txt", "Er saß auf der Bank.".encode("cp1252"))
    assert "is not in UTF-8" in problems(at) and taken(at) is None
    at.selectbox[0].set_value("cp1252").run(timeout=300)
    at.button(key="own/use-file").click().run(timeout=300)
    assert not at.exception and taken(at).contents.encoding == "cp1252"


def test_a_table_asks_which_columns_to_read(at):
    drop(at, "t.csv", TABLE)
    assert at.selectbox(key="own/column/0").value == 0 and at.selectbox(key="own/sense/0/0").value is None
    assert "We met at the bank on day 0" in problems(at) and taken(at) is None
    at.selectbox(key="own/sense/0/0").set_value(1).run(timeout=300)
    at.button(key="own/use-file").click().run(timeout=300)
    assert not at.exception and taken(at).contents.sense == 1
    senses = Counter(sentence.sense for sentence in taken(at).index.read())
    assert senses == {"money": 20, "river": 20}


def test_words_with_a_hash_are_senses_if_the_visitor_says_so(at):
    tweets = "So happy with my new #bank\nAt the bank again #fail\nClosed #Monday\nNot again #bank\n"
    drop(at, "tweets.txt", tweets.encode())
    (switch,) = at.toggle
    assert "bank, fail, Monday" in switch.label and switch.value and taken(at) is None
    switch.set_value(False).run(timeout=300)
    at.button(key="own/use-file").click().run(timeout=300)
    assert not taken(at).contents.tagged and "stay in their sentences" in taken(at).notes[0]


def test_the_same_of_a_paste(at):
    at.text_area(key="own/text/0").set_value("The bank is shut. #money\nMuddy bank. #river\nA bank. #money")
    at.toggle(key="own/senses/0").set_value(False)
    at.button(key="own/use").click().run(timeout=300)
    assert not taken(at).contents.tagged


def test_the_bytes_of_an_upload_are_let_go(at, monkeypatch):
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    removed, real = [], MemoryUploadedFileManager.remove_file

    def remove(self, session_id, file_id):
        removed.append(len(self.get_files(session_id, [file_id])[0].data))
        real(self, session_id, file_id)

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", remove)
    drop(at, "notes.txt", b"The bank is shut.")
    assert removed == [17]
