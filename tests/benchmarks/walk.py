"""From an arrow key to the next step's picture, in real Chromium: `python -m tests.benchmarks.walk`.

The Transformer page on one fresh server, warm, one visitor. An arrow key is timed until the step is
painted; a click on a number and a new sentence, as in `latency`, until the picture last changes.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.latency import SENTENCE, by_enter, measure, report, sentences
from tests.browser.conftest import QUIET, start_server

GOAL_MS = 300
ROUNDS = 5  # walks from the first step to the last

# The frame after the next one has what this one was told to draw.
STEP = """(key) => new Promise((done) => {
  const roots = (where) => [...where.querySelectorAll('*')].flatMap(
    (e) => e.shadowRoot ? [e.shadowRoot, ...roots(e.shadowRoot)] : []);
  const main = [document, ...roots(document)].map((r) => r.querySelector('.main')).find(Boolean);
  const begun = performance.now();
  main.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
})"""


def steps(page: Page) -> list[float]:
    """Milliseconds for each step of some walks there and back."""
    count = page.locator(".stop").count() - 1
    keys = [key for _ in range(ROUNDS) for key in ("ArrowRight", "ArrowLeft") for _ in range(count)]
    return [page.evaluate(STEP, key) for key in keys]


def clicks(page: Page) -> list[float]:
    """Milliseconds from a click on a weight, as the server gets it, to the last change of the picture."""
    page.goto(page.url.partition("?")[0] + "?step=softmax")
    page.wait_for_selector(".numbers")
    page.wait_for_timeout(2000)
    canvas = page.locator(".item.attention canvas")
    box = canvas.bounding_box()

    def click(page: Page, number: str) -> None:
        canvas.click(position={"x": box["width"] * (0.5 + int(number) % 9) / 9, "y": 10})

    return measure(page, [str(number) for number in range(20)], click)


def main() -> None:
    """Measure on one fresh server."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        process, url = start_server(Path(home))
        browser = playwright.chromium.launch(args=QUIET, executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        try:
            page.goto(f"{url}/transformer")
            page.wait_for_selector(".stop", timeout=60_000)
            page.wait_for_timeout(4000)
            report("a step of the walk", steps(page), GOAL_MS)
            report("what made a number", clicks(page), GOAL_MS)
            page.goto(f"{url}/transformer?step=scores")
            page.wait_for_selector(".numbers")
            page.wait_for_timeout(2000)
            report("a new sentence", measure(page, sentences(SENTENCE), by_enter), GOAL_MS)
        finally:
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    main()
