"""The list of pages is the app's own. Every view is looked at in test_every_view.py."""

from explorer.views.frame.navigation import FIRST, pages
from tests.browser.waiting import expect


def address(name: str) -> str:
    return "/" if name == "home" else f"/{name}"


def test_the_sidebar_lists_the_pages(open_page):
    links = open_page("/").locator("[data-testid=stSidebar] a")
    expect(links).to_have_text([FIRST, *(p.title for p in pages()[1:])])
