"""What holds on every page: it draws, fits a projector and a phone, and is legible for eyes and machines."""

from urllib.parse import urlencode

from playwright.sync_api import Page

from explorer.views.frame.navigation import pages
from explorer.views.frame.theme import SMALLEST
from tests.browser import axe
from tests.browser.sweep import PHONE, narrow_screens, stand
from tests.browser.waiting import DRAWN, appears, at, expect, follow, still
from tests.views.opening import QUICK

NAMES = [p.name for p in pages()]
SMALL_TEXT = """(smallest) => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      const words = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      if (!words || !element.getClientRects().length) continue;
      if (['STYLE', 'SCRIPT'].includes(element.tagName)) continue;
      // An icon is a ligature in an icon font: its letters are never read.
      if (getComputedStyle(element).fontFamily.includes('Material Symbols')) continue;
      if (element.closest('.katex')) continue; // subscripts, and the same formula for screen readers
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (size < smallest) found.push(`${element.tagName} ${size}: ${element.textContent.slice(0, 40)}`);
    }
  };
  look(document);
  return found;
}"""


def address(name: str) -> str:
    return "/" if name == "home" else f"/{name}"


def settle(page: Page) -> None:
    """Wait until the main picture stands and nothing has moved for a moment."""
    appears(page, ".st-key-picture")
    page.wait_for_function(DRAWN, timeout=30_000)

    def picture() -> dict | None:
        box = page.locator(".st-key-picture").bounding_box()
        return box if box and box["height"] > 100 else None

    still(page, picture, quiet=120)


def assert_in_view(page: Page, *selectors: str) -> None:
    """Parts of the page stand whole on a projector of 1280x720."""
    for selector in selectors:
        box = page.locator(selector).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 720, (selector, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= 1280, (selector, box)


def assert_legible(page: Page) -> None:
    """Nothing has gone wrong, and no letter on the page is small."""
    assert page.locator(".st-key-problem").count() == 0
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.evaluate(SMALL_TEXT, SMALLEST) == []


# In the light; the pictures in the dark are looked at in presenter mode, see test_present.py, and every
# other view in test_every_view.py.
def test_each_page_fits_the_projector_and_a_phone_and_can_be_read(open_page):
    page = open_page("/")
    links = page.locator("[data-testid=stSidebar] a")
    expect(links).to_have_text([p.title for p in pages()])  # the sidebar is the app's own
    for name in NAMES:
        with at(name):
            if name != "home":
                follow(page, f"{address(name)}?{urlencode(QUICK.get(name, {}))}")
            settle(page)
            assert_in_view(page, "h1", ".rb-caption", ".st-key-picture")
            assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
            assert_legible(page)
            stand(page)  # nothing is being written
            assert axe.check(page) == []
            assert narrow_screens(page, (PHONE,)) == {}
