"""Click at random without waiting: `python -m tests.browser.clicks --seed 1` prints what goes wrong.

A student in a hurry presses the next button before the last one has been answered. Here a browser opens one
view after another, and presses, types and goes back in each at a pace of its own. Afterwards the page has to
come to rest without an error, and so has the server's log; a message about what was typed is none. A seed
gives the same presses, but not the same moments.
"""

import random
import re
import sys
import time
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page
from streamlit.logger import set_log_level

from tests.browser.conftest import SIZE
from tests.browser.running import App, running_app
from tests.browser.sweep import paths
from tests.browser.waiting import IDLE, PARTS_OF, appears, follow
from tests.command import parser, size

FEWEST, MOST = 8, 25  # presses in a view
PAUSES_MS = (5, 20, 60, 150, 400)
STOP = ".turn:text('Stop')"
KEYS = ("ArrowRight", "ArrowLeft", "ArrowDown", "Home", "End", "x", "Enter", "Control+Enter")
BACK, KEY = 0.05, 0.15  # how often the browser goes back after a press, and how often a key follows
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# Keeps what can be pressed, and returns how much that is. What is open above the page counts twice.
COLLECT = (
    "() => {"
    + PARTS_OF
    + """
  const pressed = "button, [role=radio], [role=button], [role=slider], [role=option], input, textarea,"
    + " summary, .chip, .cell, .row, .dot, .word";
  const above = "[data-testid=stPopoverBody] button, [role=option], [role=dialog] button";
  const page = partsOf(document.querySelector("[data-testid=stMain]")).filter((e) => e.matches(pressed));
  const over = [...document.querySelectorAll(above)];
  window.targets = [...page, ...over, ...over].filter((e) => e.getClientRects().length && !e.disabled);
  return window.targets.length;
}"""
)
# Presses one of them: its name, and whether it takes keys; null for what leaves the view or fetches a file.
PRESS = """(number) => {
  const target = window.targets[number];
  const name = (target.ariaLabel || target.textContent || target.tagName).trim().slice(0, 40);
  if (/save|download|present|load it/i.test(name)) return null;
  target.scrollIntoView({ block: "nearest" });
  const typed = target.matches("input, textarea, [role=slider]");
  if (typed) target.focus();
  else {
    for (const kind of ["pointerdown", "pointerup"])
      target.dispatchEvent(new PointerEvent(kind, { bubbles: true, composed: true }));
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
  }
  return { name, typed };
}"""


class Log:
    """What the server has written since it was last read."""

    def __init__(self, path: Path) -> None:
        self.path, self.read = path, 0

    def errors(self) -> list[str]:
        """The new text, if there is a traceback in it."""
        text = self.path.read_text(errors="replace")
        new, self.read = COLOURS.sub("", text[self.read :]), len(text)
        return [new] if "Traceback" in new else []


def open_app(app: App, errors: list[str]) -> Page:
    """A new tab with the app, which adds what its scripts throw to `errors`."""
    page = app.browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(app.url)
    appears(page, "h1")
    return page


def click_through(page: Page, path: str, chance: random.Random, trail: list[str]) -> None:
    """Press what there is in a view, without waiting; what was pressed is added to `trail`."""
    follow(page, f"/{path}")
    for _ in range(chance.randint(FEWEST, MOST)):
        if count := page.evaluate(COLLECT):
            target = page.evaluate(PRESS, chance.randrange(count))
            if target:
                trail.append(target["name"])
            if target and (target["typed"] or chance.random() < KEY):
                trail.append(chance.choice(KEYS))
                page.keyboard.press(trail[-1])
        if "Back" not in trail and chance.random() < BACK:  # twice would leave the app
            trail.append("Back")
            page.evaluate("history.back()")
        page.wait_for_timeout(chance.choice(PAUSES_MS))
    page.keyboard.press("Escape")
    if (stop := page.locator(STOP)).count():  # a training may go on for minutes
        stop.first.click()
    appears(page, IDLE)


def main() -> int:
    """Click for some minutes; returns 1 if something went wrong."""
    set_log_level("ERROR")
    p = parser("tests.browser.clicks", __doc__)
    p.add_argument("--minutes", type=float, default=5)
    p.add_argument("--seed", type=int, default=0)
    options = p.parse_args()
    chance, until = random.Random(options.seed), time.monotonic() + size(60, 0) * options.minutes
    views = [path for page in paths().values() for path in page]
    opened = wrong = 0
    with running_app() as app:
        log, errors = Log(app.log), list[str]()
        page = open_app(app, errors)
        while not opened or time.monotonic() < until:
            opened += 1
            trail = [chance.choice(views)]
            try:
                click_through(page, trail[0], chance, trail)
                errors += page.locator("[data-testid=stException]").all_inner_texts()
            except (AssertionError, PlaywrightError) as error:
                errors.append(str(error).partition("\n")[0])
                page.close()
                page = open_app(app, errors)
            if findings := [*errors, *log.errors()]:
                wrong += 1
                print(" > ".join(trail), *findings, sep="\n  ", flush=True)
            errors.clear()
    print(f"{wrong} of {opened} views that were clicked through have gone wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
