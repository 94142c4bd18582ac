"""On every stop of every lecture, uncovered: nothing that no class understands, and no error."""

from urllib.parse import urlencode

import pytest

from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.navigation import pages
from tests.browser import stage
from tests.browser.jargon import jargon
from tests.browser.projector import problems

TITLES = {page.name: page.title for page in pages()}
STOPS = {
    ready.name: [item for item in lecture.read(ready.text, TITLES) if item.stop]
    for ready in lectures()
    if not ready.asks
}


@pytest.mark.long  # test_stage.py asks the same of a stop of each view
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", STOPS)
def test_in_the_end_no_stop_shows_what_no_class_understands(open_page, name):
    """From the last stop backwards; a stop of several lectures is looked at in the first."""
    stops = STOPS[name]
    earlier = [stop.text for other in [*STOPS][: [*STOPS].index(name)] for stop in STOPS[other]]
    place = {"course": name, "stop": str(len(stops)), "present": "1"}
    page = open_page(f"/{stops[-1].page}?{urlencode(stops[-1].link | place)}")
    stage.rest(page)
    while "1" in page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--rb-asked')"):
        stage.press(page)
    seen, title = {}, page.locator("h1")
    for stop in reversed(stops):
        while title.inner_text() != stop.text:  # back over what covers the stop after it
            stage.press(page, "PageUp")
        if stop.text not in earlier:
            stage.rest(page)
            seen[stop.text] = jargon(page) + problems(page)
    assert {stop: texts for stop, texts in seen.items() if texts} == {}
