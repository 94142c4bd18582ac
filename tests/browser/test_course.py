"""A course on a phone: what was answered outlives a reload, and a server."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import start_server
from tests.browser.waiting import expect, settle

pytestmark = pytest.mark.slow
CONNECTION = "data-test-connection-state"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport=PHONE, has_touch=True)
    yield context.new_page()
    context.close()


def answer_the_first_stop(phone: Page, url: str) -> None:
    phone.goto(url)
    settle(phone)
    phone.get_by_role("button", name="by yourself").tap()
    phone.locator("[data-testid=stRadioOption]").nth(1).tap()
    expect(phone.locator(".st-key-lecture .rb-said")).to_contain_text("Right.")
    phone.get_by_role("button", name="Next").tap()
    is_at_the_second_stop(phone)


def is_at_the_second_stop(phone: Page) -> None:
    expect(phone.locator(".st-key-lecture")).to_contain_text("Stop 2 of 23")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Tokens")
    expect(phone).to_have_url(re.compile(r"/tokens\?.*course=course&stop=2"))
    settle(phone)  # the browser keeps the answers at the end of a run


def has_kept_the_answers(phone: Page) -> None:
    is_at_the_second_stop(phone)
    phone.get_by_role("button", name="Back").tap()
    expect(phone.get_by_role("radio").nth(1)).to_be_checked()
    expect(phone.locator(".st-key-lecture .rb-said")).to_contain_text("Right.")
    settle(phone)


def test_a_reload_goes_on_where_the_course_was(phone, server):
    answer_the_first_stop(phone, server)
    phone.reload()
    has_kept_the_answers(phone)
    phone.reload()  # at a stop with an answer
    expect(phone.get_by_role("radio").nth(1)).to_be_checked()
    phone.get_by_role("button", name="Next").tap()
    is_at_the_second_stop(phone)
    other_tab = phone.context.new_page()  # after the first was closed
    other_tab.goto(phone.url)
    has_kept_the_answers(other_tab)


def test_another_session_of_the_same_page_goes_on_where_the_course_was(phone, tmp_path):
    process, url = start_server(tmp_path)
    try:
        answer_the_first_stop(phone, url)
        process.kill()
        process.wait()
        expect(phone.locator(".stApp")).not_to_have_attribute(CONNECTION, "CONNECTED")
        line = "getComputedStyle(document.querySelector('.stApp'), '::after').content"
        phone.wait_for_function(f"{line}.includes('your place is kept')")
        expect(phone.locator("#rb-live")).to_contain_text("your place is kept")  # read aloud
        process, _ = start_server(tmp_path, port=int(url.rpartition(":")[2]))
        expect(phone.locator(".stApp")).to_have_attribute(CONNECTION, "CONNECTED")
        has_kept_the_answers(phone)
    finally:
        process.kill()
        process.wait()


def test_a_phone_on_its_side_has_the_picture_beside_the_course_and_no_sidebar(phone, server):
    phone.set_viewport_size({"width": 844, "height": 390})
    phone.goto(server)
    settle(phone)
    expect(phone.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
    phone.goto(f"{server}/tokens?view=cut&course=course&stop=2")
    settle(phone)
    picture, question = phone.locator(".st-key-picture"), phone.locator(".st-key-lecture-question")
    expect(question).to_be_in_viewport(ratio=1)
    settle(phone)
    boxes = picture.bounding_box(), question.bounding_box()
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] and boxes[0]["y"] < 200


def test_a_picture_uncovers_by_itself_and_stands_above_the_sheet(phone, server):
    phone.goto(f"{server}/masked?view=predict&beside=false&course=course&stop=19")
    settle(phone)
    word = phone.locator(".st-key-picture .token").first
    expect(word).to_have_css("visibility", "hidden")
    expect(phone.get_by_text("What you see")).to_have_count(0)
    sheet = phone.get_by_test_id("stSidebar").bounding_box()
    assert phone.locator(".st-key-picture").bounding_box()["y"] < sheet["y"] - 100
    phone.get_by_text("hospital", exact=True).first.tap()
    expect(word).to_have_css("visibility", "visible")
