"""The first five minutes: from Home, within three clicks each, a person meets what they came for."""

import re

import pytest
from playwright.sync_api import Page

from explorer.views.frame.default_models import WRITER
from tests.browser.waiting import appears, expect, settle


def from_home(page: Page, title: str) -> None:
    """Home and the page by the sidebar: two clicks."""
    page.locator("[data-testid=stSidebar]").get_by_role("link", name="Start here").click()
    expect(page.locator("h1")).to_have_text("Language models at work")
    page.locator("[data-testid=stSidebar]").get_by_role("link", name=title).click()
    expect(page.locator("h1")).to_have_text(title)


@pytest.mark.slow
def test_three_moments_within_three_clicks_each(open_page):
    page = open_page("/", wait_for=".st-key-moving a")
    expect(page.get_by_text(re.compile("BERT’s first guess is “money”"))).to_be_visible()

    page.get_by_role("button", name="Play: One head is off").click()
    expect(page.locator(".st-key-moving").get_by_text("66")).to_be_visible()
    from_home(page, "Masked words")  # a mask is filled from both sides
    expect(page.locator(".st-key-picture").get_by_text("hospital").first).to_be_visible()

    from_home(page, "Word senses")  # the senses of bank part
    for sense in ("money", "river", "blood"):
        expect(page.locator(".stage").get_by_text(sense, exact=True)).to_be_visible()

    from_home(page, "Continuations")  # a text is written, and can be read from its beginning
    text = page.get_by_role("group", name="Continuation")
    expect(text).to_have_attribute("aria-busy", "false", timeout=60_000)
    expect(text).to_contain_text({"smollm2": "Emma", "gpt": "Lily"}[WRITER])
    assert text.evaluate("text => text.scrollTop") == 0


def test_escape_closes_the_meaning_of_a_term_until_it_is_asked_for_again(open_page):
    page = open_page("/attention", wait_for=".rb-term")
    term = page.locator(".rb-caption .rb-term").first

    def shown() -> bool:
        return term.evaluate("term => getComputedStyle(term, '::after').content") != "none"

    settle(page)
    for ask in (term.hover, term.focus):
        ask()
        assert shown()
        page.keyboard.press("Escape")
        assert not shown()
        page.mouse.move(0, 0)
        term.blur()
        ask()
        assert shown()
        page.mouse.move(0, 0)


@pytest.mark.slow
def test_the_first_press_of_back_takes_back_the_last_change(open_page):
    page = open_page("/senses", wait_for=".stage")
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
def test_a_phone_has_the_tools_below_and_what_to_see_above_the_picture(browser, server):
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
    settle(page)  # the page scrolls to the picture first
    expect(line).to_be_in_viewport(ratio=1)
    picture = page.locator(".st-key-picture").bounding_box()
    place = line.bounding_box()
    assert picture is not None and place is not None
    assert place["y"] + place["height"] <= picture["y"] < 844
    page.close()
