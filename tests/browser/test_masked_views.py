"""The masked-words page's views in Chromium: they draw, tell on hover, and their clicks do what they say."""

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, still
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

pytestmark = pytest.mark.slow

PICTURE = ".st-key-picture"


def widths(page: Page, selector: str) -> list[float]:
    return [box.bounding_box()["width"] for box in page.locator(selector).all()]


def test_layers_follow_the_slider_and_the_link_keeps_the_layer(open_page):
    page = open_page("/masked?view=layers", wait_for=".layer.now")
    guess = page.locator(".read .guess").first
    slider = page.get_by_role("slider", name="Layer")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".layer.now .name").first).to_have_text("0")
    expect(guess).not_to_have_text("hospital")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".layer.now .name")).to_have_text(["1", "1"])
    page.locator(".layer").nth(4).click()
    page.wait_for_function("() => location.search.includes('layer=4')")
    word = page.locator(".layer.now .cell").first
    word.hover()
    expect(page.locator(".tip.on")).to_contain_text("after layer 4")
    again = open_page(page.url[page.url.index("/masked") :], wait_for=".layer.now")
    expect(again.locator(".layer.now .name").first).to_have_text("4")


def test_clicks_lead_back_to_the_sentence(open_page):
    page = open_page("/masked?view=sets", wait_for=f"{PICTURE} .row")
    first = page.locator(f"{PICTURE} .row").first
    name = first.locator(".name").inner_text()
    first.click()
    expect(page.locator("textarea").first).to_have_value(DEFAULTS["template"].replace("[SLOT]", name))
    for reader in range(2):  # SmolLM2's bars, then BERT's
        expect(page.locator(f"{PICTURE} .pinned").nth(reader).locator(".row")).to_have_count(2)


def test_choosing_again_moves_bars(open_page):
    page = open_page("/masked?view=training&share=50", wait_for=".word")
    before = page.locator(f"{PICTURE} .head").inner_text()
    for seed in (3, 4):
        page.get_by_role("button", name="Choose again").click()
        page.wait_for_function(f"() => location.search.includes('seed={seed}')")
    expect(page.locator(f"{PICTURE} .head")).not_to_have_text(before)


def test_writing_goes_on_stops_and_can_be_walked_back(open_page):
    page = open_page("/masked?view=write&blanks=4&steps=50", wait_for=".way")
    where, turn = page.locator(".where"), page.locator(f"{PICTURE} .play")
    expect(where).not_to_have_text("step 0 of 50")  # the first steps are there at once
    turn.click()
    expect(page.locator(".way").nth(1)).to_contain_text("written in 4 steps")
    expect(turn).to_have_text("Pause")
    turn.click()
    expect(turn).to_have_text("Write on")
    stopped = where.inner_text()
    page.wait_for_timeout(1200)
    assert where.inner_text() == stopped, "nothing goes on after Pause"
    numbers = page.locator(".way").nth(1).locator("sub")
    assert numbers.all_inner_texts() == ["1", "2", "3", "4"]
    for _ in range(int(stopped.split()[1]) - 1):
        page.get_by_role("button", name="The step before").click()
    expect(where).to_have_text("step 1 of 50")
    assert numbers.all_inner_texts() == ["1", "·", "·", "·"]
    page.get_by_role("button", name="Left to right").click()
    expect(page.locator(".way").nth(1).locator(".guess")).to_have_count(5)
    assert page.locator(".way .now").count() == 3


def test_the_outline_is_the_other_sentences_length(open_page):
    link = "/masked?text=The [MASK] barked all night.&probe=dog"
    link += "&pinned=The [MASK] rang all night."
    page = open_page(link, wait_for=f"{PICTURE} .pinned .row")
    still(page, lambda: widths(page, f"{PICTURE} .pinned .solid"), quiet=120)  # the bars ease in
    solid = widths(page, f"{PICTURE} .pinned .solid")
    hollow = page.locator(f"{PICTURE} .pinned .hollow").first.bounding_box()["width"]
    assert hollow == pytest.approx(solid[1], rel=0.05) and solid[1] > 10 * solid[0]
