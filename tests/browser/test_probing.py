"""What layers know in the browser: pictures in view and legible, layers by keyboard, numbers on hover."""

import pytest
from playwright.sync_api import expect

from explorer.views.frame.theme import SMALLEST
from tests.browser.test_every_page import SMALL_TEXT, settle


@pytest.mark.parametrize(
    ("view", "drawn"),
    [("layers", ".js-plotly-plot"), ("sentence", ".cell"), ("tree", ".arc"), ("watch", ".chip")],
)
def test_the_picture_is_in_view_and_can_be_read(open_page, view, drawn):
    page = open_page(f"/probing?view={view}")
    settle(page)
    page.wait_for_selector(f".st-key-picture {drawn}", state="attached")
    assert page.locator(".st-key-problem").count() == 0
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 720, box
    assert page.evaluate(SMALL_TEXT, SMALLEST) == []
    if view == "sentence":
        cell = page.locator(".cell").nth(3)
        cell.hover()
        expect(page.locator(".tip.on")).to_contain_text("“water”, embedding")
        cell.focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".tip.on")).to_contain_text("“water”, layer 1")
    if view == "tree":
        page.locator(".layer").first.click()
        expect(page.locator(".says")).to_contain_text("Embedding")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".says")).to_contain_text("Layer 1")
        page.wait_for_url("**tree_layer=1**")
    if view == "watch":
        page.locator(".slider").focus()
        page.keyboard.press("Home")
        expect(page.locator(".told")).to_contain_text("By embedding")
        expect(page.locator(".facts.later").first).to_be_attached()
