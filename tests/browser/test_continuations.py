"""The continuations page in Chromium: it streams, stops, and shows a clicked step's candidates."""

import re

import pytest
from playwright.sync_api import Page, expect

BUTTON, CHIP, NOTE = "button.turn", ".chip", ".note"


def finished(page: Page, tokens: int) -> None:
    expect(page.locator(BUTTON)).to_have_text("Start again", timeout=60_000)
    expect(page.locator(CHIP)).to_have_count(tokens)
    expect(page.locator(NOTE)).to_have_text(re.compile(f"^{tokens} tokens · "))


def type_prompt(page: Page, text: str) -> None:
    page.get_by_label("Prompt").fill(text)
    page.get_by_label("Prompt").press("Enter")
    expect(page.locator(".prompt")).to_have_text(text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tokens_stream_in_and_a_click_shows_the_candidates_of_a_step(open_page, scheme):
    page = open_page("/continuations?length=20&temperature=0.5", scheme, CHIP)
    page.locator(CHIP).first.evaluate("chip => { chip.drawnOnce = true; }")
    finished(page, 20)
    assert page.locator(CHIP).first.evaluate("chip => chip.drawnOnce"), "what stands is not drawn again"
    rows, shown = page.locator(".row"), page.locator(".chip.shown")
    expect(rows).to_have_count(8)
    expect(page.locator(".row.chosen")).to_have_count(1)
    expect(shown).to_have_count(1)
    assert shown.evaluate("c => c === [...c.getRootNode().querySelectorAll('.chip')].pop()"), "the newest"
    grounds = page.locator(CHIP).evaluate_all("cs => cs.map((c) => getComputedStyle(c).backgroundColor)")
    assert len(set(grounds)) > 5, "tokens are coloured by their probability"

    third = page.locator(CHIP).nth(2)
    third.click()
    expect(page.get_by_text("Token 3 of 20")).to_be_visible()
    expect(third).to_have_class(re.compile("shown"))
    expect(page.locator(".row.chosen .token")).to_have_text(third.inner_text(), use_inner_text=False)
    expect(page).to_have_url(re.compile("token=2"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Token 4 of 20")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Token 20 of 20, the newest")).to_be_visible()


def test_stop_stops_continue_goes_on_and_the_seed_gives_the_same_text_again(open_page):
    page = open_page("/continuations?length=200", wait_for=CHIP)
    page.locator(BUTTON, has_text="Stop").click()
    expect(page.locator(BUTTON)).to_have_text("Continue")
    expect(page.locator(NOTE)).to_contain_text("stopped")
    stopped_at = page.locator(CHIP).count()
    assert 0 < stopped_at < 200
    page.wait_for_timeout(800)
    assert page.locator(CHIP).count() == stopped_at
    text = page.locator(".text").inner_text()
    page.locator(BUTTON).click()
    expect(page.locator(BUTTON)).to_have_text("Stop")
    expect(page.locator(CHIP).nth(stopped_at + 2)).to_be_visible()
    assert page.locator(".text").inner_text().startswith(text)


def test_a_new_prompt_starts_at_once_and_the_text_box_keeps_its_place(open_page):
    page = open_page("/continuations?length=12", wait_for=CHIP)
    finished(page, 12)
    place = page.locator(".text").bounding_box()
    type_prompt(page, "In the kitchen the cook")
    finished(page, 12)
    assert page.locator(".text").bounding_box() == place
    before = page.locator(".text").inner_text()
    page.locator(BUTTON).click()
    finished(page, 12)
    assert page.locator(".text").inner_text() == before, "the same seed gives the same text"
    page.get_by_test_id("stNumberInputStepUp").click()
    expect(page.locator(".text")).not_to_have_text(before, use_inner_text=True)
    finished(page, 12)


def test_a_prompt_with_a_script_in_it_is_text(open_page):
    page = open_page("/continuations?length=5", wait_for=CHIP)
    type_prompt(page, "</script><script>document.title='x'</script>")
    finished(page, 5)
    assert page.title() == "Continuations · Riverbank"


def test_an_empty_prompt_starts_from_the_start_token(open_page):
    page = open_page("/continuations?length=5", wait_for=CHIP)
    page.get_by_label("Prompt").fill("")
    page.get_by_label("Prompt").press("Enter")
    expect(page.locator(".prompt.bare")).to_have_text("<|endoftext|>")
    finished(page, 5)
