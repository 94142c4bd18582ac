"""Typed lines and files of a visitor's own: read, or refused with the line's number and a way out."""

import pytest

from explorer.errors import TextError
from explorer.finetuning import Labelled, LabelledPair, Question, Tagged, library
from explorer.finetuning.parsing import MOST_BYTES, MOST_ROWS, format_lines, parse_lines, parse_table


@pytest.mark.parametrize(
    ("kind", "line", "example"),
    [
        ("classes", "So good. | yes", Labelled("So good.", "yes")),
        ("classes", "a | b | yes", Labelled("a|b", "yes")),
        ("pairs", "It rains.\tIt is wet.\tfollows", LabelledPair("It rains.", "It is wet.", "follows")),
        ("tags", "to New/B-city York/I-city", Tagged(("to", "New", "York"), ("O", "B-city", "I-city"))),
        ("answers", "A bank | What? | bank", Question("A bank", "What?", "bank", 2)),
        ("answers", "The bank is old. | Who is young? |", Question("The bank is old.", "Who is young?")),
    ],
)  # fmt: skip
def test_typed_lines(kind, line, example):
    assert parse_lines(kind, f"\n{line}\n  \n").examples == (example,)


@pytest.mark.parametrize(
    ("kind", "data", "example"),
    [
        ("classes", b"label,text\nyes,\"So, good.\"\n", Labelled("So, good.", "yes")),
        ("classes", "sentence\tlabel\nSo gut\tja\n".encode("utf-16"), Labelled("So gut", "ja")),
        ("classes", b"\xef\xbb\xbftext;label\nSo;yes\n", Labelled("So", "yes")),
        ("classes", b'"sep=;"\r\ntext;label;score\r\nSo, good;yes;0,5\r\n', Labelled("So, good", "yes")),
        ("classes", "text,label\nSo\u2028good,yes\n".encode("utf-32"), Labelled("So\u2028good", "yes")),
        ("pairs", b"index,sentence1,sentence2,label\n1,a,b,c\n", LabelledPair("a", "b", "c")),
        ("tags", b"words,tags\nto York,O B-city\n", Tagged(("to", "York"), ("O", "B-city"))),
        ("answers", b"context,question,answer\nA bank,What?,bank\n", Question("A bank", "What?", "bank", 2)),
    ],
)  # fmt: skip
def test_files(kind, data, example):
    assert parse_table(kind, data).examples == (example,)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("classes", "", "no examples"),
        ("classes", "good | yes\nbad", "Line 2, .* 1 of 2 parts"),
        ("classes", "good | yes\n\nbad", "Line 3, .* 1 of 2 parts"),
        ("classes", "good |", "Line 1: The class is missing"),
        ("pairs", "a | b", "2 of 3 parts"),
        ("pairs", "| b | c", "first sentence is empty"),
        ("tags", "to /B-city", "“/B-city” has no word"),
        ("tags", "York/city", "“city” is no tag"),
        ("answers", " | What? | bank", "passage is empty"),
        ("answers", "A bank. | What? | river", "Line 1: The answer “river” is not in the passage"),
    ],
)
def test_typed_lines_that_cannot_be_read(kind, text, words):
    with pytest.raises(TextError, match=words) as caught:
        parse_lines(kind, text)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("classes", b"", "no column “text”"),
        ("classes", b"text\ngood\n", "no column “label”"),
        ("classes", b"text,label\n", "no examples"),
        ("classes", b"text,label\ngood,yes\nbad\n", "Line 3: The class is missing"),
        ("classes", b"text,label\n\xff\xff,yes", "is not in UTF-8: line 2"),
        ("classes", b"text,label\n\0,yes", "is a binary file"),
        (
            "classes",
            b'text,label\n"So good,yes\nSo bad,no\n',
            "beyond line 2: a quotation mark is not closed",
        ),
        ("tags", b"words,tags\na b,O\n", "2 words and 1 tags"),
        ("classes", b"text,label\nGood, really good film,pos\nBad,neg\n", "Line 2 of .* 3 cells, .* names 2"),
        ("classes", b"a" * (MOST_BYTES + 1), "5.0 MB"),
    ],
    ids=range(10),
)
def test_files_that_cannot_be_read(kind, data, words):
    with pytest.raises(TextError, match=words) as caught:
        parse_table(kind, data)
    assert caught.value.hint


def test_too_many_rows_are_cut_and_it_is_said():
    table = parse_table("classes", b"text,label\n" + b"good,yes\nbad,no\n" * 50_000)
    assert len(table.examples) == MOST_ROWS
    assert table.note == "100,000 rows were given; the first 10,000 are used."


@pytest.mark.parametrize("collection", library.COLLECTIONS, ids=lambda collection: collection.name)
def test_what_is_written_is_read_again(collection):
    examples = library.examples(collection.name)
    assert parse_lines(collection.kind, format_lines(examples)).examples == examples
