"""What a test waits for instead of a length of time: that the app is idle and nothing moves any more.

And how it goes on to another address of the app without loading the app anew.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

LOOK_MS = 40  # between two looks
IDLE = ".stApp[data-test-script-state='notRunning']"


def still(
    page: Page, look: Callable[[], Any], quiet: int = 400, longest: float = 30, idle: str = IDLE
) -> None:
    """Wait until the app has been idle and `look` has given the same for so many milliseconds on end.

    What a click sets going begins within these milliseconds. A look that gives None has seen nothing yet.
    A page without the app has something else that says that it is `idle`.
    """
    deadline, before, since = time.monotonic() + longest, None, time.monotonic()
    while time.monotonic() - since < quiet / 1000:
        here = look() if page.locator(idle).count() else None
        now = time.monotonic()
        assert now < deadline, f"it still moves: {before}, then {here}"
        if here is None or here != before:
            before, since = here, now
        page.wait_for_timeout(LOOK_MS)


# The address changes as by Back and Forward: the app reads it and draws what it says. It is idle again
# once it has been busy.
FOLLOW = """to => new Promise((done) => {
  const app = document.querySelector(".stApp");
  let busy = false;
  new MutationObserver((_, watch) => {
    const idle = app.dataset.testScriptState === "notRunning";
    busy ||= !idle;
    if (!busy || !idle) return;
    watch.disconnect();
    done();
  }).observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  history.pushState(null, "", to);
  dispatchEvent(new PopStateEvent("popstate"));
})"""


def follow(page: Page, path: str) -> None:
    """Go to another address of the app in the app that is open; returns once its script has run.

    A visit of this kind costs a fifth of one that loads the app: for tests that look at many pictures.
    """
    page.wait_for_selector(IDLE)
    page.evaluate(FOLLOW, path)


@contextmanager
def at(place: str) -> Iterator[None]:
    """Where a test stood that looks at several places, for whoever reads its failure."""
    try:
        yield
    except Exception as error:
        error.add_note(f"at {place}")
        raise
