"""Take the pictures of the README and of the tour: `python -m tests.browser.screenshots [NAME ...]`.

Those of the README are in assets/screenshots, the tour's others in docs/pictures, which no package holds. The
class of class-light answers what `ANSWERS` says.
"""

import io
import re
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, SIZE
from tests.browser.running import running_app
from tests.command import SMOKE, parser, size

README, TOUR = ROOT / "assets" / "screenshots", ROOT / "docs" / "pictures"
SHOTS = {
    "home-light": (README, ""),
    "attention-light": (README, "attention"),
    "senses-light": (README, "senses"),
    "class-light": (README, ""),
    "masked-light": (README, "masked"),
    "continuations-dark": (README, "continuations"),
    "vectors-light": (TOUR, "vectors?view=analogies"),
    "sides-light": (TOUR, "sides?view=bilm"),
    "tokens-light": (TOUR, "tokens"),
    "layer-light": (TOUR, "transformer?view=steps"),
    "translator-dark": (TOUR, "transformer?view=translator"),
    "heads-light": (TOUR, "heads?view=kinds"),
    "why-light": (TOUR, "why"),
    "finetuning-light": (TOUR, "finetuning?view=sentence"),
    "search-light": (TOUR, "search"),
    "probing-light": (TOUR, "probing?view=sentence"),
    "models-dark": (TOUR, "models?model=gpt&view=written"),
}
ANSWERS = {"money": 11, "cash": 3, "keys": 3, "tools": 2, "ladder": 1}
COLOURS = 256  # a third of the bytes, and nobody sees it


def main() -> None:
    """The pages as they open; all of them, or those named."""
    p = parser("tests.browser.screenshots", __doc__)
    p.add_argument("names", nargs="*", choices=[*SHOTS, []], metavar="NAME", help=", ".join(SHOTS))
    names = p.parse_args().names or list(SHOTS)[: size(None, 1)]
    with running_app() as app:
        for name in names:
            folder, address = SHOTS[name]
            folder.mkdir(exist_ok=True)
            page = app.browser.new_page(viewport=SIZE, color_scheme=name.rpartition("-")[2])
            page.goto(f"{app.url}/{address}")
            if name == "class-light":
                _let_a_class_answer(page, app.url)
            _take(page, folder / f"{name}.png")
            page.close()


def _let_a_class_answer(page: Page, url: str) -> None:
    """Open a room, ask what the page offers, answer it, and reveal the answers."""
    room = page.locator(".st-key-header-polls button").first
    body = page.locator("[data-testid=stPopoverBody]")
    page.wait_for_selector(".st-key-picture", timeout=60_000)
    room.click()
    page.get_by_role("button", name="Open a room").click()
    code = body.locator(".rb-code").inner_text()
    body.get_by_role("button", name="Ask: ").first.click()
    expect(page.get_by_role("button", name="Close", exact=True)).to_be_visible()
    with urlopen(f"{url}/join/{code}") as answer:
        question = re.search(r'name="question" value="(\d+)"', answer.read().decode())[1]
    for word in [word for word, count in ANSWERS.items() for _ in range(count)]:
        form = urlencode({"question": question, "answer": word}).encode()
        urlopen(Request(f"{url}/join/{code}", form, {"Accept": "application/json"})).close()
    for press in ("Close", "Reveal"):
        page.get_by_role("button", name=press, exact=True).click()
    expect(page.get_by_role("button", name="Put away")).to_be_visible()


def _take(page: Page, path: Path) -> None:
    """Write what a page shows once nothing in it is being computed."""
    page.wait_for_selector(".st-key-picture", timeout=60_000)
    page.wait_for_timeout(5000)
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_have_count(1, timeout=120_000)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=120_000)  # still writing
    if SMOKE:
        return
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main()
