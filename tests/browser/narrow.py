"""What a narrow screen does to a page: it scrolls sideways, letters are small, texts are cut or overlap.

A text is cut if part of it lies outside a box that hides what overflows, an SVG's box among them, unless a
tap shows it whole. A text that a scroller of its own brings into sight is not cut; the scroller must have an
edge that can be seen.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
SMALLEST = 12  # px, on a phone
TAPS = 12  # cut texts of a view that are tapped
OPENED, OPENS_MS = "([place, before]) => window.narrow.whole(place) > before", 20_000


def bring(page: Page) -> None:
    """Bring the script to the page if it is not there."""
    if not page.evaluate("Boolean(window.narrow)"):
        page.evaluate(SCRIPT)


def _ask(page: Page, question: str, value: int = 0) -> Any:
    """Call one of the script's functions."""
    bring(page)
    return page.evaluate(f"(value) => window.narrow.{question}(value)", value)


def look(page: Page) -> dict[str, list[str]]:
    """What is wrong at the present width, by its kind."""
    return {kind: findings for kind, findings in _ask(page, "look", SMALLEST).items() if findings}


def opened_by_tap(page: Page) -> set[str]:
    """The cut texts that a tap shows whole.

    Taps change what is locked, so this is the last look at a view.
    """
    session, opened = page.context.new_cdp_session(page), set()
    for place, name in enumerate(_ask(page, "mark")[:TAPS]):
        before = _ask(page, "whole", place)
        x, y = _ask(page, "place", place)
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        with suppress(PlaywrightTimeout):  # nothing opens
            page.wait_for_function(OPENED, arg=[place, before], timeout=OPENS_MS)
            opened.add(name)
        page.keyboard.press("Escape")
    session.detach()
    return opened
