"""Files of every kind: which column holds the text, which the sense, and what is wrong with a bad one."""

import io

import pytest

from explorer.corpus import inspection
from explorer.corpus.inspection import inspect
from explorer.corpus.rows import Report, read
from explorer.errors import TextError
from explorer.files.encoding import EncodingError


def of(text: str | bytes, name: str, **choices):
    return inspect(name, io.BytesIO(text if isinstance(text, bytes) else text.encode()), **choices)


def all_of(text: str | bytes, name: str, **choices):
    file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    contents, report = inspect(name, file, **choices), Report()
    return [(s.text, s.sense) for s in read(contents, file, report)], report.notes(contents)


TABLE = """id,review,label
1,"We sat on the bank, by the water.",river
2,"The bank was shut. We came back, twice.",money
3,"",money
4,"She said ""bank"" again",river
"""


def test_a_table_is_read_by_its_column_of_text():
    contents = of(TABLE, "r.csv")
    assert [c.name for c in contents.columns] == ["id", "review", "label"]
    assert contents.header and contents.text == 1 and contents.sense == 2
    rows, notes = all_of(TABLE, "r.csv")
    assert rows == [
        ("We sat on the bank, by the water.", "river"),
        ("The bank was shut.", "money"),
        ("We came back, twice.", "money"),
        ('She said "bank" again', "river"),
    ]
    assert notes == ["1 row with nothing under “review” passed over."]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_tables_come_with_other_delimiters(delimiter):
    text = "\n".join(delimiter.join([str(i), f"We sat on the bank for {i} hours", "x"]) for i in range(9))
    contents = of(text, "t.csv")
    assert contents.delimiter == delimiter and contents.text == 1 and not contents.header
    assert [c.name for c in contents.columns] == ["column 1", "column 2", "column 3"]
    assert len(all_of(text, "t.csv")[0]) == 9


def test_a_table_of_one_column_keeps_its_commas():
    text = (
        "text\nWe sat, and slept, on the bank\nThe bank was shut\nA bank, then, or two, or three, all shut\n"
    )
    assert [row for row, _ in all_of(text, "one.csv")[0]] == text.splitlines()[1:]


@pytest.mark.parametrize("stated", ["sep=;\n", '"sep=;"\r\n', "\ufeffsep=;\r\n"])
def test_a_line_that_states_the_delimiter_is_passed_over(stated):
    text = (
        stated + "text;sense\n" + '"We sat on the bank, by the river";river\nThe bank lent money;money\n' * 5
    )
    contents = of(text, "senses.csv")
    assert [column.name for column in contents.columns] == ["text", "sense"] and contents.sense == 1
    rows, _ = all_of(text, "senses.csv")
    assert rows[:2] == [("We sat on the bank, by the river", "river"), ("The bank lent money", "money")]


def test_delimiters_at_the_ends_of_rows_make_no_column():
    text = "title;text;\nOld;We sat on the bank again;\nNew;It was shut on Monday;\n;;\n"
    contents = of(text, "t.csv")
    assert contents.header and [column.name for column in contents.columns] == ["title", "text"]
    assert len(all_of(text, "t.csv")[0]) == 2


def test_a_row_with_more_cells_than_names_is_passed_over_and_counted():
    text = "text,sense\nWe sat on the bank,river\nThe bank, it was shut,money\nIt lent us money,money\n"
    rows, notes = all_of(text, "t.csv")
    assert rows == [("We sat on the bank", "river"), ("It lent us money", "money")]
    assert len(notes) == 1 and "1 row passed over" in notes[0] and "line 3" in notes[0]


def test_a_line_end_in_a_cell_ends_no_sentence_but_an_empty_line_does():
    text = 'text,sense\n"We sat on\nthe bank",river\n"A title\n\nThe bank\r\nlent money",money\n'
    assert [row for row, _ in all_of(text, "t.csv")[0]] == [
        "We sat on the bank",
        "A title",
        "The bank lent money",
    ]


def test_a_number_that_is_none_is_no_sentence():
    text = '{"text": "A bank here"}\n{"text": NaN}\n'
    assert all_of(text, "a.jsonl")[0] == [("A bank here", None)]


def test_json_lines_with_broken_ones_among_them():
    good = '{"id": 7, "text": "A bank. 银行。", "label": 1}'
    text = good + '\n\n{broken\n"loose bank line here"\n[1]\n{"label": 0}\n'
    contents = of(text, "a.jsonl")
    assert contents.columns[contents.text].name == "text" and contents.columns[contents.sense].name == "label"
    rows, notes = all_of(text, "a.jsonl")
    assert rows == [("A bank.", "1"), ("银行。", "1")]
    assert notes == [
        "2 rows with nothing under “text” passed over.",
        "2 lines of broken JSON passed over (first: 3, 5).",
    ]
    assert [row for row, _ in all_of('"one bank here"\n"two banks there"\n', "s.jsonl")[0]] == [
        "one bank here",
        "two banks there",
    ]


def test_a_record_too_long_to_hold_is_passed_over_and_the_next_is_read(monkeypatch):
    monkeypatch.setattr("explorer.corpus.rows.LONGEST_LINE", 64)
    text = '{"text": "a bank here"}\n{"text": "' + "big " * 500 + '"}\n{"text": "a bank there"}'
    rows, notes = all_of(text, "a.jsonl")
    assert [row for row, _ in rows] == ["a bank here", "a bank there"] and "first: 2" in notes[0]


def test_senses_at_the_ends_of_lines():
    text = "A bank. It is wet. #river\nThe bank was shut. #money\nA bank #river ~1\nno sense here\n"
    assert of(text, "t.txt").tagged
    assert all_of(text, "t.txt")[0] == [
        ("A bank. It is wet.", "river"),
        ("The bank was shut.", "money"),
        ("A bank", "river"),
        ("no sense here", None),
    ]


def test_senses_in_front_and_in_two_spellings():
    text = "__label__river A bank. It is wet.\n__label__money The bank was shut.\n__label__River A bank\n"
    text += "__label__river It is deep.\n"
    rows, notes = all_of(text, "t.txt")
    assert [sense for _, sense in rows] == ["river", "money", "river", "river"]
    assert rows[0][0] == "A bank. It is wet."
    assert notes[1] == "“River” is read as “river”."
    table = "text,sense\nThe bank is NA,NA\nWe sat on the bank,na \n"
    assert [sense for _, sense in all_of(table, "t.csv")[0]] == ["NA", "NA"]


@pytest.mark.parametrize("name", ["t.txt", "t.tsv"])
def test_a_word_a_line_makes_sentences(name):
    text = "-DOCSTART- -X- O\n\nWe PRP O\nsaw VBD O\nOslo NNP B-LOC\n\nIt PRP O\nrained VBD O\n"
    rows, notes = all_of(text.replace(" ", "\t") if name == "t.tsv" else text, name)
    assert rows == [("We saw Oslo", None), ("It rained", None)] and "CoNLL" in notes[0]


def test_hashtags_of_tweets_stay_in_them_and_their_reader_is_asked():
    assert not of("Lovely day #bank\nSo tired today\nNo work\n", "tweets.txt").tags
    tweets = "So happy with my new #bank\nAt the bank again #fail\nClosed #Monday\n"
    contents = of(tweets, "tweets.txt")
    assert not contents.tagged and contents.tags == ("bank", "fail", "Monday")
    rows, notes = all_of(tweets, "tweets.txt")
    assert [row for row, _ in rows] == tweets.splitlines() and "stay in their sentences" in notes[0]
    _, notes = all_of(tweets + "Not again #bank\n", "tweets.txt")
    assert notes == ["The words with # or __label__ (bank, fail, Monday …) are read as senses."]


UNICODE_TEXT = "text\tsense\n" + '"We sat\non the bank."\triver\nThe bank lent “us” €5.\tmoney\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["a.txt", "a.tsv"])
def test_a_table_with_tabs_is_one_whatever_its_name(name, end, encoding):
    data = UNICODE_TEXT.replace("\n", end).encode(encoding)
    assert all_of(data, name)[0] == [("We sat on the bank.", "river"), ("The bank lent “us” €5.", "money")]


def test_quotation_marks_of_a_text_stay_in_a_table_with_tabs():
    lines = ['"Good," she said.\ta', '"We sat on the bank.\tb', 'It rained" all day.\tb']
    rows = all_of("text\tlabel\n" + "\n".join(lines), "a.tsv")[0]
    assert [f"{text}\t{sense}" for text, sense in rows] == lines


@pytest.mark.parametrize(
    "text",
    [
        "\tA bank.\n\tIt was shut.\n",
        "one\tbank",
        "a\tb\tc\nWe sat\tthere\n",
        "A text, a bank\nAnd, then, more\n",
    ],
)
def test_a_text_with_tabs_is_no_table(text):
    assert of(text, "a.txt").kind == "txt"


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("", ",\n", ""),
        ("", ",\r\n", ",\n"),
        ("[\n", ",\n", "\n]"),
        ("[", ",\n", "]\n"),
        ("[\n", "\n,", "\n]"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_json_lines_of_a_list(name, before, between, after):
    lines = ['{"text": "A bank."}', '{"text": "It was, in a way, shut]"}', '{"text": ["A", "bank"]}']
    rows, notes = all_of(before + between.join(lines) + after, name)
    assert [row for row, _ in rows] == ["A bank.", "It was, in a way, shut]", "A bank"]
    assert notes == (["It is read as a table, by its column “text”."] if name == "a.txt" else [])


def test_a_sense_is_short_and_comes_again():
    """Columns of a corpus of many words: its senses are many, but each is there more than once."""
    rows = [f"{i},the bank number {i} is shut,kind {i % 60},note {i}" for i in range(200)]
    contents = of("id,text,sense,remark\n" + "\n".join(rows) + "\n", "many.csv")
    assert [c.may_be_sense for c in contents.columns] == [False, False, True, False]
    assert contents.sense == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_of_other_systems(encoding, end):
    text = "text;label\nDas Geld lag auf der Bank. Gut.;Geld\nEr saß auf der Bank.;Möbel\n".replace("\n", end)
    for name in ("t.csv", "t.txt"):
        rows, _ = all_of(text.encode(encoding), name)
        assert any("Er saß auf der Bank." in row for row, _ in rows)
    assert rows if name == "t.csv" else len(rows) == 4


def test_another_encoding_is_asked_for_and_taken():
    data = "Er saß auf der Bank.\nZweite Zeile.\n".encode("cp1252")
    with pytest.raises(EncodingError, match=r"t\.txt is not in UTF-8: line 1 has bytes"):
        of(data, "t.txt")
    assert all_of(data, "t.txt", encoding="cp1252")[0][0] == ("Er saß auf der Bank.", None)
    chinese = ("他去了银行。\n" * 3).encode("gb18030")
    with pytest.raises(EncodingError):
        of(chinese, "zh.txt")
    assert all_of(chinese, "zh.txt", encoding="gb18030")[0][0] == ("他去了银行。", None)
    with pytest.raises(EncodingError, match="line 300,001"):
        of(b"plain\n" * 300_000 + b"\xff\n", "t.txt")


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"%PDF-1.7", "not a file that Riverbank reads"),
        ("a", b"text", "not a file that Riverbank reads"),
        ("a.txt", b"", "is empty"),
        ("a.csv", b" \n\n", "is empty"),
        ("a.txt", b"%PDF-1.7 ...", "is a PDF"),
        ("a.csv", b"PK\x03\x04rest", "is a zip archive"),
        ("a.txt", b"text\0text", "is a binary file"),
        ("a.txt", bytes(range(1, 32)) * 40 + b"text", "is a binary file"),
        ("a.csv", b"id,price\n1,2.5\n2,3.5\n", "no column of text. Its columns: id, price"),
        ("a.csv", b"a,b\n", "no column of text"),
        ("a.jsonl", b"{broken\nmore\n", "no line that is a JSON object."),
        ("a.jsonl", b'[{"text": "x"}, {"text": "y"}]', "it is one long list"),
        ("a.jsonl", b'{\n  "text": "x"\n}\n', "its objects run over several lines"),
        ("a.json", b'{"text": "x"}\n', "not a file that Riverbank reads"),
        ("a.jsonl", b'{"n": 1}\n', "no column of text. Its columns: n"),
        ("a.jsonl", b'{"a": ' * 30_000, "no line that is a JSON object."),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_what_to_do(name, data, says):
    with pytest.raises(TextError) as caught:
        of(data, name)
    assert says in caught.value.message and caught.value.hint


@pytest.mark.parametrize(("rest", "line"), [(200, "6"), (30_000, "6")], ids=["in the sample", "beyond it"])
def test_a_quotation_mark_that_never_closes_says_where(rest, line):
    with pytest.raises(TextError, match=f"cannot be read beyond line {line}") as caught:
        all_of(TABLE + '5,"open ' + "and on it goes\n" * rest, "r.csv")
    assert "quotation mark" in caught.value.hint


def test_a_file_over_the_limit(monkeypatch):
    monkeypatch.setattr(inspection, "MOST_MB", 1)
    with pytest.raises(TextError, match=r"a\.txt is 2\.1 MB; 1 MB is the most"):
        of(b"x" * (2 << 20), "a.txt")


def test_another_column_can_be_chosen():
    from dataclasses import replace

    file = io.BytesIO(
        b"title,text,kind\nOld bank,We sat on the bank again,a\nNew bank,It was shut on Monday,b\n"
    )
    contents = replace(inspect("t.csv", file), text=0, sense=2)
    assert [(s.text, s.sense) for s in read(contents, file, Report())] == [
        ("Old bank", "a"),
        ("New bank", "b"),
    ]


def test_the_file_stays_open_for_the_next_reader():
    file = io.BytesIO(TABLE.encode())
    contents = inspect("r.csv", file)
    list(read(contents, file, Report()))
    next(read(contents, file, Report()))
    assert not file.closed


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("ประโยค", ["ฉันไปธนาคารเมื่อวาน", "เขานั่งริมแม่น้ำ"]),
        ("ប្រយោគ", ["ខ្ញុំទៅធនាគារ", "គាត់នៅមាត់ទន្លេ"]),
        ("ဝါကျ", ["ကျွန်တော်ဘဏ်ကိုသွားတယ်", "မြစ်နက်တယ်"]),
        ("ぶん", ["そのバンクにいく", "かわのそばにすわる"]),
        ("वाक्य", ["मैं बैंक गया", "नदी का किनारा गहरा है"]),
        ("வாக்கியம்", ["நான் வங்கிக்கு போனேன்", "ஆறு ஆழமானது"]),
        ("جُمْلَة", ["ذهبت إلى البنك أمس", "النهر عميق جدا"]),
        ("جمله\u200cها", ["می\u200cخواهم بروم", "رود عمیق است"]),
    ],
)
def test_a_column_of_any_script_is_text_under_its_name(header, cells):
    lines = [f"n,{header}", *(f"{i},{cell}" for i, cell in enumerate(cells))]
    contents = inspect("a.csv", io.BytesIO("\n".join(lines).encode()))
    assert contents.header and contents.columns[contents.text].name == header
