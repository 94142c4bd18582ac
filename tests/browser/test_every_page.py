"""What holds on every page: it draws, fits a projector, and is legible from the back row."""

from urllib.parse import urlencode

import pytest

from explorer.views.frame.navigation import FIRST, pages
from tests.browser.projector import assert_in_view, assert_legible
from tests.browser.waiting import at, expect, follow, settle
from tests.views.opening import QUICK

NAMES = [p.name for p in pages()]
# It takes longest of the fast tests in a browser: two workers share it.
HALVES = [pytest.param(half, marks=pytest.mark.xdist_group(f"half {half}")) for half in (0, 1)]


def address(name: str) -> str:
    return "/" if name == "home" else f"/{name}"


# The slow tests look at every view, in the dark and on a phone too: test_every_view.py.
@pytest.mark.parametrize("half", HALVES)
def test_each_page_fits_the_projector_and_can_be_read(open_page, half):
    page = open_page("/")
    links = page.locator("[data-testid=stSidebar] a")
    expect(links).to_have_text([FIRST, *(p.title for p in pages()[1:])])  # the sidebar is the app's own
    for name in NAMES[half::2]:
        with at(name):
            if name != "home":
                follow(page, f"{address(name)}?{urlencode(QUICK.get(name, {}))}")
            settle(page)
            assert_in_view(page, "h1", ".rb-caption", ".st-key-picture")
            assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
            assert_legible(page)
