"""Typed lines and files of a visitor's own: read, or refused with the line's number and a way out."""

import re

import pytest

from explorer.errors import TextError
from explorer.finetuning import Labelled, LabelledPair, Question, Tagged, library, task_of
from explorer.finetuning.parsing import MOST_BYTES, MOST_ROWS, format_lines, parse_lines, parse_table


@pytest.mark.parametrize(
    ("kind", "line", "example"),
    [
        ("classes", "So good. | yes", Labelled("So good.", "yes")),
        ("classes", "a | b | yes", Labelled("a | b", "yes")),
        ("classes", "1\tGood film\tpos", Labelled("Good film", "pos")),
        ("classes", "1 | Good film | pos", Labelled("Good film", "pos")),
        ("classes", "Good film\tpos\t", Labelled("Good film", "pos")),
        ("classes", "pos\tGood film", Labelled("Good film", "pos")),
        ("classes", "pos | Good film", Labelled("Good film", "pos")),
        ("classes", "__label__pos Good film", Labelled("Good film", "pos")),
        ("classes", '"Good," she said.\tpos', Labelled('"Good," she said.', "pos")),
        ("classes", '"Good"\tpos', Labelled('"Good"', "pos")),
        ("classes", '"She said ""no"""\tneg', Labelled('She said "no"', "neg")),
        ("classes", '"Good\nfilm"\tpos', Labelled("Good film", "pos")),
        ("classes", '"Good film"\t"pos"', Labelled("Good film", "pos")),
        ("classes", "NA | None", Labelled("NA", "None")),
        ("classes", "id\tlabel\ttext\n7\tpos\tGood film", Labelled("Good film", "pos")),
        ("classes", 'label,text\npos,"Good, film"', Labelled("Good, film", "pos")),
        ("classes", "review\trating\nGood film\t5", Labelled("Good film", "5")),
        ("classes", "sentence,stars\nGood film,5", Labelled("Good film", "5")),
        ("classes", "Bewertung;Kommentar\n5;Good film", Labelled("Good film", "5")),
        ("classes", "id | Review_Text | star rating\n7 | Good film | 5", Labelled("Good film", "5")),
        ("classes", "| text | label |\n|------|:----:|\n| Good film | pos |", Labelled("Good film", "pos")),
        ("classes", "Nr.;Kommentar;Note (1-6)\n1;Good film;2", Labelled("Good film", "2")),
        ("classes", "Good film | review", Labelled("Good film", "review")),
        ("classes", "A text | label it", Labelled("A text", "label it")),
        ("tags", "tokens,ner_tags\nto York,O B-city", Tagged(("to", "York"), ("O", "B-city"))),
        ("answers", "contexte\tquestion\tréponse\nA bank\tWhat?\tbank", Question("A bank", "What?", "bank")),
        ("pairs", "1\tIt rains.\tIt is wet.\tyes", LabelledPair("It rains.", "It is wet.", "yes")),
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
        ("tags", b"-DOCSTART- X O\n\n$5/d X O\nOslo Y S-city\n", Tagged(("$5/d", "Oslo"), ("O", "B-city"))),
        ("classes", b"__label__pos Good film\n", Labelled("Good film", "pos")),
        ("classes", b"text,label\nNA,null\n", Labelled("NA", "null")),
        ("answers", b"context,question,answer\nA bank,What?,bank\n", Question("A bank", "What?", "bank", 2)),
    ],
)  # fmt: skip
def test_files(kind, data, example):
    assert parse_table(kind, data).examples == (example,)


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("classes", "", "no examples"), ("classes", "good | yes\nbad", "Line 2, .* 1 of 2 parts"),
        ("classes", "good | yes\n\nbad", "Line 3, .* 1 of 2 parts"),
        ("classes", "good |", "Line 1: The class is missing"),
        ("classes", "Good\t\tpos\nBad\tneg", "Line 1, .* has 3 columns, and needs 2"),
        ("classes", "5\tGood\tpos\n5\tBad\tneg", "Line 1, .* has 3 columns"),
        ("classes", "1\tGood film\n2\tBad film\n3\tIt rains", "numbers of the lines"),
        ("classes", "__label__a __label__b Good", "Line 1 has 2 classes in fastText"),
        ("classes", "__label__a Good\nBad", "Line 2 has 0 classes in fastText"),
        ("tags", "EU NNP\nrejects VBZ", "“NNP” is no tag"), ("pairs", "a | b", "2 of 3 parts"),
        ("pairs", "| b | c", "first sentence is empty"), ("tags", "to /B-city", "“/B-city” has no word"),
        ("tags", "York/city", "“city” is no tag"), ("answers", " | What? | bank", "passage is empty"),
        ("answers", "A bank. | What? | river", "Line 1: The answer “river” is not in the passage"),
    ],
)  # fmt: skip
def test_typed_lines_that_cannot_be_read(kind, text, words):
    with pytest.raises(TextError, match=words) as caught:
        parse_lines(kind, text)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("classes", b"", "no column “text”"),
        ("classes", b"text\ngood\n", "no column “label”.*no delimiter"),
        ("tags", b"text,label\ngood,yes\nbad,no\n", "no column “tags”.*commas between: text, label"),
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
    ids=range(11),
)
def test_files_that_cannot_be_read(kind, data, words):
    with pytest.raises(TextError, match=words) as caught:
        parse_table(kind, data)
    assert caught.value.hint


def test_too_many_rows_are_cut_and_it_is_said():
    table = parse_table("classes", b"text,label\n" + b"".join(b"good %d,yes\n" % i for i in range(100_000)))
    assert len(table.examples) == MOST_ROWS
    assert table.note == "100,000 rows were given; the first 10,000 are used."


@pytest.mark.parametrize(
    ("kind", "text", "note"),
    [
        ("classes", "Buy! | Spam\nHello | ham\nWin! | Spam\nPay! | SPAM ", "“SPAM” is read as “Spam”."),
        ("tags", "to York/B-city\nto Oslo/B-City\nto Rome/B-city", "“B-City” is read as “B-city”."),
        ("classes", "Buy! | spam\nHello | ham\nbuy! | ham", "“Buy!” has two classes."),
        ("classes", "Buy it | a\nSo | b\nBuy it | a", "1 of 3 examples repeats another: held out together"),
        ("classes", "a | It rains\nb | It snows\na | It pours", "class is read from the front .* “a”"),
        ("classes", "1\tIt rains\ta\n2\tIt snows\tb", "numbers in front are left out"),
        ("classes", "It rains | a\nIt snows | b", "^$"),
        ("classes", "Rain | a\nSnow | b\nSun | b", "^$"),
        ("classes", "Good film. | yes\nGood film | no", "“Good film.” has two classes"),
        ("classes", "Great :) | yes\nGreat :( | no", "^$"),
        (
            "classes",
            "A | 5\nB | 5.0\nC | Yes\nD | yes.\nE | .5",
            "“5.0” is read as “5”. “yes.” is read as “Yes”.$",
        ),
        (
            "classes",
            "opinie\tpunkty\nSo good\t5\nSo bad\t1",
            "“opinie . punkty”, names the columns. Is it an ex",
        ),
        ("classes", "Opinie (wolne)\tPunkty (1-5)\nSo good\t5\nSo bad\t1", "names the columns"),
        ("classes", "opinie,ton\nIt is bad,no\nIt is so,no", "names the columns"),
        (
            "classes",
            "opinie | ton\nIt is bad | no\nIt is so | si",
            "Does the first line, “opinie . ton”, name",
        ),
        ("classes", "review\tx\nIt is bad\tno\nIt is so\tsi", "names the columns"),
        ("classes", "satz\tnote\nIt is bad\tno", "names the columns: “satz” for text, “note” for label"),
    ],
)
def test_what_is_read_otherwise_is_said(kind, text, note):
    parsed = parse_lines(kind, text)
    assert re.search(note, parsed.note), parsed.note
    again = parse_lines(kind, format_lines(parsed.examples), has_names=False)
    assert again.examples == parsed.examples
    assert len(parsed.examples) == len(text.split("\n")) - (
        "column" in parsed.note or " as text" in parsed.note
    ) + ("Does" in parsed.note)


def test_a_table_for_another_task_says_which():
    with pytest.raises(TextError) as caught:
        parse_table("tags", b"text,label\ngood,yes\nbad,no\n")
    assert "fit the examples of classes" in caught.value.hint


def test_a_class_in_two_spellings_is_one():
    assert len(task_of(parse_lines("classes", "Buy! | Spam\nHello | ham\nPay! | sPAM ").examples).labels) == 2


@pytest.mark.parametrize("collection", library.COLLECTIONS, ids=lambda collection: collection.name)
def test_what_is_written_is_read_again(collection):
    examples = library.examples(collection.name)
    assert parse_lines(collection.kind, format_lines(examples)).examples == examples
