"""What a visitor's system asks for: less motion, and forced colours."""

import pytest

from explorer.views.frame.navigation import pages
from tests.browser.test_every_page import address, settle
from tests.browser.waiting import at, follow

MOVING = """() => document.getAnimations()
  .filter(({ playState, timeline }) => playState === "running" && timeline instanceof DocumentTimeline)
  .map(({ effect }) => effect.target?.outerHTML.slice(0, 80))"""
SLOWEST = "getComputedStyle(document.querySelector('button')).transitionDuration"
# The grounds of those parts of a picture that are nothing else, but not of Streamlit’s switches.
MARKS = """() => {
  const look = (root) => [...root.querySelectorAll("*")].flatMap(
    (part) => [part, ...(part.shadowRoot ? look(part.shadowRoot) : [])]);
  const seen = (part) => part.offsetWidth > 1 && part.offsetHeight > 1;
  const all = look(document.querySelector(".st-key-picture"));
  const marks = all.filter((part) => part.matches(":empty:not(svg *, label *)") && seen(part));
  const ground = (part) => getComputedStyle(part).backgroundColor;
  return [...new Set(marks.map(ground))].sort();
}"""


@pytest.mark.slow
def test_nothing_moves_where_less_motion_is_wished(open_page):
    page = open_page("/")
    page.emulate_media(reduced_motion="reduce")
    try:
        for one in pages():
            with at(one.name):
                if one.name != "home":
                    follow(page, address(one.name))
                settle(page)
                assert page.evaluate(MOVING) == []
                assert (
                    page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration")
                    == "0s"
                )
    finally:
        page.emulate_media(reduced_motion="null")


@pytest.mark.slow
def test_in_forced_colours_a_mark_that_is_only_a_ground_keeps_it(open_page):
    page = open_page("/")
    for one in pages():
        with at(one.name):
            if one.name != "home":
                follow(page, address(one.name))
            settle(page)
            before = page.evaluate(MARKS)
            page.emulate_media(forced_colors="active")
            assert page.evaluate(MARKS) == before
            page.emulate_media(forced_colors="none")
