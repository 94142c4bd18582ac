"""Four small maps and a new sentence in Chromium: what is pointed at, what glides, what stays."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import becomes, expect, settle
from tests.views.opening import preset

pytestmark = pytest.mark.slow

HARDER = preset("senses", "Harder sentences")
SENTENCE = "She opened a savings account at the bank when she turned eighteen. #money"
PLACES = "dots => dots.map(dot => dot.style.transform)"


def places(page: Page, map: int = 0) -> list[str]:
    return page.locator(".map").nth(map).locator(".dot").evaluate_all(PLACES)


def test_a_sentence_lights_up_on_every_map_with_what_was_read_of_it(open_page):
    page = open_page("/senses?view=four", wait_for=".map .dot")
    expect(page.locator(".map")).to_have_count(4)
    maps = page.locator(".map")
    expect(maps.nth(0).locator(".one:not(.gone) text")).to_have_text("all 5 sentences")
    page.get_by_role("button", name=HARDER.label, exact=True).click()
    expect(maps.nth(0).locator(".one:not(.gone) text")).to_have_text("all 13 sentences")
    settle(page)
    gpt = maps.nth(3)
    gpt.focus()
    for _ in range(HARDER.values["text"].splitlines().index(SENTENCE) + 1):
        page.keyboard.press("ArrowRight")
    for map in (1, 2, 3):
        expect(maps.nth(map).locator(".dot.lit")).to_have_count(1)
    expect(page.locator(".strip b")).to_have_text("bank")
    becomes(page, page.locator(".strip .unread").all_text_contents, [" when she turned eighteen."])
    expect(page.locator(".verdict").first).to_contain_text("cannot tell")
    page.keyboard.press("Enter")
    page.wait_for_url("**locked=*")
    maps.nth(2).focus()
    page.keyboard.press("Escape")
    expect(page.locator(".strip")).to_have_class("strip idle")
    kept = page.locator(".map .dot").first
    kept.evaluate("dot => { dot.kept = true; }")
    before = places(page, 2)
    page.get_by_role("radio", name="Static").or_(page.get_by_role("button", name="Static")).first.click()
    page.wait_for_url("**static=true*")
    expect(page.locator(".one:not(.gone) text")).to_have_text(["all 13 sentences"] * 4)
    becomes(page, lambda: len(set(places(page, 2))), 1)
    assert kept.evaluate("dot => dot.kept") and len(set(before)) > 1, "dots glide, nothing is made anew"
    page.get_by_role("button", name="GPT", exact=True).click()
    page.wait_for_url("**model=gpt*")
    expect(page.locator(".where")).to_be_visible()


def test_a_new_sentence_lands_and_the_others_stay(open_page):
    page = open_page(
        f"/senses?{urlencode({'new': preset('senses', 'Between the two').values['new']})}",
        wait_for=".dot.fresh",
    )
    expect(page.locator(".dot")).to_have_count(6)
    expect(page.get_by_text("Nearest to money")).to_be_visible()
    settle(page)
    first = page.locator(".dot").first
    before = first.evaluate("dot => dot.style.transform")
    fresh = page.locator(".dot.fresh").get_attribute("style")
    page.get_by_role("textbox", name="A sentence of your own").fill(
        "The bank </script> of the river was green."
    )
    expect(page.get_by_text("Nearest to river")).to_be_visible()
    expect(page.locator(".dot.fresh")).not_to_have_attribute("style", fresh)
    assert first.evaluate("dot => dot.style.transform") == before
    expect(page.locator(".rings .locked, .dot.locked")).not_to_have_count(0)
