"""What a test waits for instead of a length of time: that the app is idle and nothing moves any more.

And how it goes on to another address of the app without loading the app anew.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urljoin

from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect as once

LOOK_MS = 40  # between two looks
LONGEST_MS = 180_000  # a slow computer opens its first page in 30 s, and a busy one in 90
# Playwright looks five times in the first 0.3 s; then every 0.5 s where it is given 2.5 s or more, and every
# 0.1 s where it is given less. So it is given less, and asked again.
SPELL_MS = 2_400
IDLE = ".stApp[data-test-script-state='notRunning']"


# For scripts that look at every element, also within components.
PARTS_OF = """
  const partsOf = (root) =>
    [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? partsOf(e.shadowRoot) : [])]);"""

# Nothing fades in any more, in no component either: of what is in their roots the document knows nothing.
# What turns for ever may, and what follows the scroll bar.
RESTS = (
    "() => {"
    + PARTS_OF
    + """
  const roots = [document, ...partsOf(document).flatMap((part) => part.shadowRoot ?? [])];
  return roots.flatMap((root) => root.getAnimations()).every(({ playState, timeline, effect }) =>
    playState !== "running" || !(timeline instanceof DocumentTimeline)
    || effect.getComputedTiming().iterations === Infinity);
}"""
)

# Components load their scripts by themselves: one has drawn once there is something in its root.
DRAWN = """() => {
  const mounted = document.querySelectorAll('.st-key-picture [data-testid^=stBidiComponent]');
  return [...mounted].every((c) => {
    const roots = [c, ...c.querySelectorAll('*')].map((e) => e.shadowRoot || e);
    return roots.some((r) => [...r.querySelectorAll('.root')].some((root) => root.childNodes.length));
  });
}"""


def prepare(browser: Browser) -> Browser:
    """A browser whose pages are waited for as long as by `expect`."""
    browser.on("context", lambda context: context.set_default_timeout(LONGEST_MS))
    return browser


class Patient:
    """Playwright's assertions of one thing, each of which looks ten times a second until it holds."""

    def __init__(self, subject: Locator | Page) -> None:
        self.assertions = once(subject)

    def __getattr__(self, name: str) -> Callable[..., None]:
        def holds(*wanted: Any, timeout: float = LONGEST_MS, **settings: Any) -> None:
            __tracebackhide__ = True
            check = getattr(self.assertions, name)
            in_spells(lambda spell: check(*wanted, timeout=spell, **settings), timeout, AssertionError)

        return holds


def expect(subject: Locator | Page) -> Patient:
    """Playwright's `expect`, which waits a minute where no `timeout` (ms) is given, and looks more often."""
    return Patient(subject)


def appears(page: Page, selector: str, timeout: float = LONGEST_MS, **settings: Any) -> None:
    """Playwright's `wait_for_selector`, which looks more often."""
    in_spells(
        lambda spell: page.wait_for_selector(selector, timeout=spell, **settings), timeout, PlaywrightTimeout
    )


def in_spells(look: Callable[[float], Any], longest: float, missed: type[Exception]) -> None:
    """Look for a spell (ms) again and again, until nothing is `missed`, or `longest` (ms) is over."""
    __tracebackhide__ = True
    begun = time.monotonic()
    while True:
        left = longest - 1000 * (time.monotonic() - begun)
        try:
            look(max(1, min(SPELL_MS, left)))
            return
        except missed:
            if left <= SPELL_MS:
                raise


def still(page: Page, look: Callable[[], Any], quiet: int = 400, idle: str = IDLE) -> Any:
    """What `look` gives once the app has been idle and it has given the same for so many milliseconds on end.

    What a click sets going begins within these milliseconds, in which it is looked four times at least: a
    browser that is held up shows the same twice. A look that gives None has seen nothing yet. A page without
    the app has something else that says that it is `idle`.
    """
    deadline, before, since, same = time.monotonic() + LONGEST_MS / 1000, None, time.monotonic(), 0
    while same < 3 or time.monotonic() - since < quiet / 1000:
        here = look() if page.locator(idle).count() else None
        now = time.monotonic()
        assert now < deadline, f"it still moves: {before}, then {here}"
        same += 1
        if here is None or here != before:
            before, since, same = here, now, 0
        page.wait_for_timeout(LOOK_MS)
    return before


def becomes(page: Page, look: Callable[[], Any], wanted: Any) -> None:
    """Wait until `look` gives this: for what `expect` cannot ask."""
    deadline = time.monotonic() + LONGEST_MS / 1000
    while (here := look()) != wanted:
        assert time.monotonic() < deadline, f"{here}, not {wanted}"
        page.wait_for_timeout(LOOK_MS)


def settle(page: Page) -> None:
    """Wait until the main picture stands and nothing has moved for a moment."""
    appears(page, ".st-key-picture")
    page.wait_for_function(DRAWN, timeout=LONGEST_MS)

    def picture() -> dict | None:
        box = page.locator(".st-key-picture").bounding_box()
        return box if box and box["height"] > 60 else None  # a sentence alone has 88 px

    still(page, picture, quiet=120)


SCHEME = "getComputedStyle(document.documentElement).getPropertyValue('--rb-scheme')"


def wish_for(page: Page, scheme: Literal["light", "dark"]) -> None:
    """The system wishes for a colour scheme; returns once the page has its style."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"scheme => {SCHEME} === scheme", arg=scheme)


# The address changes as by Back and Forward: the app reads it and draws what it says. It is idle again
# once it has been busy.
FOLLOW = """to => new Promise((done) => {
  const app = document.querySelector(".stApp");
  let busy = false;
  setTimeout(() => busy || done(false), 3000);
  setTimeout(() => done(false), 60000);
  new MutationObserver((_, watch) => {
    const idle = app.dataset.testScriptState === "notRunning";
    busy ||= !idle;
    if (!busy || !idle) return;
    watch.disconnect();
    done(true);
  }).observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  dispatchEvent(new Event("change")); // as somebody does something
  history.pushState(null, "", to);
  dispatchEvent(new PopStateEvent("popstate"));
})"""


def follow(page: Page, path: str) -> None:
    """Go to another address of the app in the app that is open; returns once its script has run.

    A visit of this kind costs a fifth of one that loads the app: for tests that look at many pictures.
    Where nothing is seen to begin in 3 s, it is loaded anew: on a busy machine a quick script may begin and
    end between two pictures of the browser. One that was seen to begin is given a minute, for a page may load
    its models first.
    """
    still(page, lambda: page.url, quiet=150)  # the last script may yet set another one going
    if not page.evaluate(FOLLOW, path):
        page.goto(urljoin(page.url, path))


@contextmanager
def at(place: str) -> Iterator[None]:
    """Where a test stood that looks at several places, for whoever reads its failure."""
    try:
        yield
    except Exception as error:
        error.add_note(f"at {place}")
        raise
