"""Work by keyboard alone, with a place that is seen and is not lost; a picture's keys are in its own file."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from explorer.views.frame.navigation import pages
from tests.browser.alone import draw, load
from tests.browser.sweep import stand
from tests.browser.waiting import at, expect, follow, settle, wish_for

# The element that has the focus, wherever it is.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}"""
SEEN = (Path(__file__).parent / "ring.js").read_text(encoding="utf-8")
NAME = (
    "at => `${at.tagName} ${at.className} ${(at.getAttribute('aria-label') ?? at.textContent).slice(0, 40)}`"
)
READY = "document.documentElement.dataset.rbPage === location.pathname"  # the frame's script has run
MOST = 160  # stops on a page


def focused(page: Page):
    return page.evaluate_handle(FOCUSED).as_element()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_arrow_keys_come_back_to_the_cell_that_was_left_also_when_it_is_drawn_anew(bare):
    load(bare, "probing/grid")
    cells = [{"chips": [{"text": "a", "kind": ""}], "tip": f"{n}"} for n in range(6)]
    rows = [{"kind": "", "name": f"r{i}", "cells": cells[3 * i : 3 * i + 3]} for i in range(2)]
    columns = [{"text": word, "note": "", "chosen": False} for word in "abc"]
    data = {"label": "Grid", "rows": rows, "columns": columns, "ask": ""}
    draw(bare, data)
    bare.locator(".cell").first.focus()
    press(bare, "ArrowRight", "ArrowDown")
    expect(bare.locator(".cell").nth(4)).to_be_focused()
    columns[0]["note"] = "new"
    draw(bare, data)
    expect(bare.locator(".cell").nth(4)).to_be_focused()
    press(bare, "Tab")
    columns[0]["note"] = "newer"
    draw(bare, data)
    press(bare, "Shift+Tab")
    expect(bare.locator(".cell").nth(4)).to_be_focused()


@pytest.mark.slow
def test_another_page_begins_at_its_title(open_page):
    page = open_page("/")
    settle(page)
    for one in pages()[1::4]:  # the main jobs, below, begin on every page
        with at(one.name):
            page.locator("[data-testid=stSidebar] a", has_text=one.title).first.focus()
            press(page, "Enter")
            title = page.get_by_role("heading", level=1, name=one.title)
            expect(title).to_be_focused()
            settle(page)  # the rest is drawn after it
            press(page, "Tab")
            assert focused(page).evaluate("at => at.closest('.st-key-header') !== null")
    heading = page.get_by_role("heading", level=1)
    heading.focus()
    heading.evaluate("title => title.replaceWith(title.cloneNode(true))")  # as React may draw it anew
    expect(heading).to_be_focused()


@pytest.mark.slow
def test_no_stop_of_a_page_is_hidden_or_a_trap(open_page):
    page = open_page("/")
    for number, name in enumerate(one.name for one in pages()):
        with at(name):
            if name != "home":
                follow(page, f"/{name}")
            settle(page)
            wish_for(page, "light" if number % 4 else "dark")  # the rings are those of all pages
            stand(page)  # what is written would be drawn anew under the focus
            page.wait_for_function(READY)
            page.evaluate("document.activeElement.blur()")
            for _ in range(MOST):
                press(page, "Tab")
                here = focused(page)
                if here.evaluate("at => at === document.body"):
                    break
                assert here.evaluate(SEEN), here.evaluate(NAME)
            else:
                raise AssertionError("the Tab key does not leave the page")


@pytest.mark.slow
def test_a_view_a_dialog_and_presenter_mode_leave_the_focus_where_it_was(open_page):
    page = open_page("/masked")
    settle(page)
    view = page.get_by_role("radiogroup", name="View").get_by_role("radio")
    view.first.focus()
    press(page, "ArrowRight")
    press(page, "Space")
    page.wait_for_url("**view=training*")
    page.wait_for_function(f"({FOCUSED})().role === 'radio'")
    settle(page)

    page.get_by_role("button", name="More", exact=True).focus()
    press(page, "Enter")
    hidden = page.locator("[class*=st-key-masked-more-view] button:visible").last
    expect(hidden).to_be_visible()
    hidden.focus()
    press(page, "Enter")
    expect(page.get_by_role("button", name=re.compile("^More: "))).to_be_focused()
    settle(page)

    save = page.locator(".st-key-save button").first
    save.focus()
    press(page, "Enter")
    keep = page.get_by_role("button", name=re.compile("Keep .* in my notebook"))
    keep.focus()
    press(page, "Enter")
    expect(page.get_by_text("Kept in your notebook.")).to_be_visible()
    settle(page)  # a box that is drawn anew stays open
    press(page, "Escape")
    expect(keep).to_have_count(0)
    expect(save).to_be_focused()

    notebook = page.get_by_role("button", name="My notebook (1)")
    notebook.focus()
    press(page, "Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.wait_for_function(f"({FOCUSED})().closest('[role=dialog]') !== null")
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    expect(notebook).to_be_focused()

    page.get_by_role("button", name="Teach").focus()
    press(page, "Enter")
    page.get_by_role("button", name=re.compile("^Present")).focus()
    press(page, "Enter")
    page.wait_for_url("**present=1*")
    settle(page)
    page.wait_for_function("document.activeElement !== document.body")
    press(page, "p")
    page.wait_for_url(lambda url: "present" not in url)
    settle(page)
    page.wait_for_function("document.activeElement !== document.body")


@pytest.mark.slow
def test_letters_can_be_switched_off_in_this_browser(open_page):
    page = open_page("/attention")
    settle(page)
    switch = page.get_by_role("checkbox", name="Letter shortcuts")
    switch.focus()
    press(page, "Space", "p")
    page.reload()
    settle(page)
    page.wait_for_function(READY)
    page.locator("h1").click()
    press(page, "p")
    page.wait_for_timeout(500)
    assert "present" not in page.url
    switch.focus()
    press(page, "Space")
    page.locator("h1").click()
    press(page, "Alt+p")
    page.wait_for_timeout(300)
    assert "present" not in page.url
    press(page, "p")
    page.wait_for_url("**present=1*")


def type_text(page: Page, words: str) -> None:
    """Type into the page's text box, and end as its users do."""
    box = page.locator("[data-testid=stMain] textarea").first
    box.focus()
    press(page, "Control+a")
    page.keyboard.type(words)
    press(page, "Control+Enter")


def walk(page: Page, part: str, *keys: str) -> None:
    """Go to the stop among the parts of a picture, and walk from there."""
    stop = page.locator(f"{part}[tabindex='0']").first
    stop.focus()
    press(page, *keys)


@pytest.mark.slow
def test_words_are_typed_and_a_state_is_chosen_by_keyboard(open_page):
    page = open_page("/")
    main = page.locator("[data-testid=stMain]")

    with at("home: a sentence with a gap"):
        settle(page)
        write = page.get_by_role("button", name="Write your own")
        write.focus()
        press(page, "Enter")
        expect(page.get_by_label("A sentence", exact=True)).to_be_focused()
        page.keyboard.type("The capital of France is [MASK].")  # what stood there is selected
        press(page, "Enter")
        expect(page.locator(".st-key-picture")).to_contain_text("paris")
        expect(write).to_be_visible()

    with at("vectors: the nearest words of another word"):
        follow(page, "/vectors?view=neighbours")
        settle(page)
        main.get_by_role("textbox").first.focus()
        press(page, "Control+a")
        page.keyboard.type("rain")
        press(page, "Enter")
        page.wait_for_url("**word=rain*")

    with at("sides: a state of the two LSTMs"):
        follow(page, "/sides?view=bilm")
        settle(page)
        walk(page, "[data-at]", "ArrowRight", "Enter")
        expect(page.locator("[data-at][aria-pressed=true]")).to_have_count(1)


@pytest.mark.slow
def test_what_is_trained_and_written_is_reached_by_keyboard(open_page):
    page = open_page("/finetuning")
    main = page.locator("[data-testid=stMain]")

    with at("finetuning: a sentence of one's own, and a head for it"):
        settle(page)
        type_text(page, "Win a free phone now, text YES to this number.")
        expect(main.locator(".row.first .name")).to_have_text("spam")
        main.locator(".turn").focus()
        press(page, "Space")
        expect(main.locator(".turn")).to_have_text("Train again", timeout=90_000)
        expect(main.locator(".turn")).to_be_focused()

    with at("continuations: a prompt, a step, another candidate"):
        follow(page, "/continuations?model=gpt&length=6")
        settle(page)
        written = page.locator('.text[aria-busy="false"][data-count="6"]')
        expect(written).to_be_visible()
        type_text(page, "In the kitchen the cook")
        expect(written.locator(".prompt")).to_have_text("In the kitchen the cook")
        walk(page, ".chip", "Home", "ArrowRight", "Enter")
        expect(page.locator(".which")).to_have_text(re.compile("^Token 2 of 6: "))
        walk(page, ".list .row", "Home", "ArrowDown", "Enter")
        expect(page.locator(".branch")).to_have_count(2)
        expect(written).to_be_visible()


@pytest.mark.slow
def test_arrow_keys_that_no_control_has_belong_to_the_picture(open_page):
    page = open_page("/transformer?view=steps")
    settle(page)
    title = page.locator(".st-key-picture .title")
    press(page, "ArrowRight")
    expect(title).to_have_text(re.compile("^1 "))
    page.locator(".stop").nth(4).click()
    page.evaluate("document.activeElement.blur()")  # as after a click on what takes no focus
    press(page, "ArrowRight")
    expect(title).to_have_text(re.compile("^5 "))
    page.locator("[data-testid=stMain] textarea").first.focus()
    press(page, "ArrowLeft", "ArrowRight", "ArrowRight")
    page.get_by_role("radiogroup", name="View").get_by_role("radio").first.focus()
    press(page, "ArrowRight")
    expect(title).to_have_text(re.compile("^5 "))
