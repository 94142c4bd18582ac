"""What a test waits for instead of a length of time: that the app is idle and nothing moves any more."""

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

LOOK_MS = 40  # between two looks
IDLE = ".stApp[data-test-script-state='notRunning']"


def still(page: Page, look: Callable[[], Any], quiet: int = 400, longest: float = 30) -> None:
    """Wait until the app has been idle and `look` has given the same for so many milliseconds on end.

    What a click sets going begins within these milliseconds. A look that gives None has seen nothing yet.
    """
    deadline, before, since = time.monotonic() + longest, None, time.monotonic()
    while time.monotonic() - since < quiet / 1000:
        here = look() if page.locator(IDLE).count() else None
        now = time.monotonic()
        assert now < deadline, f"it still moves: {before}, then {here}"
        if here is None or here != before:
            before, since = here, now
        page.wait_for_timeout(LOOK_MS)
