"""The matrix of the word senses page in Chromium: squares that can be read."""

import pytest

from tests.browser.waiting import expect, settle

pytestmark = pytest.mark.slow


def test_the_matrix_tells_two_sentences_and_glides_into_another_order(open_page):
    page = open_page("/senses?shown=matrix", wait_for=".field canvas")
    expect(page.locator(".side .label")).to_have_count(13)
    expect(page.locator(".told")).to_contain_text("Mean within a sense")
    settle(page)
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
    page.get_by_text("Dots", exact=True).click()  # and the map stands at the same layer
    expect(page.locator(".where")).to_have_text("layer 5")
