"""What the walk through lectures calls wrong, on pages with nothing else, and on every stop uncovered."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from explorer.views.frame import navigation
from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture_library import lectures
from tests.browser import stage
from tests.browser.conftest import SIZE
from tests.browser.jargon import jargon

PICTURE = '<div class="st-key-picture" style="font-size: 20px; {}">{}</div>'
COVERED = '<p style="visibility: hidden; margin-left: 1200px; white-space: nowrap">Covered, and laid out</p>'
CUT = '<p style="width: 60px; overflow: hidden; white-space: nowrap">More than its box shows</p>'
WRONG = {
    "outside": PICTURE.format("", COVERED),
    "cut": PICTURE.format("", CUT),
    "overlapping": PICTURE.format("margin-top: -40px", "Over the question"),
    "small": PICTURE.format("", '<span style="font-size: 15px">Too small for the back row</span>'),
    "jargon": PICTURE.format("", "<p>Head L4H2: 0.60</p>"),
    "scrolling": PICTURE.format("height: 50px; overflow-y: auto", '<p style="height: 90px">Scrolls</p>'),
}

TITLES = {page.name: page.title for page in navigation.pages()}
STOPS = {
    ready.name: [item for item in lecture.read(ready.text, TITLES) if item.stop]
    for ready in lectures()
    if not ready.asks
}


def drawn(page: Page, picture: str) -> Page:
    """A stage of a title, a question and this picture."""
    page.set_viewport_size(SIZE)
    style = "font: 20px/1.2 serif; margin: 0"
    question = f'<h1 style="{style}">A stop</h1><p class="rb-question" style="{style}; height: 40px">Why?</p>'
    page.set_content(f'<div data-testid="stMain">{question}{picture}</div>')
    return page


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_on_a_stage_is_seen(bare, kind):
    assert list(stage.look(drawn(bare, WRONG[kind]))) == [kind]


def test_a_stage_on_which_all_is_in_view_has_no_findings(bare):
    assert stage.look(drawn(bare, PICTURE.format("", "<p>All of it</p>"))) == {}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", STOPS)
def test_in_the_end_no_stop_shows_what_no_class_understands(open_page, name):
    """From the last stop backwards, where each stands uncovered; a stop of several lectures in the first."""
    stops = STOPS[name]
    earlier = [stop.text for other in [*STOPS][: [*STOPS].index(name)] for stop in STOPS[other]]
    place = {"course": name, "stop": str(len(stops)), "present": "1"}
    page = open_page(f"/{stops[-1].page}?{urlencode(stops[-1].link | place)}")
    while "1" in page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--rb-asked')"):
        stage.press(page)
    seen = {}
    for stop in reversed(stops):
        if stop.text not in earlier:
            stage.rest(page)
            seen[stop.text] = jargon(page)
        if stop is not stops[0]:
            stage.press(page, "PageUp")
    assert {stop: texts for stop, texts in seen.items() if texts} == {}
