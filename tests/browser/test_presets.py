"""After a press on a preset, or a change of the text, one sees what has changed, and what it was before."""

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, settle, still

IN_VIEW = """() => {
  const box = document.querySelector(".st-key-picture").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}"""
TO_END = "document.querySelector('[data-testid=stMain]').scrollTo(0, 9999)"
# Notes which parts have been marked, however short a busy machine shows them.
WATCH = """() => {
  window.marked = new Set();
  new MutationObserver((changes) => changes.forEach(({ target }) =>
    target.classList.contains("rb-changed")
      && window.marked.add([...target.classList].find((name) => name.startsWith("st-key-")))
  )).observe(document.body, { attributes: true, attributeFilter: ["class"], subtree: true });
}"""
PLACE = "document.querySelector('[data-testid=stMain]').scrollTop"


def type_text(page: Page, text: str) -> None:
    page.locator("textarea").first.fill(text)
    page.wait_for_url("**text=*")
    settle(page)


@pytest.mark.slow
def test_a_preset_brings_the_picture_into_view_and_marks_what_it_has_changed(open_page):
    page = open_page("/")
    settle(page)
    page.set_viewport_size({"width": 1280, "height": 560})
    page.evaluate(TO_END)
    page.wait_for_function(f"!({IN_VIEW})()")
    page.evaluate(WATCH)
    page.evaluate("document.querySelector('.st-key-home-preset-River button').click()")
    page.wait_for_url("**text=*")
    page.wait_for_function("window.marked.size >= 2")
    page.wait_for_function(IN_VIEW)
    expect(page.locator(".rb-changed")).to_have_count(0)
    assert page.evaluate("[...window.marked].sort()") == ["st-key-home-text", "st-key-picture"]
    expect(page.locator(".rb-now")).to_contain_text("River")  # its point, and no comparison with the opening
    place = still(page, lambda: page.evaluate(PLACE))
    page.evaluate("document.querySelector('.st-key-home-preset-Grammar button').click()")
    page.wait_for_url("**dogs**")
    assert still(page, lambda: page.evaluate(PLACE)) == place, "what is in view already does not move"


@pytest.mark.slow
def test_a_pointer_that_has_not_moved_since_the_press_points_at_nothing(open_page):
    page = open_page("/masked?view=sets")
    settle(page)
    page.evaluate(TO_END)
    box = still(page, page.locator("[class*=-preset-] button").last.bounding_box)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**template=*")
    page.wait_for_function(IN_VIEW)
    settle(page)
    still(page, lambda: page.evaluate(PLACE))
    expect(page.locator(".row:hover")).to_have_count(1)  # a row has come under the pointer
    expect(page.locator(".tip.on")).to_have_count(0)
    page.mouse.move(x + 9, y)
    expect(page.locator(".tip.on")).to_be_visible()


@pytest.mark.slow
def test_after_a_change_a_bar_shows_how_long_it_was(open_page):
    page = open_page("/")
    settle(page)
    money = page.locator(".row").first
    expect(money).to_contain_text("money")
    expect(page.locator(".ghost:visible")).to_have_count(0)
    page.get_by_role("button", name="Write your own").click()
    type_text(page, "The baker lent us the [MASK] for a new house.")
    expect(money.locator(".ghost")).to_be_visible()
    sizes = """row => [".solid", ".ghost", ".track"].map(
      (part) => row.querySelector(part).getBoundingClientRect().width)"""
    widths = still(page, lambda: money.evaluate(sizes))
    assert widths[1] / widths[2] > 0.4 > widths[0] / widths[2], "46% before"
    money.hover()
    expect(page.locator(".tip.on")).to_contain_text("was 46")
