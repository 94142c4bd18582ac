"""What a visitor's system asks for: less motion, forced colours, paper, and another colour scheme."""

import pytest
from playwright.sync_api import Page

from explorer.views.frame.navigation import pages
from tests.browser.sweep import stand
from tests.browser.test_every_page import address
from tests.browser.test_print import READING, assert_one_sheet
from tests.browser.waiting import PARTS_OF, RESTS, at, follow, still, wish_for

MOVING = """() => document.getAnimations()
  .filter(({ playState, timeline }) => playState === "running" && timeline instanceof DocumentTimeline)
  .map(({ effect }) => effect.target?.outerHTML.slice(0, 80))"""
# Whether the first switch has an outline, and a knob that differs from its track.
SWITCH = """() => {
  const track = document.querySelector("[data-testid=stMain] label:has([role=switch]) > span + div");
  const ground = (part) => getComputedStyle(part).backgroundColor;
  return [getComputedStyle(track).outlineStyle, ground(track) !== ground(track.firstElementChild)];
}"""
SLOWEST = "getComputedStyle(document.querySelector('button')).transitionDuration"
# The grounds of those parts of a picture that are nothing else, but not of Streamlit’s switches.
MARKS = (
    "() => {"
    + PARTS_OF
    + """
  const seen = (part) => part.offsetWidth > 1 && part.offsetHeight > 1;
  const all = partsOf(document.querySelector(".st-key-picture"));
  const marks = all.filter((part) => part.matches(":empty:not(svg *, label *)") && seen(part));
  const ground = (part) => getComputedStyle(part).backgroundColor;
  return [...new Set(marks.map(ground))].sort();
}"""
)

# The colours of a picture, and the mean of each canvas.
COLOURS = (
    "() => {"
    + PARTS_OF
    + """
  const picture = document.querySelector(".st-key-picture");
  const all = partsOf(picture).filter((part) => part.getClientRects().length);
  const of = ({ color, backgroundColor, fill, stroke }) => [color, backgroundColor, fill, stroke].join();
  const mean = (canvas) => {
    const sums = [0, 0, 0, 0];
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    data.forEach((value, i) => (sums[i % 4] += value));
    return String(sums.map((sum) => Math.round((4 * sum) / data.length)));
  };
  const means = all.filter((part) => part.matches("canvas") && part.width && part.height).map(mean);
  return [...new Set([...all.map((part) => of(getComputedStyle(part))), ...means])].sort();
}"""
)
# Pictures of each kind: their colours come from Python, a style sheet, or a script that reads the palette.
# In both schemes every view is looked at in test_every_view.py.
PICTURES = [
    "/masked",
    "/probing",
    "/attention?view=inside",
    "/continuations?model=gpt&view=look-back",
    "/vectors?view=one-hot",
]


@pytest.mark.slow
def test_another_colour_scheme_of_the_system_is_that_of_the_whole_page(open_page):
    page, night = open_page("/"), open_page("/", "dark")

    def colours(tab: Page) -> list[str]:
        stand(tab)
        return still(tab, lambda: tab.evaluate(COLOURS))

    for where in PICTURES:
        with at(where):
            for tab in (night, page):
                follow(tab, where)
            wish_for(page, "dark")  # while its models are read, too
            assert colours(page) == colours(night)
            wish_for(page, "light")


@pytest.mark.slow
def test_each_page_keeps_still_keeps_its_marks_and_fits_on_paper(open_page):
    page = open_page("/")
    page.emulate_media(reduced_motion="reduce")
    for one in pages():
        with at(one.name):
            if one.name != "home":
                follow(page, address(one.name))
            stand(page)
            page.wait_for_function(f"!({MOVING})().length")  # each takes 1 ms
            assert page.evaluate(SLOWEST) == "0s"
            assert_marks_stay(page)
            assert_one_sheet(page, one.title, READING)


@pytest.mark.slow
def test_in_forced_colours_a_switch_is_seen(open_page):
    page = open_page("/transformer?view=steps")
    stand(page)
    page.emulate_media(forced_colors="active")
    page.wait_for_function(RESTS)
    assert page.evaluate(SWITCH) == ["solid", True]
    page.emulate_media(forced_colors="none")


def assert_marks_stay(page: Page) -> None:
    """In forced colours a mark that is only a ground keeps it."""
    before = page.evaluate(MARKS)
    page.emulate_media(forced_colors="active")
    page.wait_for_function(RESTS)
    assert page.evaluate(MARKS) == before
    page.emulate_media(forced_colors="none")
