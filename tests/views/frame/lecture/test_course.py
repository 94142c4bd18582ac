"""A course for oneself: a question is answered before one goes on, and what was wrong is said."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from explorer.errors import TextError
from explorer.room.questions import Question
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.lecture.course_answers import ANSWERS, Answer, Choosing, pack, unpack
from explorer.views.frame.lecture.exercise import exercise_of
from explorer.views.frame.lecture.lecture import read, write
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.polls.poll import Poll
from tests.views.frame.lecture.test_lecture_library import TITLES
from tests.views.opening import at_link, opened, said, told, unopened

COURSE = next(ready for ready in lectures() if ready.asks)
ITEMS = read(COURSE.text, TITLES)
STOPS = [item for item in ITEMS if item.stop]
MODEL_DECIDES = [place for place, stop in enumerate(STOPS) if stop.exercise.choices[0].right is None]
LINES = ["Question: Who?", "Choice: a cat. It purrs.", "Choice: a dog. It barks."]


def at_stop(number: int, choice: int | None = None) -> AppTest:
    """The page of a stop, with the course opened there, and with what was chosen."""
    at = unopened(f"pages/{STOPS[number].page}.py")
    at.session_state["/lecture"], at.session_state["/lecture/at"] = ITEMS, number
    at.session_state[ANSWERS] = {} if choice is None else {number: Answer(Choosing(choice), Choosing(choice))}
    return at_link(at, STOPS[number].link)


def test_every_stop_asks_and_the_course_is_saved_as_it_was_read():
    assert all(stop.exercise and len(stop.exercise.choices) == 3 for stop in STOPS)
    assert not any(item.problem for item in ITEMS) and read(write(ITEMS), TITLES) == ITEMS
    places = [[choice.right for choice in stop.exercise.choices] for stop in STOPS]
    counts = [sum(right[place] is True for right in places) for place in range(3)]
    assert max(counts) <= 2 * min(counts), "the right one is not mostly at the same place"


@pytest.mark.parametrize(
    "lines",
    [
        LINES[1:],
        LINES[:2],
        [*LINES, "Right: a cow. It moos."],
        ["Question: Who?", "Wrong: a cat. It purrs.", "Wrong: a dog. It barks."],
        ["Question: Who?", "Right: a cat.", "Wrong: a dog. It barks."],
    ],
)
def test_half_a_question_is_refused_with_the_name_of_its_stop(lines):
    with pytest.raises(TextError):
        exercise_of(lines)
    [stop] = read("\n".join(["[Pets](/masked)", *(f"* {line}" for line in lines)]), TITLES)
    assert stop.problem.startswith("“Pets”: ") and stop.exercise is None


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        ("Dr. Müller. He wrote it.", "Dr. Müller", "He wrote it."),
        ("approx. 3 million. Count. And again.", "approx. 3 million", "Count. And again."),
        ("3.5 million. Count.", "3.5 million", "Count."),
        ("yes. so it is", "yes", "so it is"),
        ("red. C’est le mot. Oui.", "red", "C’est le mot. Oui."),
        ("red. 它就是那个词。对。", "red", "它就是那个词。对。"),
        ("没有 [MASK]。它会忽视。对。", "没有 [MASK]", "它会忽视。对。"),
    ],
)
def test_an_abbreviation_does_not_end_a_choice(line, text, reason):
    exercise = exercise_of(["Question: Who?", f"Right: {line}", "Wrong: Nobody. Somebody did."])
    assert (exercise.choices[0].text, exercise.choices[0].reason) == (text, reason)
    with pytest.raises(TextError):
        exercise_of(["Question: Who?", "Right: Dr. Müller.", "Wrong: Nobody. Somebody did."])


def test_the_model_decides_where_the_lines_do_not():
    exercise = exercise_of(LINES)
    poll = Poll(Question("word", "who?"), {"a cow": 0.5, "A dog": 0.3, "a cat": 0.2}, who="BERT")
    assert exercise.judge(1, [poll]) == (True, "It barks.")
    assert exercise.judge(0, [poll]) == (False, "It purrs. BERT says “a dog”.")
    words = Poll(Question("token", "Who?", choices=("The", "a cat")), {"0": 0.4, "1": 0.6})
    assert exercise.judge(0, [words]) == (True, "It purrs.")
    assert exercise.judge(1, [words]) == (False, "It barks. In the picture it is “a cat”.")
    neither = replace(poll, model={"a cow": 0.5})
    assert exercise.judge(0, [neither]) == (False, "It purrs. BERT says “a cow”.")
    assert exercise.judge(0, []) is None


def test_next_waits_for_an_answer_and_a_wrong_one_may_go_on():
    at = at_stop(2)
    at.button(key="lecture/next").click().run()
    assert "Choose an answer first." in said(at) and at.session_state["/lecture/at"] == 2
    at.radio[0].set_value(0).run()
    wrong, _, right = STOPS[2].exercise.choices
    assert f"<b>Not quite.</b> {wrong.reason}" in said(at)
    at.radio[0].set_value(2).run()
    assert f"<b>Right.</b> {right.reason}" in said(at)
    at.radio[0].set_value(0).run()
    at.button(key="lecture/next").click().run()
    assert at.session_state["/lecture/at"] == 3
    assert at.session_state[ANSWERS] == {2: Answer(Choosing(0), Choosing(0))}


def test_a_course_with_answers_is_put_away_only_after_a_question():
    without, with_answers = at_stop(2), at_stop(2, choice=0)
    assert "answers are then forgotten" not in said(without)
    assert "answers are then forgotten" in said(with_answers)
    with_answers.button(key="lecture/away").click().run()
    assert ANSWERS not in with_answers.session_state


def test_after_the_last_stop_a_sheet_says_what_was_right_and_what_to_look_at_again():
    last = len(STOPS) - 1
    at = at_stop(last, choice=1)
    at.session_state[lecturing.NAME] = "course"
    at.session_state[ANSWERS] |= {
        2: Answer(Choosing(0), Choosing(2, True)),
        5: Answer(*[Choosing(1, True)] * 2),
    }
    at.run().button(key="lecture/next").click().run()
    assert not at.exception and "<b>2 of 23</b> right at the first try" in said(at)
    address = at.code[-1].value
    assert "?course=course&answers=" in address
    at.button(key="lecture/again/2").click().run()
    assert at.session_state["/lecture/at"] == 2 and "right at the first try" not in said(at)
    link = dict(part.split("=") for part in address.partition("?")[2].split("&"))
    teacher = opened("home", **link)
    assert "<b>2 of 23</b> right at the first try" in said(teacher)
    assert teacher.button(key="lecture/again/2").label == STOPS[2].text


def test_the_sheet_of_ones_own_course_waits_for_its_file():
    at = at_stop(len(STOPS) - 1, choice=1)
    at.button(key="lecture/next").click().run()
    link = dict(part.split("=") for part in at.code[-1].value.partition("?")[2].split("&"))
    assert link["course"].startswith("own-") and "drops the course’s file" in said(at)
    teacher = opened("home", **link)
    assert "Drop the course’s file" in told(teacher) and "right at the first try" not in said(teacher)
    teacher.text_area(key="/lecture/pasted").set_value("* [Rain](/masked)").run()
    assert "right at the first try" not in said(teacher), "of another course"
    teacher.text_area(key="/lecture/pasted").set_value(COURSE.text).run()
    assert "<b>1 of 23</b> right at the first try" in said(teacher)


@pytest.mark.parametrize("answers", ["aB" * 5000, "<b>", "%00", "ZZ" * 23])
def test_a_sheet_from_anybody_counts_only_answers_that_there_are(answers):
    assert "of 23</b> right at the first try" in said(opened("home", course="course", answers=answers))


def test_a_stop_that_moves_takes_its_answer_with_it():
    at = at_stop(2, choice=2)
    at.button(key="lecture/edit").click().run()
    place = ITEMS.index(STOPS[2])
    at.button(key=f"lecture/arrow_upward/{place}").click().run()
    assert not at.exception and at.session_state["/lecture/at"] == 1
    assert at.radio[0].value == 2 and "<b>Right.</b>" in said(at)
    at.button(key=f"lecture/close/{place - 1}").click().run()
    assert not at.exception and at.session_state[ANSWERS] == {}


def test_answers_as_text_are_checked_when_they_are_read():
    answers = {0: Answer(Choosing(0), Choosing(1, True)), 2: Answer(Choosing(2, True), Choosing(2, True))}
    text = pack(answers)
    assert text == "aB..CC" and unpack(text, STOPS) == answers
    assert unpack("..AA", STOPS) == {1: Answer(Choosing(0), Choosing(0))}, "the course knows that it is wrong"
    for damaged in ("", "a", "zz99", "äß", "fF", "..", "\0\0", "aB" * 100_000):
        assert set(unpack(damaged, STOPS)) <= set(range(len(STOPS)))
    assert unpack("zzfF", STOPS) == {}


def test_the_first_choice_is_kept_beside_the_last():
    at = at_stop(2)
    for place in (0, 2):
        at.radio[0].set_value(place).run()
    assert at.session_state[ANSWERS] == {2: Answer(Choosing(0), Choosing(2, True))}


@pytest.mark.parametrize(("page", "link"), [("vectors", {}), ("tokens", {"view": "vocabulary"})])
def test_on_another_page_or_view_a_button_leads_back(page, link):
    at = unopened(f"pages/{page}.py")
    at.session_state["/lecture"], at.session_state["/lecture/at"] = ITEMS, 1
    at_link(at, link)
    assert not at.radio and at.button(key="lecture/here").label == "Back to this stop"


@pytest.mark.weights
@pytest.mark.parametrize("number", MODEL_DECIDES, ids=lambda number: STOPS[number].text)
def test_one_choice_is_what_the_model_says(number):
    verdicts = ["<b>Right.</b>" in said(at_stop(number, choice)) for choice in range(3)]
    assert verdicts.count(True) == 1
