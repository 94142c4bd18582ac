"""From an arrow key to the next step's picture, in real Chromium: `python -m tests.benchmarks.walk`.

The Transformer page on one fresh server, warm, one visitor. An arrow key is timed until the step is
painted; a click on a number and a new sentence, as in `latency`, until the picture last changes.
"""

from playwright.sync_api import Page

from tests.benchmarks.latency import SENTENCE, by_enter, measure, open_picture, report, sentences
from tests.browser.running import running_app
from tests.command import parser, size

PATH = "/transformer?view=steps"
GOAL_MS = 300
ROUNDS = size(5, 1)  # walks from the first step to the last

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
    canvas = page.locator(".item.attention canvas")
    box = canvas.bounding_box()

    def click(page: Page, number: str) -> None:
        canvas.click(position={"x": box["width"] * (0.5 + int(number) % 9) / 9, "y": 10})

    return measure(page, [str(number) for number in range(size(20, 1))], click)


def main() -> None:
    """Measure on one fresh server."""
    parser("tests.benchmarks.walk", __doc__).parse_args()
    with running_app() as app:
        report("a step of the walk", steps(open_picture(app, PATH, ".stop")), GOAL_MS)
        page = open_picture(app, f"{PATH}&step=softmax", ".numbers")
        report("what made a number", clicks(page), GOAL_MS)
        page = open_picture(app, f"{PATH}&step=scores", ".numbers")
        report("a new sentence", measure(page, sentences(SENTENCE), by_enter), GOAL_MS)


if __name__ == "__main__":
    main()
