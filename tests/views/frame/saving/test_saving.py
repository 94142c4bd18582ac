"""The Save control in Python: tables, names, what is offered, undo. Chromium sees the rest."""

import codecs
import io

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from explorer.errors import TextError
from explorer.files import tables
from explorer.files.encoding import UTF8, open_text
from explorer.views.frame import problem
from explorer.views.frame.saving.saving import OPENED, SessionFile, _mime, file_name, table, with_origin
from explorer.views.settings.page_history import MOST_STATES

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(st.lists(st.tuples(CELLS, CELLS.map("x".__add__)), max_size=5))
@example([("=1+1", "'=1"), ("\r", "-"), ("'=", "x"), ("銀行", "")])
def test_a_table_reads_back(rows):
    file = io.BytesIO(table(["word", "sense"], rows).encode())
    read = tables.rows(open_text(file, UTF8, newline=""), ",", "a.csv")
    assert [row for _, row in read] == [["word", "sense"], *map(list, rows)]


def test_a_table_has_a_mark_where_a_spreadsheet_needs_it():
    assert table(["word"], [["bank"]]) == "word\nbank\n"
    data = table(["word", "p"], [["银行", -1.5]]).encode()
    assert data.startswith(codecs.BOM_UTF8)
    assert pd.read_csv(io.BytesIO(data)).to_dict("list") == {"word": ["银行"], "p": [-1.5]}


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=", "'="), ("=1+1", "'=1+1"), ("+1", "'+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-", "'-"),
        ("-2+3", "'-2+3"), ("\t=1", "'\t=1"), ("＝1+1", "'＝1+1"),
        ('=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'), ("1-2", "1-2"), ("-1.5", "-1.5"),
        (-1.5, "-1.5"), (-3, "-3"), (1e-9, "1e-09"),
    ],
)  # fmt: skip
def test_no_spreadsheet_runs_a_cell(cell, written):
    assert table(["token"], [[cell]]).removeprefix("\ufeff") == f"token\n{written}\n"


def test_numbers_keep_what_single_precision_has():
    assert table(["n", "x"], [[3, 0.1234567891], [True, 1e-9]]) == "n,x\n3,0.1234568\nTrue,1e-09\n"


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("the bank / layer 6.csv", "the-bank-layer-6.csv"),
        ("../../etc/passwd.csv", "etc-passwd.csv"),
        ("</script>.png", "script.png"),
        ("銀行-bert.csv", "銀行-bert.csv"),
        ("नदी / बैंक.csv", "नदी-बैंक.csv"),
        ("??.csv", "riverbank.csv"),
        ("", "riverbank"),
        ("Dr. Smith/x", "Dr.-Smith-x"),  # a picture's name has no ending
        ("3.5/4", "3.5-4"),
        ("a" * 300 + ".json", "a" * 80 + ".json"),
    ],
)
def test_a_users_word_makes_a_name_that_every_system_takes(word, name):
    assert file_name(word) == name


@pytest.mark.parametrize(
    ("file", "mime"),
    [
        ("a.csv", "text/csv"),
        ("a.json", "application/json"),
        ("a.html", "text/html"),
        ("a.npz", "application/octet-stream"),
    ],
)
def test_a_names_ending_says_its_type(file, mime):
    assert _mime(file) == mime


def script():
    import streamlit as st

    from explorer.views.frame import problem
    from explorer.views.frame.saving import saving
    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    text, layer = Setting("text", "default"), Setting("layer", 3)
    settings = Settings("senses", text, layer)
    if error := problem.take():
        st.error(error.message)
    saving.apply_opened(settings)
    settings.open()
    saving.undo(settings)
    settings.set(layer.to(min(settings[layer], 8)))  # as pages bring settings within range
    into = saving.place()
    st.slider("Layer", 0, 9, key=settings.key(layer))
    st.button("long", key="long", on_click=lambda: settings.set(text.to("a" * 9)))
    st.button("reset", key="reset", on_click=settings.reset)
    st.text(f"{settings[text]}|{settings[layer]}")
    settings.close()

    def never() -> str:
        raise AssertionError("made without a click")

    saving.offer(settings, saving.Export("Numbers", "a b.csv", never), saving.Picture("map", "map"))
    saving.control(settings, into)


@pytest.fixture
def at() -> AppTest:
    return AppTest.from_function(script, default_timeout=300).run()


def undo(at: AppTest):
    return next(button for button in at.button if button.key == "senses/undo")


def test_what_is_offered_stands_in_the_control_and_nothing_is_made(at):
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels == ["Numbers · CSV", "This session · JSON"]
    assert not at.exception


def test_a_table_says_in_its_last_column_with_what_it_was_made():
    made = with_origin(lambda: table(["word", "bits"], [["=1+1", 0.5], ["é", -1]]), ["Riverbank", "Seed: 3"])
    assert made == "\ufeffword,bits,made with\n'=1+1,0.5,Riverbank · Seed: 3\né,-1,\n"
    assert with_origin(lambda: "word\n", ["Riverbank"]) == "word,made with\n"


def test_undo_goes_back_change_by_change_and_then_rests(at):
    assert undo(at).disabled
    at.slider[0].set_value(5).run()
    at.slider[0].set_value(7).run()
    at.button(key="long").click().run()
    assert at.text[0].value == "aaaaaaaaa|7"
    states = []
    while not undo(at).disabled:
        undo(at).click().run()
        states.append(at.text[0].value)
    assert states == ["default|7", "default|5", "default|3"]
    at.slider[0].set_value(4).run()
    assert not undo(at).disabled


def test_a_reset_can_be_undone(at):
    at.slider[0].set_value(8).run()
    at.button(key="reset").click().run()
    assert at.text[0].value == "default|3"
    undo(at).click().run()
    assert at.text[0].value == "default|8"


def test_so_many_changes_are_remembered_and_no_more(at):
    for n in range(MOST_STATES + 5):
        at.slider[0].set_value(n % 9 + 1 if n % 9 + 1 != at.slider[0].value else 0).run()
    count = 0
    while not undo(at).disabled:
        undo(at).click().run()
        count += 1
    assert count == MOST_STATES


def test_what_the_page_itself_brings_within_range_is_no_change(at):
    at.slider[0].set_value(9).run()
    assert at.text[0].value == "default|8"
    at.slider[0].set_value(5).run()
    for state in ("default|8", "default|3"):
        undo(at).click().run()
        assert at.text[0].value == state
    assert undo(at).disabled


def test_an_opened_session_is_taken_over_once_and_can_be_undone(at):
    at.session_state[OPENED] = SessionFile("senses", {"text": "from a file", "layer": "no number"})
    at.run()
    assert at.text[0].value == "from a file|3" and at.query_params["text"] == "from a file"
    at.slider[0].set_value(1).run()
    assert at.text[0].value == "from a file|1"
    undo(at).click().run()
    undo(at).click().run()
    assert at.text[0].value == "default|3"


def test_what_is_wrong_with_a_file_is_said_once(at):
    at.session_state[problem.KEY] = TextError("No session.", "Save one.")
    assert at.run().error[0].value == "No session."
    assert not at.run().error


def test_a_text_too_long_for_a_link_comes_with_a_session(at):
    long = "".join(chr(0x4E00 + n * n % 20000) for n in range(9000))  # that no packing makes short
    at.session_state[OPENED] = SessionFile("senses", {"text": long})
    at.run()
    assert at.text[0].value == f"{long}|3" and "text" not in at.query_params
