"""What layers know in the browser: layers by keyboard, numbers on hover."""

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import appears, expect, follow, settle

pytestmark = pytest.mark.slow


def look(page: Page, view: str, drawn: str) -> None:
    """Go to a view."""
    follow(page, f"/probing?view={view}")
    appears(page, f".st-key-picture {drawn}", state="attached")
    settle(page)


def test_a_picture_goes_from_layer_to_layer(open_page):
    page = open_page("/probing")
    look(page, "sentence", ".cell")
    cell = page.locator(".cell").nth(3)
    cell.hover()
    expect(page.locator(".tip.on")).to_contain_text("“water”, layer 0 (embedding)")
    cell.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tip.on")).to_contain_text("“water”, layer 1")
    page.mouse.move(0, 0)

    look(page, "tree", ".arc")
    page.locator(".layer").first.click()
    expect(page.locator(".caption")).to_contain_text("Layer 0 (embedding)")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("Layer 1")
    page.wait_for_url("**tree_layer=1**")
