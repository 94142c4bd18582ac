"""The class's answers drawn on a bare page: sorted by either side, and merged with the mouse and without."""

import pytest

from explorer.room.questions import Question
from explorer.views.frame.polls import picture
from explorer.views.frame.polls.poll import Poll
from tests.browser.alone import draw, load, sent
from tests.browser.test_draw_alone import HOSTILE
from tests.browser.waiting import expect

QUESTION = Question("word", "What comes next?")
ANSWERS = [HOSTILE, "bank", "bank", "bank", "banks", "banks"]


@pytest.fixture
def answers(bare):
    load(bare, "frame/polls/answers")
    poll = Poll(QUESTION, {"shore": 0.5, "bank": 0.2}, "bank", "GPT")
    data = picture.answers_data(QUESTION, picture.result_of(poll, ANSWERS, 1))
    draw(bare, data)
    return bare


def row(page, name):
    return page.get_by_role("button", name=f"{name}: ")


def from_above(page):
    """The rows as they are seen."""
    rows = page.locator(".row:not([hidden])").all()
    return [
        one.locator(".name").inner_text() for one in sorted(rows, key=lambda one: one.bounding_box()["y"])
    ]


def test_rows_glide_to_the_order_of_the_model_and_stay_the_same_elements(answers):
    answers.add_style_tag(content="* { transition: none !important; }")
    assert from_above(answers) == ["bank ✓", "banks", HOSTILE, "shore"]
    first = row(answers, "bank").element_handle()
    answers.get_by_title("Sort by GPT").click()
    assert from_above(answers) == ["shore", "bank ✓", "banks", HOSTILE]
    assert first.evaluate("(element) => element.isConnected && element.textContent.includes('bank ✓')")
    assert answers.locator("img").count() == 0
    row(answers, "shore").focus()
    answers.keyboard.press("ArrowDown")
    expect(row(answers, "bank")).to_be_focused()


def test_an_answer_is_dragged_onto_another(answers):
    row(answers, "banks").drag_to(row(answers, "bank"))
    answers.wait_for_function("sent.length > 0")
    assert sent(answers) == [["merge", {"answer": "banks", "into": "bank"}]]


def test_without_a_mouse_one_is_pressed_and_then_the_other(answers):
    row(answers, "banks").focus()
    answers.keyboard.press("Enter")
    expect(answers.locator(".merging")).to_contain_text("Press the answer that it counts as.")
    answers.keyboard.press("Escape")
    expect(answers.locator(".merging")).to_contain_text("Drag an answer")
    row(answers, "shore").press("Enter")
    row(answers, "bank").press("Enter")
    row(answers, "bank").press("Enter")
    assert sent(answers) == [], "what nobody wrote joins nothing, and nothing joins itself"
    row(answers, "banks").press("Enter")
    row(answers, "bank").press("Enter")
    assert sent(answers) == [["merge", {"answer": "banks", "into": "bank"}]]
