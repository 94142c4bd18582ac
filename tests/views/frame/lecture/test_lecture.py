"""A list of links is a lecture: what is read of it, what is refused, and how one steps through it."""

import json
import time
from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from explorer.errors import TextError
from explorer.views.frame.lecture import lecture, lecture_links, lecturing
from explorer.views.frame.navigation import pages
from explorer.views.vectors import neighbours
from tests.views.opening import opened_in_app, press, said, sent

app = partial(opened_in_app, "vectors")
TITLES = {page.name: page.title for page in pages()}
TEXT = """\
Notes for Monday

# Words
* [The nearest of rain](/vectors?view=neighbours&word=rain)
1. /masked?text=A%20%5BMASK%5D%20by%20the%20lake.
- Further reading: https://example.org/paper.pdf
## Senses of a <b>word</b>
See http://localhost:8501/senses?layer=0 for the first layer.
[Foreign](https://example.org/senses?layer=3) and [ours](http://riverbank.example.org:99/senses)
"""
HERE = TEXT.replace("riverbank.example.org:99", "localhost:99")  # a test has no address of its own


def read(text: str, host: str = "riverbank.example.org:80") -> list[lecture.Item]:
    return lecture.read(text, TITLES, host)


def test_headings_and_links_are_read_in_their_order():
    assert [(item.text, item.heading, item.page, item.link) for item in read(TEXT)] == [
        ("Words", True, "", None),
        ("The nearest of rain", False, "vectors", {"word": "rain", "view": "neighbours"}),
        (TITLES["masked"], False, "masked", {"text": "A [MASK] by the lake."}),
        ("Further reading (https://example.org/paper.pdf)", False, "", None),
        ("Senses of a <b>word</b>", True, "", None),
        ("See for the first layer.", False, "senses", {"layer": "0"}),
        ("Foreign (https://example.org/senses?layer=3)", False, "", None),
        ("ours", False, "senses", {}),
    ]


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/senses", "//example.org/senses", "javascript:alert(1)", "file:///senses",
        "mailto:a@example.org", "/nowhere", "/senses/../../etc/passwd", "http://[::1/senses",
        "http://localhost.example.org/senses", "http://localhost@example.org/senses",
        "/senses?" + "&".join(f"a{i}=1" for i in range(101)),
    ],
)  # fmt: skip
def test_a_link_that_leads_elsewhere_is_text(address):
    items = read(f"[Own](/senses)\n[Other]({address})")
    assert [item.stop for item in items] == [True, False] and items[1].page == ""


@pytest.mark.parametrize(
    "address", ["/", "http://localhost/", "http://127.0.0.1:8501/?text=a", "http://[::1]:8/"]
)
def test_the_bare_address_is_the_start_page(address):
    assert read(f"[Start]({address})")[0].page == "home"


def test_presenter_mode_is_not_taken_from_a_link():
    assert read("[One](/senses?present=1&layer=2)")[0].link == {"layer": "2"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "No link"),
        ("# A heading alone", "No link"),
        ("[x](https://example.org)", "No link"),
        ("a" * (lecture.MOST_CHARACTERS + 1), "200,001 characters"),
    ],
)
def test_what_is_no_lecture_says_so(text, says):
    with pytest.raises(TextError, match=says) as raised:
        read(text)
    assert raised.value.hint


LIST = """\
# Blanks
[What fits [MASK] here?](/masked?text=The+bank+of+the+%5BMASK%5D.)
[Guess the \\[MASK\\]](/masked?text=We+saw+the+[MASK].)
[Bank (river)](/masked?text=The+bank+(of+the+river)+was+[MASK].)
[With a space](/masked?text=1 + 1 is [MASK] & more&layer=3 "A title")
* [**Layer** `6`](</senses?layer=6>), at last
"""


def test_labels_and_addresses_are_whole():
    assert [(item.text, item.link) for item in read(LIST) if item.stop] == [
        ("What fits [MASK] here?", {"text": "The bank of the [MASK]."}),
        ("Guess the [MASK]", {"text": "We saw the [MASK]."}),
        ("Bank (river)", {"text": "The bank (of the river) was [MASK]."}),
        ("With a space", {"text": "1 + 1 is [MASK] & more", "layer": "3"}),
        ("Layer 6", {"layer": "6"}),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "    [Bank](/senses?layer=1)", "> [Bank](/senses?layer=1)", "| [Bank](/senses?layer=1) | 6 |",
        "```\n[Bank](/senses?layer=1)\n```", "[Bank][1]\n[1]: /senses?layer=1",
        "Bank (http://localhost:8501/senses?layer=1)", "Bank: <http://localhost:8501/senses?layer=1>",
        "1. **Bank** /senses?layer=1",
    ],
)  # fmt: skip
def test_other_ways_of_writing_a_link(line):
    (item,) = read(line)
    assert item.text.startswith("Bank") and item.link == {"layer": "1"} and not item.problem


@pytest.mark.parametrize(
    "text",
    [
        "bank (river)", 'He said "bank"', 'The "[MASK]"', "the dog's 'bank'", 'one "two" "three"',
        "C# is [MASK]", "We are #1", "Is A&B=C a [MASK]?",
    ],
)  # fmt: skip
def test_a_text_in_an_address_is_whole(text):
    assert read(f"[a](/masked?text={text})")[0].link == {"text": text}
    assert read(f"[a](/masked?text={text}&layer=2)")[0].link == {"text": text, "layer": "2"}
    assert read(f"<http://localhost/masked?text={text}>")[0].link == {"text": text}


@pytest.mark.parametrize(
    "line",
    [
        "See http://localhost:8501/senses?layer=6。", "“http://localhost:8501/senses?layer=6”.",
        "(http://localhost:8501/senses?layer=6)!", "/senses?layer=6)", "[a](localhost:8501/senses?layer=6)",
        "[a](/senses?layer=6#top)", '[a](/senses?layer=6 "A title")',
        "<!-- [a](/masked) --> [a](/senses?layer=6)", "[a](/senses?layer=6)[^1]\n\n[^1]: note",
    ],
)  # fmt: skip
def test_what_stands_around_an_address_is_no_part_of_it(line):
    assert [item.link for item in read(line) if item.text] == [{"layer": "6"}]


@pytest.mark.parametrize(
    "line",
    [
        "[x] (/senses)", "[x]（/senses）", "</senses>", "Senses (/senses?layer=6)", "“/senses?layer=6”",
        "[a][nope]", '<A HREF="/senses">x</A>', "[[/senses][Senses]]", "[a](",
    ],
)  # fmt: skip
def test_what_looks_like_a_link_beside_a_good_one_is_named(line):
    assert lecture.problems(read(f"[Own](/senses)\n{line}\n")).startswith("Line 2: ")
    assert lecture.problems(read(f"[Own](/senses), {line}")).startswith("Line 1: ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[Bank](/senses?layer=6", "brackets of a link do not close"),
        ("`[Bank](/senses)`", "in backticks"),
        ('<a href="/senses">Bank</a>', "in HTML"),
        ("/senses?layer=6 and more", "at the end of its line"),
        ("see localhost:8501/senses", "at the end of its line"),
        ("[Bank](/nowhere?layer=6)", "“/nowhere” is no page"),
        ("[Bank](https://other.example.org/senses?layer=3)", "other.example.org is another server"),
        ("[Bank](http:senses)", "“http:senses” is no address"),
        ("[Bank](/senses?" + "&".join(f"a{i}=1" for i in range(101)) + ")", "100 settings at most"),
        ("[Bank](/senses?text=" + "a" * 5_000 + ")", "5,000 characters at most"),
    ],
    ids=range(10),
)
def test_a_line_whose_link_is_not_taken_is_named(line, reason):
    items = read(f"[Own](/senses)\n\n{line}")
    assert lecture.problems(items).startswith("Line 3: ") and reason in lecture.problems(items)
    with pytest.raises(TextError, match="Line 1: "):
        read(line)


def test_a_link_to_another_site_is_no_problem():
    assert not lecture.problems(read("[Own](/senses) and [paper](https://example.org/paper.pdf)"))


@pytest.mark.parametrize(
    "marks", ["[", "](", "*a", "`a", "<", "[a](", "![", "(", "> ", "- ", "&a;", "[a](b "]
)
def test_marks_without_end_are_read_at_once(marks):
    started = time.process_time()
    with pytest.raises(TextError):
        read((marks * lecture_links.LONGEST_LINE)[: lecture_links.LONGEST_LINE])
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "line", ["](x" + " " * 4_900 + '"', "![" * 2_400, "[" * 4_000, "*_" * 2_400, "- " * 2_400 + "x"]
)
def test_many_hostile_lines_are_read_at_once(line):
    started = time.process_time()
    with pytest.raises(TextError):
        read("\n".join([line] * 40))
    assert time.process_time() - started < 2


def test_sizes_are_limited():
    items = read("\n".join(["[" + "long " * 25 + "](/senses)"] * 999))
    assert "999 lines; the first 200" in lecture.problems(items)
    assert len(items) == lecture.MOST_ITEMS and max(len(item.text) for item in items) <= lecture.LONGEST
    for size, text in ((10**7, "[a](/senses)"), (9, None)):
        with pytest.raises(TextError, match="characters at most"):
            lecturing.load_file("talk.md", size, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [("<!DOCTYPE html>\n<a href='/senses'>x</a>", "a web page"), ("%PDF-1.7", "a PDF"), ("PK\3\4", "a zip")],
)
def test_a_file_of_another_kind_is_named(text, says):
    with pytest.raises(TextError, match=f"“talk.md” is {says}"):
        lecturing.load_file("talk.md", len(text), text)


def paste(at: AppTest, text: str) -> AppTest:
    at.text_area(key="/lecture/pasted").set_value(text).run()
    assert not at.exception
    return at


def listed(at: AppTest) -> list[str]:
    return [button.label for button in at.button if (button.key or "").startswith("lecture/stop/")]


def test_a_pasted_list_stands_in_the_sidebar_and_is_stepped_through():
    at = paste(app(), HERE)
    assert len(listed(at)) == 4 and at.button(key="lecture/back").disabled
    assert at.title[0].value == TITLES["vectors"], "nothing is opened yet"
    press(at, "lecture/next")
    assert at.session_state["vectors.word"] == "rain"
    assert listed(at)[0].startswith("**") and not listed(at)[1].startswith("**")
    press(at, "lecture/next")
    assert at.title[0].value == TITLES["masked"]
    assert at.session_state["masked.text"] == "A [MASK] by the lake."
    press(at, "lecture/back")
    assert at.title[0].value == TITLES["vectors"] and at.session_state["vectors.word"] == "rain"
    press(at, "lecture/stop/3")
    assert at.title[0].value == TITLES["senses"] and at.button(key="lecture/next").disabled
    press(at, "lecture/away")
    assert listed(at) == []


def test_a_stop_opens_its_page_as_its_link_would_in_a_new_browser():
    at = paste(app(word="snow"), "[Rain](/vectors?view=neighbours&word=rain)\n[As it opens](/vectors)")
    press(at, "lecture/next")
    at.session_state["vectors.word"] = "castle"
    press(at, "lecture/stop/0")
    assert at.session_state["vectors.word"] == "rain", "again, at once"
    press(at, "lecture/next")
    assert at.session_state["vectors.word"] == "king"


def test_a_stop_takes_no_more_than_a_link_does():
    one = "[One](/vectors?view=train&window=%5B1%5D&seed=-4&nothing=1&word=rain)"
    at = press(paste(app(), one), "lecture/next")
    state = at.session_state
    assert (state["vectors.window"], state["vectors.seed"]) == (5, 0) and "vectors.nothing" not in state


def test_words_of_the_list_are_shown_as_they_stand():
    hostile = "</p><script>x</script> ![a](https://example.org/a.png) :red[b] $c$"
    at = paste(app(), f"# {hostile}\n[:material/home: <b>\\*b](/senses)\n[<i>](https://example.org)")
    assert "<script>x" not in said(at) and "&lt;script&gt;x" in said(at) and "&lt;i&gt;" in said(at)
    (label,) = listed(at)
    assert label == "\\:material\\/home\\: \\<b\\>\\*b"


def test_a_wrong_list_is_told_and_the_lecture_stays():
    at = paste(paste(app(), HERE), "no links here")
    assert any("No link in this text" in text.value for text in at.text) and len(listed(at)) == 4


def test_what_is_not_taken_is_said_on_the_page():
    at = paste(app(), "[Rain](/vectors?view=neighbours&word=rain)\n[Snow](/vector?word=snow)")
    assert len(listed(at)) == 1
    assert any(text.value == "Line 2: “/vector” is no page of Riverbank." for text in at.text)


@pytest.mark.parametrize("file", ["talk.md", "TALK.TXT", "a.markdown"])
def test_a_dropped_text_is_a_lecture_and_a_dropped_session_a_session(monkeypatch, file):
    from explorer.views.frame.saving import saving

    dropped = [{"name": file, "size": len(HERE), "text": HERE}]

    def mount(key, on_opened_change=None, **data):
        if key == "vectors/drop" and dropped:
            on_opened_change()

    monkeypatch.setattr(saving, "component", lambda name: mount)
    monkeypatch.setattr(saving, "component_value", lambda key, name, shape: dropped.pop())
    at = app()
    at.run()
    assert len(listed(at)) == 4 and not dropped
    session = json.dumps({"riverbank": 1, "page": "vectors", "settings": {"word": "snow"}})
    dropped.append({"name": "a.json", "size": len(session), "text": session})
    at.run()
    at.run()
    assert at.session_state["vectors.word"] == "snow" and len(listed(at)) == 4


def test_in_presenter_mode_the_clicker_goes_from_stop_to_stop():
    at = paste(app(), HERE)
    at.query_params["present"] = "1"
    at.run()
    assert at.button(key="present/PageUp").disabled
    press(at, "present/PageDown")
    assert at.session_state["vectors.word"] == "rain" and at.query_params["present"] in ("1", ["1"])
    press(at, "present/PageDown")
    assert at.session_state["/lecture/at"] == 1 and at.query_params["present"] in ("1", ["1"])
    press(at, "present/PageUp")
    assert at.title[0].value == "The nearest of rain"


NOTED = """\
# A talk
## Words (6 min)
* [Rain](/vectors?view=neighbours&word=rain)
  * Say: It rains <b>cats</b>.
  * ask: Why?
  - See: Wet words.
* [Snow](/vectors?view=neighbours&word=snow)
## Rest (4 minutes)
* [Bank](/senses)
"""


def test_what_to_say_to_ask_and_to_see_belongs_to_the_stop_above():
    items = read(NOTED)
    rain, snow, bank = (item for item in items if item.stop)
    assert rain.notes == ("Say: It rains <b>cats</b>.", "ask: Why?", "See: Wet words.")
    assert snow.notes == bank.notes == ()
    assert [item.minutes for item in items if item.heading] == [0, 6, 4]
    assert lecturing.starts(items) == [0, 3, 6]
    assert lecturing.starts(read(TEXT)) == [None] * 4
    many = read("[Rain](/vectors)\n" + "Say: " + "a" * 999 + "\nSay: b" * 99)[0].notes
    assert len(many) == lecture.MOST_NOTES and len(many[0]) == lecture.LONGEST_NOTE


HOSTILE = [
    "](/senses) [x](/masked",
    "<!-- a --> <script>alert(1)</script>",
    "[^1] `code` *b* _c_ # d & e; &lt; \\\\ ![a](b)",
    "What fits [MASK] here?",
    "(1) 銀行：河岸 :red[b] $c$",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_lecture_that_is_written_is_read_as_it_was(text):
    words = "Rain" if "](" in text else text  # a link in a heading would be a stop
    items = [
        lecture.Item(f"{words} (5 min)", heading=True),
        lecture.Item(text, page="masked", link={"text": f"{text}\nA [MASK] & more=1", "k": "3"}),
        lecture.Item(
            "Snow", page="vectors", link={}, notes=(f"Say: {words}", "Poll: Why? a, b"), at_once=True
        ),
    ]
    assert read(lecture.write(items)) == items


def test_links_to_other_sites_are_written_too():
    items = [replace(item, problem="") for item in read(TEXT)]
    assert [replace(item, problem="") for item in read(lecture.write(items))] == items


def test_a_view_is_added_moved_renamed_and_removed():
    at = app(view="one-hot", word="rain")
    press(at, "vectors/to-lecture")
    assert listed(at) == ["One\\-hot"]
    at.switch_page("pages/masked.py").run()
    press(at, "masked/to-lecture")
    assert listed(at) == ["One\\-hot", "Predict"]
    press(at, "lecture/stop/0")
    press(at, "lecture/edit")
    press(at, "lecture/arrow_downward/0")
    names = [box for box in at.text_input if (box.key or "").startswith("lecture/name/")]
    assert [box.value for box in names] == ["Predict", "One-hot"]
    assert at.session_state["/lecture/at"] == 1, "the stop that is open is the second now"
    names[1].set_value("</p><i>Rain</i>").run()
    saved = lecture.write(at.session_state["/lecture"])
    assert [(item.text, item.page, item.link) for item in read(saved)] == [
        ("Predict", "masked", {}),
        ("</p><i>Rain</i>", "vectors", {"word": "rain"}),
    ]
    press(at, "lecture/edit")
    assert listed(at)[1] == "**\\<\\/p\\>\\<i\\>Rain\\<\\/i\\>**"
    press(at, "lecture/edit")
    press(at, "lecture/close/1")
    assert "/lecture/at" not in at.session_state
    press(at, "lecture/close/0")
    assert "/lecture" not in at.session_state


def test_a_text_that_is_too_long_for_a_link_is_not_added():
    at = opened_in_app("masked")
    at.session_state["masked.text"] = "[MASK] " + " ".join(str(n * 7919 % 100_003) for n in range(3_000))
    at.run()
    press(at, "masked/to-lecture")
    assert any("too long for a lecture" in text.value for text in at.text) and not listed(at)


def test_a_long_lecture_shows_the_stops_of_the_open_chapter():
    chapters = [f"# Part {n} (10 min)\n" + "[Rain](/vectors?word=rain)\n" * 5 for n in range(3)]
    at = paste(app(), "\n".join(chapters))
    assert len(listed(at)) == 5
    at.button(key="lecture/chapter/5").click().run()
    assert len(listed(at)) == 5 and at.session_state["/lecture/at"] == 5
    assert "Stop 6 of 15 · minute 10" in said(at)


def test_notes_are_in_the_sidebar_and_on_stage_only_the_question_before_the_picture():
    def covered(at: AppTest) -> str:
        return said(at).partition('--rb-stage: "')[2].partition('"')[0]

    at = paste(app(), NOTED)
    assert "3 stops · 10 minutes" in said(at) and ">A talk<" in said(at)
    press(at, "lecture/next")
    assert "<b>Say.</b> It rains &lt;b&gt;cats&lt;/b&gt;." in said(at) and "<b>Ask.</b> Why?" in said(at)
    at.query_params["present"] = "1"
    at.run()
    assert "1 of 3 · minute 0" in said(at) and "It rains" not in said(at)
    assert at.title[0].value == "Rain" and ">Why?</p>" in said(at) and "--rb-asked: 1" in said(at)
    for part in neighbours.VIEW.stage.covered:
        assert part in covered(at)
        press(at, "present/PageDown")
        assert part not in covered(at)
    assert at.title[0].value == "Rain" and "--rb-asked: 0" in said(at)
    press(at, "present/PageDown")
    assert "2 of 3 · minute 3" in said(at) and "--rb-asked: 0" in said(at), "it asks nothing"
    press(at, "present/PageUp")
    assert at.title[0].value == "Rain" and "--rb-asked: 0" in said(at), "back where it was left"
    press(at, "present/PageUp")
    assert "--rb-asked: 1" in said(at)
    press(at, "present/leave")
    assert at.title[0].value == TITLES["vectors"] and "--rb-asked: 0" in said(at)


def test_a_stop_may_be_shown_at_once():
    at = paste(app(), NOTED.replace("* [Snow]", "  * Shown: at once\n* [Snow]"))
    at.query_params["present"] = "1"
    press(at, "lecture/next")
    assert at.title[0].value == "Rain" and "--rb-asked: 0" in said(at)


def test_on_stage_are_the_controls_of_what_the_stop_sets_and_all_others_at_the_press_of_a_button():
    at = paste(app(), "[Rain](/vectors?view=neighbours&word=rain&k=5)")
    at.query_params["present"] = "1"
    press(at, "lecture/next")
    assert ".st-key-vectors-k, .st-key-vectors-word { --rb-controls" in said(at)
    press(at, "present/controls")
    assert ":root { --rb-controls" in said(at)


def test_the_teachers_window_gets_the_notes_the_next_stop_and_the_minutes():
    at = paste(app(), NOTED)
    press(at, "lecture/next")
    data = sent(at, "notes_button")[0]["shown"]
    assert [note[:2] for note in data["notes"]] == [
        ["Say", "It rains <b>cats</b>."], ["ask", "Why?"], ["See", "Wet words."],
    ]  # fmt: skip
    assert [name for *_, name in data["notes"]] == ["Say", "Ask", "See"]
    assert (data["title"], data["next"], data["begins"], data["minutes"]) == ("Rain", "Snow", 0, 10)
