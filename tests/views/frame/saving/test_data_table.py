"""The table beside a picture: made when it is opened, from what Save offers, for screen readers."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.saving.data_table import MOST_CELLS, MOST_ROWS, as_html
from explorer.views.frame.saving.saving import table
from tests.views.opening import said

HOSTILE = "</td><script>alert(1)</script>"


def cells(html: str, tag: str = "t[hd]") -> list[list[str]]:
    """The rows of a table, head first, as they are read."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", row, re.DOTALL) for row in rows]


def test_the_text_of_a_visitor_is_escaped_wherever_it_stands():
    html = as_html(table([HOSTILE, "n"], [[HOSTILE, 1], ["=1+1", 2]]), HOSTILE)
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert ">=1+1<" in html  # the apostrophe is for spreadsheets


def test_numbers_are_short_to_the_right_and_a_word_names_its_row():
    html = as_html(
        table(["rank", "word", "loss_nats"], [[1, "bank", -0.123456], [2, "river", 1234567]]), "Words"
    )
    assert cells(html) == [
        ["rank", "word", "loss nats"],
        ["1", "bank", "−0.123"],
        ["2", "river", "1,234,567"],
    ]
    assert '<th scope="row">bank</th><td class="number">' in html
    assert html.count('scope="col"') == 3 and "<caption>Words: 2 rows</caption>" in html


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        ([["a", "x"], ["a", "y"]], "x"),  # the first column says the same twice
        ([[1, 0.5], [2, 0.5]], "1"),
        ([["a", 0.5], ["a", 0.7]], None),  # a number that is no first column names nothing
        ([["", 1], ["b", 1]], None),
    ],
)
def test_what_names_a_row_is_told_apart_from_what_it_says(rows, head):
    heads = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', as_html(table(["one", "two"], rows), ""))
    assert heads[:1] == ([] if head is None else [head])


def test_what_is_the_same_in_every_row_is_said_once():
    rows = [["We [MASK].", rank, word] for rank, word in enumerate(["sat", "ran", "are"], 1)]
    html = as_html(table(["sentence", "rank", "word"], rows), "Guesses")
    assert html.count("We [MASK].") == 1 and cells(html)[0] == ["rank", "word"]


@pytest.mark.parametrize(("columns", "shown"), [(2, MOST_ROWS), (300, MOST_CELLS // 300)])
def test_a_long_table_ends_and_says_how_long_it_is(columns, shown):
    html = as_html(table([f"c{i}" for i in range(columns)], [[n] * columns for n in range(1500)]), "All")
    assert len(cells(html)) == 1 + shown
    caption = f"All: the first {shown} of 1,500 rows. Riverbank’s “Save” has all of them."
    assert f"<caption>{caption}</caption>" in html


def test_a_text_that_is_not_english_says_its_language():
    html = as_html(table(["word"], [["银行"], ["ひらがな"], ["bank"], ["été"]]), "")
    assert re.findall(r' lang="(\w+)">(.*?)<', html) == [("zh", "银行"), ("ja", "ひらがな")]


def test_an_empty_table_has_its_heads():
    assert cells(as_html(table(["word", "guess"], []), "Guesses")) == [["word", "guess"]]


def script():
    import streamlit as st

    from explorer.views.frame.saving import data_table
    from explorer.views.frame.saving.saving import Export, Picture, table
    from explorer.views.settings.settings import Settings

    def make(*row):
        st.session_state["times"] = st.session_state.get("times", 0) + 1
        return table(["word", "p"], [row])

    st.query_params.update(st.session_state.get("address", {}))
    settings = Settings("home")
    settings.saves = [
        Picture("picture", "a"),
        Export("Web", "a.html", make),
        *(
            Export(name, f"{name}.csv", lambda name=name: make(name, 0.25))
            for name in st.session_state["files"]
        ),
    ]
    data_table.show(settings, "View")


def page(*files: str, is_open: bool = True, **address: str) -> AppTest:
    at = AppTest.from_function(script, default_timeout=300)
    at.session_state["files"] = files
    at.session_state["address"] = address
    if is_open:
        at.session_state["home/numbers"] = True
    at.run()
    assert not at.exception
    return at


def test_nothing_is_made_before_it_is_opened():
    at = page("one", is_open=False)
    assert [fold.label for fold in at.expander] == ["The numbers as a table"]
    assert "times" not in at.session_state and "<table>" not in said(at)


def test_an_open_table_shows_what_save_has():
    at = page("one")
    assert cells(said(at)) == [["word", "p"], ["one", "0.25"]] and at.session_state["times"] == 1
    assert "View, one: 1 row" in said(at)


def test_of_several_files_one_is_chosen():
    at = page("one", "two")
    choice = at.get("button_group")[0]
    assert choice.options == ["one", "two"] and cells(said(at))[1] == ["one", "0.25"]
    choice.set_value(1).run()
    assert cells(said(at))[1] == ["two", "0.25"]


@pytest.mark.parametrize("at", [lambda: page(), lambda: page("one", present="1")])
def test_there_is_no_table_without_numbers_nor_on_a_projector(at):
    assert len(at().expander) == 0
