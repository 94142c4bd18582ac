"""The first five minutes: from Home, within three clicks each, a person meets what they came for."""

import re

import pytest

from tests.browser.waiting import appears, expect, settle


def test_escape_closes_the_meaning_of_a_term_until_it_is_asked_for_again(open_page):
    page = open_page("/attention", wait_for=".rb-term")
    term = page.locator(".rb-caption .rb-term").first

    def is_open(wanted: bool) -> None:
        state = "([term, wanted]) => (getComputedStyle(term, '::after').content !== 'none') === wanted"
        page.wait_for_function(state, arg=[term.element_handle(), wanted])

    settle(page)
    for ask in (term.hover, term.focus):
        ask()
        is_open(True)
        page.keyboard.press("Escape")
        is_open(False)
        page.mouse.move(0, 0)
        term.blur()
        ask()
        is_open(True)
        page.mouse.move(0, 0)


@pytest.mark.slow
def test_the_first_press_of_back_takes_back_the_last_change(open_page):
    page = open_page("/senses", wait_for=".stage")
    settle(page)
    page.get_by_role("radio", name="Four models").click()
    page.wait_for_url("**view=four*")
    page.go_back()
    expect(page.get_by_role("radio", name="Map", exact=True)).to_be_checked()
    expect(page).to_have_url(re.compile("/senses$"))


@pytest.mark.slow
def test_a_phone_shows_the_sidebar_when_it_is_asked_for_and_until_a_page_is_chosen(browser, server):
    page = browser.new_page(viewport={"width": 390, "height": 844})  # a browser remembers a closed sidebar
    page.goto(f"{server}/masked")
    appears(page, "h1")
    settle(page)
    opener = page.get_by_test_id("stExpandSidebarButton")
    expect(opener).to_be_in_viewport(ratio=1)
    expect(page.locator("h1")).to_be_in_viewport(ratio=1)
    opener.click()
    link = page.get_by_test_id("stSidebar").get_by_role("link", name="Word senses")
    expect(link).to_be_in_viewport()
    link.click()
    expect(page.locator("h1")).to_have_text("Word senses")
    expect(link).not_to_be_in_viewport()
    expect(page.locator("h1")).to_be_in_viewport(ratio=1)
    page.close()


@pytest.mark.slow
def test_a_phone_has_the_tools_below_and_the_picture_before_what_to_see(browser, server):
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{server}/vectors?view=neighbours")
    appears(page, ".rb-first")
    settle(page)
    for tool in ("Save", "Reset this page"):
        button = page.locator(".st-key-header-tools").get_by_role("button", name=tool, exact=True)
        expect(button).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="King to queen").click()
    line = page.locator(".rb-first")
    expect(line).to_contain_text("woman")
    page.wait_for_function("""() => {  // the page scrolls to the picture first
      const [picture, line] = [".st-key-picture", ".rb-first"].map(
        (part) => document.querySelector(part).getBoundingClientRect());
      return picture.top < 400 && picture.bottom <= line.top;
    }""")
    page.close()
