"""The heads page in real Chromium: arcs are drawn and taken away, heads go off, by pointer and by keys."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, settle


def address(**settings: str) -> str:
    return f"/heads?{urlencode(settings)}"


def word(page: Page, text: str):
    return page.locator(".word", has_text=re.compile(f"^{re.escape(text)}$"))


def texts(page: Page, selector: str) -> list[str]:
    return page.locator(selector).all_inner_texts()


@pytest.mark.slow
def test_two_clicks_draw_an_arc_and_the_best_head_is_framed(open_page):
    page = open_page(address(what="arcs", arcs="[]"))
    expect(word(page, "her")).to_be_visible()
    settle(page)
    expect(page.locator(".cell.best")).to_have_count(0)
    before = page.locator(".grid").bounding_box()
    word(page, "her").click()
    expect(page.locator(".caption").first).to_have_text("From her to which word?")
    word(page, "she").click()
    expect(page.locator(".chip")).to_have_text("her → she×")
    expect(page.locator(".cell.best")).to_have_count(1)
    expect(page.locator(".arc.drawn")).to_have_count(1)
    expect(page.locator(".rows .name")).to_have_count(5)
    ranked = texts(page, ".rows .name")
    expect(page.locator(".cell.chosen")).to_have_attribute("aria-label", re.compile(f"^{ranked[0]}"))
    assert page.locator(".grid").bounding_box()["width"] == before["width"]
    page.wait_for_url(lambda url: "arcs=" not in url)  # the very arc that the page opens with

    # The same by keys: from a word to another one, and Esc lets go of a beginning.
    word(page, "The").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".caption").first).to_have_text(re.compile("^From painter to"))
    page.keyboard.press("Escape")
    expect(page.locator(".caption").first).not_to_have_text(re.compile("^From painter to which"))
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".chip")).to_have_count(2)
    page.wait_for_url("**arcs=*")
    page.locator(".chip").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chip")).to_have_text(["painter → closed×"])
    page.wait_for_url(lambda url: "6" not in url.partition("arcs=")[2])

    # Another head by its cell: its name in the line, in the link to the Attention page, in the address.
    cell = page.locator(".cell").nth(2)
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".caption").first).to_have_text(re.compile("^What L1H3 looks at"))
    link = page.get_by_role("link", name="L1H3 on the Attention page")
    assert "layer=0" in link.get_attribute("href") and "head=2" in link.get_attribute("href")
    page.wait_for_url("**head=*")


@pytest.mark.slow
def test_heads_go_off_and_on_and_the_guess_follows(open_page):
    page = open_page(address(view="off"))
    settle(page)
    expect(page.locator(".cell.off")).to_have_count(1)
    expect(page.locator(".line.wanted .middle")).to_have_text("her")
    expect(page.locator(".line.wanted .down")).to_have_text("▼ ")
    page.get_by_role("button", name="All heads on").click()
    expect(page.locator(".cell.off")).to_have_count(0)
    expect(page.locator(".line.wanted .change")).to_have_text("")
    page.locator("button.layer").nth(4).click()
    expect(page.locator(".cell.off")).to_have_count(12)
    expect(page.locator(".line.head .right")).to_have_text("without 12 heads")
    page.locator("button.layer").nth(4).click()
    expect(page.locator(".cell.off")).to_have_count(0)
    page.locator(".cell").first.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".cell.off")).to_have_count(1)
    expect(page.locator(".cell").nth(12 + 1)).to_have_class(re.compile(r"\boff\b"))
    page.get_by_role("button", name="eyes: press to have it guessed").click()
    expect(page.locator(".line.wanted .middle")).to_have_text("eyes")


@pytest.mark.slow
def test_a_pair_is_told_and_a_long_text_scrolls(open_page):
    page = open_page(address(of="live", what="previous", text="We saw the bank."))
    settle(page)
    page.locator(".word").nth(3).hover()
    expect(page.locator(".caption").first).to_have_text(re.compile(r"^L1H3, from .+: to .+ \d+\s?%"))
    box = page.locator("textarea").first
    box.fill("The river and the bank. " * 60)
    box.press("Enter")
    expect(page.locator(".word")).to_have_count(128)
    settle(page)
    expect(page.locator(".scroller")).to_be_visible()
    scroller = page.locator(".scroller").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert scroller[0] > scroller[1], "the row is wider than its box"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "but the page is not"
