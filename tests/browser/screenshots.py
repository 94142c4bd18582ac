"""Take the README's pictures: `python -m tests.browser.screenshots` writes assets/screenshots/*.png."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import QUIET, ROOT, start_server

FOLDER = ROOT / "assets" / "screenshots"
SHOTS = (("attention", "light"), ("senses", "light"), ("masked", "light"), ("continuations", "dark"))


def main() -> None:
    """The pages as they open, at the size of a projector."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        process, url = start_server(Path(home))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or "/usr/bin/chromium", args=QUIET
        )
        try:
            for name, scheme in SHOTS:
                page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
                page.goto(f"{url}/{name}")
                page.wait_for_selector(".st-key-picture", timeout=60_000)
                page.wait_for_timeout(5000)
                expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=120_000)  # still writing
                page.screenshot(path=FOLDER / f"{name}-{scheme}.png")
                page.close()
        finally:
            browser.close()
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    main()
