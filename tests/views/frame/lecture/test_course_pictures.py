"""The pictures of the course are what its questions need."""

import pytest

from explorer.views.transformer.steps import VIEW as STEPS
from tests.views.frame.lecture.test_course import STOPS, at_stop
from tests.views.opening import said, sent


def number_of(name: str) -> int:
    return next(number for number, stop in enumerate(STOPS) if stop.text == name)


def test_attention_is_met_before_its_parts():
    assert number_of("Who was tired?") < number_of("Query, key, value") < number_of("Weights")


def test_a_step_of_the_layer_has_neither_the_list_of_steps_nor_code_until_they_are_asked_for():
    at = at_stop(number_of("Query, key, value"))
    hides = f":is({STEPS.stage.beyond_course}) {{ display: none !important; }}"
    assert hides in said(at) and "rb-course" in said(at)
    at.button(key="lecture/controls").click().run()
    assert hides not in said(at) and 'class="rb-lecture-note"><b>With what' in said(at)


def test_a_task_of_its_own_begins_untrained():
    at = at_stop(number_of("A task of its own"))
    [bars] = sent(at, "verdict")
    shares = [row["share"] for text in bars["texts"] for row in text["rows"]]
    assert len(shares) >= 2 and set(shares) == {0.5}


@pytest.mark.weights
def test_the_chat_has_its_bubbles():
    assert "rb-chat" in said(at_stop(number_of("A chat is a text")))
