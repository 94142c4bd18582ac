"""Tables as spreadsheets write them: what stands between cells, where a row ends, what is no row."""

import io

import pytest

from explorer.errors import TextError
from explorer.files.tables import NO_DELIMITER, find_delimiter, rows, write


def read(text: str) -> list[list[str]]:
    return [row for _, row in rows(io.StringIO(text, newline=""), find_delimiter(text), "a.csv")]


TABLE = [["text", "sense"], ["We sat on the bank, by the river", "river"], ["It lent; money", "money"]]


@pytest.mark.parametrize("stated", ["sep=;", '"sep=;"', "SEP=;", "\ufeffsep=;", "sep=;;", "sep = ;"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_first_line_may_state_the_delimiter(stated, end):
    lines = [stated, "text;sense", "We sat on the bank, by the river;river", '"It lent; money";money', ""]
    assert read(end.join(lines)) == TABLE
    assert read(end.join(["", *lines])) == TABLE


@pytest.mark.parametrize(
    ("stated", "delimiter"), [("sep=,", ","), ("sep=\t", "\t"), ("sep=\\t", "\t"), ("sep=^", "^")]
)
def test_other_characters_can_be_stated(stated, delimiter):
    assert read(f"{stated}\na{delimiter}b\n") == [["a", "b"]]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("We sat;river;0,5\nIt lent;money;0,7\nWe ate;river;1,2\n", ";"),  # commas within numbers
        ("We sat;0,5\nIt lent;0,7\nWe ate;1,2\n", ";"),
        ("We sat, slept, ate;river\nIt lent, took, gave;money\nWe, they, you;river\n", ";"),
        ("id,count\n1,2\n3,4\n", ","),
        ("text\nWe sat\nIt lent\n", NO_DELIMITER),
        ("text|sense\na|b\n", "|"),
        ("text,sense\nWe sat, and slept,river\nIt lent,money\nIt lent, took, gave,money\n", ","),
        ("We sat, slept\nIt lent\nWe ate, sat, lay\n", NO_DELIMITER),
    ],
)  # fmt: skip
def test_the_delimiter_is_what_gives_rows_alike(text, delimiter):
    assert find_delimiter(text) == delimiter


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c"])
def test_only_line_feeds_and_carriage_returns_end_a_row(character):
    assert read(f"text,sense\nWe sat{character}by the bank,river\n")[1] == [
        f"We sat{character}by the bank",
        "river",
    ]


def test_a_cell_in_quotation_marks_may_hold_a_line_end_and_rows_of_empty_cells_are_none():
    text = 'text;sense;\r\n;;\r\n"We sat\r\non the bank";river;\r\n"She said ""no""";money;\r\n'
    assert [row[:2] for row in read(text)] == [
        ["text", "sense"],
        ["We sat\r\non the bank", "river"],
        ['She said "no"', "money"],
    ]


def test_a_quotation_mark_that_is_not_closed_takes_no_rows_with_it():
    with pytest.raises(TextError, match=r"a\.csv cannot be read beyond line 3") as caught:
        read('sep=;\ntext;sense\n"We sat;river\nIt lent;money\n')
    assert "not closed" in caught.value.hint


def test_a_space_before_a_quotation_mark_is_no_part_of_a_cell():
    text = 'sense, text\n"river", "We sat, and slept"\nmoney, "It ""lent"", too"\n water, a b\n'
    assert read(text)[1:] == [["river", "We sat, and slept"], ["money", 'It "lent", too'], [" water", " a b"]]


@pytest.mark.parametrize(
    ("cell", "line"),
    [("-inf", "-inf"), ("-nan", "-nan"), (" =1+1", "' =1+1"), ("\u3000@x", "'\u3000@x"), (" bank", " bank")],
)
def test_what_a_spreadsheet_would_run_is_written_with_an_apostrophe_and_read_without(cell, line):
    text = write([["a"], [cell]]).removeprefix("\ufeff")
    assert text == f"a\n{line}\n" and read(text)[1] == [cell]
