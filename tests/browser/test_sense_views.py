"""The views of the word senses page in Chromium: squares that can be read, faders that move the map."""

import pytest
from playwright.sync_api import Page

from tests.browser.test_senses import at_rest, places, spread
from tests.browser.waiting import expect

pytestmark = pytest.mark.slow


def fits(page: Page) -> None:
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] + box["height"] <= 720 and box["x"] + box["width"] <= 1280


def test_the_matrix_tells_two_sentences_and_glides_into_another_order(open_page):
    page = open_page("/senses?view=matrix", wait_for=".field canvas")
    expect(page.locator(".side .label")).to_have_count(13)
    expect(page.locator(".told")).to_contain_text("Mean within a sense")
    fits(page)
    field = page.locator(".field")
    field.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told .line")).to_have_count(2)
    expect(page.locator(".told .line").first).to_contain_text("The bank lent my sister the money")
    expect(page.locator(".told .line").last).to_contain_text("She opened a savings account")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told .line").last).to_contain_text("Two clerks at the bank")
    expect(page.locator(".told .number")).to_contain_text("0.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".told .line")).to_have_count(0)
    where = "all => all.map(one => one.style.transform)"
    before = page.locator(".side .label").evaluate_all(where)
    page.get_by_text("By likeness", exact=True).click()
    page.wait_for_url("**order=likeness*")
    expect(page.locator(".names .sense")).to_have_count(0)
    assert page.locator(".side .label").evaluate_all(where) != before
    slider = page.get_by_role("slider", name="Layer")
    slider.press("ArrowLeft")
    expect(page.locator(".where")).to_have_text("layer 5")
    page.wait_for_url("**layer=5*")
    page.get_by_text("Map", exact=True).click()  # and the map stands at the same layer
    expect(page.locator(".where")).to_have_text("layer 5")


def test_elmos_faders_move_the_map(open_page):
    page = open_page("/senses?view=which&model=elmo", wait_for=".dot")
    at_rest(page)
    fits(page)
    before, wide = places(page), spread(page)
    page.get_by_role("button", name="s₁", exact=True).click()  # this layer alone
    page.wait_for_url("**weights=*")
    expect(page.locator(".fader .share").nth(1)).to_have_text("1.00")
    expect(page.locator(".row[aria-checked=true]")).to_contain_text("Layer 1 alone")
    at_rest(page)
    assert places(page) != before
    page.get_by_role("button", name="All alike", exact=True).click()
    expect(page.locator(".row[aria-checked=true]")).to_contain_text("All alike")
    gamma = page.get_by_role("slider", name="gamma, the size of everything")
    gamma.focus()
    for _ in range(8):
        gamma.press("ArrowDown")
    expect(page.locator(".gamma .share")).to_have_text("0.60")
    page.wait_for_url("**gamma=0.6*")
    at_rest(page)
    assert spread(page) / wide < 0.75, "all vectors are shorter"
    slot = page.get_by_role("slider", name="the embedding")
    box = slot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 6, steps=5)
    expect(page.locator(".row[aria-checked=true]")).to_contain_text("Your mix")  # still held
    page.mouse.up()
    at_rest(page)
    share = float(page.locator(".fader .share").first.inner_text())
    assert share > 0.4, "the fader stays where it was let go"


def test_one_of_six_ways_is_chosen_by_key(open_page):
    page = open_page("/senses?view=which", wait_for=".dot")
    at_rest(page)
    fits(page)
    before = places(page)
    chosen = page.get_by_role("radio", name="Last layer")
    chosen.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Last four, summed")).to_have_attribute("aria-checked", "true")
    page.wait_for_url("**vector=sum4*")
    expect(page.locator(".where")).to_have_text("last four, summed")
    at_rest(page)
    assert places(page) != before and page.locator(".player").is_hidden()


def test_curves_of_every_model_fit_and_are_named(open_page):
    page = open_page("/senses?view=well&more=true", wait_for=".js-plotly-plot")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    fits(page)
    first = page.locator(".js-plotly-plot").first
    assert first.locator(".scatterlayer .trace").count() == 6, "three models, three readers of less"
    labels = first.locator(".annotation-text").all_text_contents()
    for name in ("BERT", "GPT", "ELMo", "word2vec", "other words’ mean", "bag of words"):
        assert any(name in label for label in labels)
    expect(page.get_by_text("BERT, from the embedding up").first).to_be_attached()
    page.get_by_text("Subtract the random baseline").click()
    page.wait_for_url("**adjusted=false*")
    expect(page.get_by_text("word2vec: 1.00").last).to_be_attached()
