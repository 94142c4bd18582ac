"""What a page is on a projector of 1280x720: its letters can be read, and what it is about is in view."""

from playwright.sync_api import Page

from explorer.views.look.theme import SMALLEST
from tests.browser.conftest import SIZE

SMALL_LETTERS = """(smallest) => {
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


def problems(page: Page) -> list[str]:
    """What the page says has gone wrong."""
    return page.locator("[data-testid=stException], .st-key-problem").all_inner_texts()


def small_letters(page: Page) -> list[str]:
    """The texts whose letters are too small, each with its size."""
    found: list[str] = page.evaluate(SMALL_LETTERS, SMALLEST)
    return found


def outside(page: Page, *selectors: str) -> list[str]:
    """Which of these parts does not stand whole in the window, and where it stands."""
    boxes = {selector: page.locator(selector).first.bounding_box() for selector in selectors}
    return [
        f"{selector}: {box}"
        for selector, box in boxes.items()
        if box is None
        or min(box["x"], box["y"]) < 0
        or box["x"] + box["width"] > SIZE["width"]
        or box["y"] + box["height"] > SIZE["height"]
    ]


def assert_in_view(page: Page, *selectors: str) -> None:
    assert outside(page, *selectors) == []


def assert_legible(page: Page) -> None:
    """Nothing has gone wrong, and no letter on the page is small."""
    assert problems(page) == []
    assert small_letters(page) == []
