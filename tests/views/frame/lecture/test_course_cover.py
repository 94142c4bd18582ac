"""What would answer a course's question is covered until a choice has been made."""

import pytest

from tests.views.frame.lecture.test_course import MODEL_DECIDES, STOPS, at_stop
from tests.views.opening import said

HIDDEN = "visibility: hidden !important"


@pytest.mark.parametrize("number", [0, 3], ids=lambda number: STOPS[number].text)
def test_the_answer_is_covered_until_one_has_chosen(number):
    assert number in MODEL_DECIDES
    at = at_stop(number)
    assert HIDDEN in said(at) and "What you see" not in said(at)
    at.radio[0].set_value(0).run()
    assert HIDDEN not in said(at)


def test_how_many_tokens_there_are_is_covered_while_it_is_asked():
    assert ".count) *" in said(at_stop(1)) and ".count" not in said(at_stop(1, choice=0))


def test_a_picture_that_does_not_hold_the_answer_stays():
    number = next(number for number, stop in enumerate(STOPS) if stop.text == "Feed-forward")
    assert HIDDEN not in said(at_stop(number))


def test_on_another_page_nothing_is_covered():
    at = at_stop(0)
    at.session_state["/lecture/at"] = 1
    assert HIDDEN not in said(at.run())
