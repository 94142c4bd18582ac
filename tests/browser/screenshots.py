"""Take the pictures of the README and of the tour: `python -m tests.browser.screenshots [NAME ...]`.

Those of the README are in assets/screenshots, the tour's others in docs/pictures, which no package holds.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, SIZE
from tests.browser.running import running_app

README, TOUR = ROOT / "assets" / "screenshots", ROOT / "docs" / "pictures"
SHOTS = {
    "home-light": (README, ""),
    "attention-light": (README, "attention"),
    "senses-light": (README, "senses"),
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
    "probing-light": (TOUR, "probing?view=sentence"),
    "models-dark": (TOUR, "models?model=gpt&view=written"),
}
COLOURS = 256  # a third of the bytes, and nobody sees it


def main(names: list[str]) -> None:
    """The pages as they open; all of them, or those named."""
    with running_app() as app:
        for name in names or SHOTS:
            folder, address = SHOTS[name]
            folder.mkdir(exist_ok=True)
            page = app.browser.new_page(viewport=SIZE, color_scheme=name.rpartition("-")[2])
            page.goto(f"{app.url}/{address}")
            _take(page, folder / f"{name}.png")
            page.close()


def _take(page: Page, path: Path) -> None:
    """Write what a page shows once nothing in it is being computed."""
    page.wait_for_selector(".st-key-picture", timeout=60_000)
    page.wait_for_timeout(5000)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=120_000)  # still writing
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
