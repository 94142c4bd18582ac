"""Where a visitor is in a lecture outlives the session: in the address, and in the browser."""

import json

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.views.frame import problem
from explorer.views.frame.lecture import course_answers, lecture_place, lecturing
from explorer.views.frame.lecture.course_answers import Answer, Choosing
from tests.views.frame.lecture.test_course import COURSE, at_stop
from tests.views.opening import opened, said, sent

OWN = "# Pets\n\n* [A cat](/tokens)\n* [A dog](/masked)\n"


def parameter(at: AppTest, name: str) -> str:
    """A parameter of the address, which the test harness gives as text or as a list."""
    value = at.query_params[name]
    return value if isinstance(value, str) else value[0]


@pytest.fixture
def session():
    """An empty session, without a page."""
    st.session_state.clear()
    yield st.session_state
    st.session_state.clear()


def test_an_address_opens_the_course_at_its_stop_and_asks_the_browser_for_the_answers():
    at = opened("tokens", course="course", stop="2", view="cut")
    assert "Stop 2 of 23" in said(at) and "Which tokenizer needs the most tokens?" in said(at)
    assert sent(at, "page_behaviour")[-1]["lecture"] == {"wanted": "course", "state": None}
    assert parameter(at, "course") == "course" and parameter(at, "stop") == "2"


@pytest.mark.parametrize("link", [{"course": "nobody", "stop": "2"}, {"stop": "2"}, {"course": "../course"}])
def test_an_address_that_names_no_lecture_opens_the_page(link):
    at = opened("tokens", **link)
    assert "Stop " not in said(at) and "course" not in at.query_params


@pytest.mark.parametrize("stop", ["0", "24", "-1", "x", "²", "9" * 5000])
def test_a_stop_that_there_is_not_opens_none(stop):
    at = opened("tokens", course="course", stop=stop)
    assert "23 stops" in said(at) and "stop" not in at.query_params


def test_the_browser_keeps_the_answers_and_the_address_the_stop():
    at = at_stop(1, choice=2)
    at.session_state[lecturing.NAME] = "course"
    at.run()
    state = json.loads(sent(at, "page_behaviour")[-1]["lecture"]["state"])
    assert state == {"course": "course", "answers": "..CC"}
    assert parameter(at, "stop") == "2"
    at.button(key="lecture/stop/2").click().run()
    at.button(key="lecture/away").click().run()
    assert sent(at, "page_behaviour")[-1]["lecture"] == {"wanted": "", "state": ""}
    assert "course" not in at.query_params


def test_a_new_session_goes_on_with_what_the_browser_has(session):
    session[lecture_place.AWAITED] = lecture_place.Place("course", 3)
    lecturing.load(COURSE.text, "course")
    course_answers.choose(0, 0)  # while the browser was asked
    lecture_place.take(json.dumps({"course": "course", "answers": "bb..CC"}))
    wrong, right = Choosing(0), Choosing(2, True)
    assert course_answers.answers() == {0: Answer(wrong, wrong), 2: Answer(right, right)}
    lecture_place.take(json.dumps({"course": "course", "answers": "aaaaaa"}))
    assert len(course_answers.answers()) == 2, "it is asked once"


def test_ones_own_lecture_comes_from_the_browser(session):
    session[lecture_place.AWAITED] = lecture_place.Place("own", 1)
    lecture_place.take(json.dumps({"course": "own", "answers": "", "text": OWN}))
    assert [stop.text for stop in lecturing.stops()] == ["A cat", "A dog"] and lecturing.at() == 1


@pytest.mark.parametrize(
    "state", ["", "[", "[" * 100_000, "[]", '{"text": 1}', '{"text": ""}', "x" * 500_000]
)
def test_what_a_browser_sends_is_checked(session, state):
    session[lecture_place.AWAITED] = lecture_place.Place("own", 1)
    lecture_place.take(state)
    assert not lecturing.items() and "kept in another browser" in str(problem.take())


def test_a_handed_in_sheet_is_opened_as_it_is_and_is_not_kept():
    at = opened("home", course="course", answers="AaB")
    assert sent(at, "page_behaviour")[-1]["lecture"] == {"wanted": "", "state": None}
    assert set(at.session_state[course_answers.ANSWERS]) == {0}
    assert parameter(at, "answers") == "AaB"


def test_a_sheet_that_waits_for_its_course_stays_in_the_address():
    at = opened("home", course="own-1f2e3d4c", answers="AaB")
    assert (parameter(at, "course"), parameter(at, "answers")) == ("own-1f2e3d4c", "AaB")
