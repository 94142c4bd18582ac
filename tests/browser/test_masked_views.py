"""The masked-words page's views in Chromium: they draw, tell on hover, and their clicks do what they say."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import RESTS, expect, settle, still
from tests.views.opening import defaults

DEFAULTS = defaults("masked")

pytestmark = pytest.mark.slow

PICTURE = ".st-key-picture"


def widths(page: Page, selector: str) -> list[float]:
    return [box.bounding_box()["width"] for box in page.locator(selector).all()]


def test_a_state_is_chosen_and_its_word_followed(open_page):
    page = open_page("/masked?view=layers", wait_for=".lens .cell")  # an old link
    expect(page).to_have_url(re.compile("/why"))
    expect(page.locator(".lens .row")).to_have_count(8)
    cell = page.locator(".lens .row").nth(2).locator(".cell").nth(6)  # layer 5 at the blank
    expect(cell).to_have_text("station")
    settle(page)
    cell.click()
    page.wait_for_function("() => /state=/.test(location.search)")
    settle(page)  # its rows are those of the state
    page.locator(f"{PICTURE} .row", has_text="station").last.click()
    page.wait_for_function("() => location.search.includes('followed=station')")
    expect(cell).to_have_class(re.compile("right"))
    again = open_page(page.url[page.url.index("/why") :], wait_for=".lens .cell.chosen")
    expect(again.locator(".lens .cell.chosen")).to_have_text("station")


def test_a_state_is_dragged_into_another_text_kept_by_the_link_and_taken_back(open_page):
    page = open_page(
        "/why?view=lens&beside=true&model=gpt&first=The+queen+lost&second=The+king+lost", wait_for=".hint"
    )
    maps = page.locator(".lens .rb-wide")
    settle(page)
    maps.nth(0).locator(".cell.chosen").drag_to(maps.nth(1).locator(".row").nth(3).locator(".cell").nth(1))
    page.wait_for_url("**put=*2*1*1*")
    expect(maps).to_have_count(3)
    answers = [maps.nth(i).locator(".row").nth(1).locator(".cell").last for i in range(3)]
    expect(answers[2]).to_have_text(answers[0].inner_text())
    assert answers[0].inner_text() != answers[1].inner_text()
    again = open_page(page.url[page.url.index("/why") :], wait_for=".cell.outside")
    expect(again.locator(".lens .rb-wide")).to_have_count(3)
    page.get_by_role("button", name="undo").click()
    expect(maps).to_have_count(2)


def test_clicks_lead_back_to_the_sentence(open_page):
    page = open_page("/masked?view=sets", wait_for=f"{PICTURE} .row")
    settle(page)
    first = page.locator(f"{PICTURE} .row").first
    name = first.locator(".name").inner_text()
    first.click()
    expect(page.locator("textarea").first).to_have_value(DEFAULTS["template"].replace("[SLOT]", name))
    for reader in range(2):  # SmolLM2's bars, then BERT's
        expect(page.locator(f"{PICTURE} .pinned").nth(reader).locator(".row")).to_have_count(2)


def test_choosing_again_moves_bars(open_page):
    page = open_page("/masked?view=training&share=50", wait_for=".word")
    settle(page)
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
    expect(numbers).to_have_text(["1", "2", "3", "4"])
    for _ in range(int(stopped.split()[1]) - 1):
        page.get_by_role("button", name="The step before").click()
    expect(where).to_have_text("step 1 of 50")
    expect(numbers).to_have_text(["1", "·", "·", "·"])
    page.get_by_role("button", name="Left to right").click()
    expect(page.locator(".way").nth(1).locator(".guess")).to_have_count(5)
    expect(page.locator(".way .now")).to_have_count(3)


def test_the_outline_is_the_other_sentences_length(open_page):
    link = "/masked?text=The [MASK] barked all night.&probe=dog"
    link += "&pinned=The [MASK] rang all night."
    page = open_page(link, wait_for=f"{PICTURE} .pinned .row")
    settle(page)
    page.wait_for_function(RESTS)  # the bars ease in
    solid = still(page, lambda: widths(page, f"{PICTURE} .pinned .solid"))
    hollow = page.locator(f"{PICTURE} .pinned .hollow").first.bounding_box()["width"]
    assert hollow == pytest.approx(solid[1], rel=0.05) and solid[1] > 10 * solid[0]
