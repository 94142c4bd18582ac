"""The masked-words page in real Chromium: bars are drawn, and clicks do what they say."""

import codecs
import re

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, settle
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

PICTURE = ".st-key-picture"
INJECTION = "We saw </script><script>document.title='x'</script> the [MASK] by the sea."


def rows(page: Page):
    return page.locator(f"{PICTURE} .row")


def text_box(page: Page):
    return page.locator("textarea").first


def word(page: Page, text: str):
    exactly = re.compile(f"^{re.escape(text)}$")
    return page.locator("[class*=st-key-masked-strip] button").filter(has_text=exactly)


def test_a_click_on_a_bar_fills_it_in_and_clicks_on_words_hide_and_restore(open_page):
    page = open_page("/masked?beside=false", wait_for=f"{PICTURE} .row")
    settle(page)
    second = rows(page).nth(1).locator(".token").inner_text()
    rows(page).nth(1).click()
    filled = DEFAULTS["text"].replace("[MASK]", second)
    expect(text_box(page)).to_have_value(filled)
    expect(rows(page)).to_have_count(0)
    expect(page.get_by_text("Press a word to mask it")).to_be_visible()

    word(page, "taken").click()
    expect(text_box(page)).to_have_value(filled.replace("taken", "[MASK]"))
    expect(rows(page)).to_have_count(10)
    word(page, "by").click()
    expect(rows(page)).to_have_count(20)
    expect(page.get_by_text("Blank 2")).to_be_visible()
    word(page, "[MASK] 1").click()  # chooses it; the next click puts the word back
    expect(word(page, "[MASK] 1")).to_have_attribute("aria-pressed", "true")
    expect(text_box(page)).to_have_value(filled.replace("taken", "[MASK]").replace("by", "[MASK]"))
    word(page, "[MASK] 1").click()
    expect(text_box(page)).to_have_value(filled.replace("by", "[MASK]"))
    page.get_by_role("button", name="Restore the words").click()
    expect(text_box(page)).to_have_value(filled)


@pytest.mark.slow
def test_keys_walk_and_fill_and_a_looked_up_word_stands_in_view(open_page):
    page = open_page("/masked?beside=false", wait_for=f"{PICTURE} .row")
    page.locator("textarea").nth(1).fill("zebra, 🙂")
    expect(rows(page)).to_have_count(12)
    expect(page.locator(f"{PICTURE} .pinned .row").nth(1)).to_contain_text("unknown")
    page.get_by_role("radio", name="100").or_(page.get_by_role("button", name="100")).first.click()
    expect(rows(page)).to_have_count(102)
    settle(page)
    looked_up = page.locator(f"{PICTURE} .pinned .row").first
    box = looked_up.bounding_box()
    assert box["y"] + box["height"] <= 720, "in view without scrolling"
    assert page.locator(f"{PICTURE} .list").evaluate("list => list.scrollHeight > list.clientHeight + 100")
    rows(page).first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(1)).to_be_focused()
    for _ in range(12):  # the list scrolls below the focus, and the tip stays with its row
        page.keyboard.press("ArrowDown")
    expect(page.locator(f"{PICTURE} .tip.on")).to_contain_text("probability")
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    expect(looked_up).to_be_focused()
    page.keyboard.press("Enter")
    expect(text_box(page)).to_have_value(DEFAULTS["text"].replace("[MASK]", "zebra"))


def test_a_typed_script_is_text_and_a_change_of_text_moves_nothing(open_page):
    page = open_page("/masked?beside=false", wait_for=f"{PICTURE} .row")
    settle(page)
    before = page.locator(PICTURE).bounding_box()
    rows(page).first.evaluate("row => { row.dataset.same = 'yes'; }")
    text_box(page).fill(INJECTION)
    text_box(page).press("Enter")
    expect(word(page, "script").first).to_be_visible()
    expect(rows(page)).to_have_count(10)
    expect(page).to_have_title(re.compile("^Masked words"))
    settle(page)
    assert page.locator(PICTURE).bounding_box()["y"] - before["y"] < 80, "a second line of words at most"
    expect(rows(page).first).to_have_attribute("data-same", "yes")  # updated in place, not built anew


@pytest.mark.slow
def test_dots_stand_for_a_word_that_a_class_does_not_see(open_page):
    oath = codecs.decode("Shpx [ZNFX].", "rot13")
    page = open_page(f"/masked?text={oath}&k=20&beside=false", "dark", wait_for=f"{PICTURE} .row")
    covered = page.locator(f"{PICTURE} .row.covered")
    expect(covered.first.locator(".token")).to_have_text("•••")
    covered.first.hover()
    expect(page.locator(f"{PICTURE} .tip.on")).to_contain_text("a word this page does not show")
    covered.first.click()
    page.wait_for_timeout(500)
    expect(text_box(page)).to_have_value(oath)
    page.locator(f"{PICTURE} .row:not(.covered)").first.click()
    expect(text_box(page)).not_to_have_value(oath)
