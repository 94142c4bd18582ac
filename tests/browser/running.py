"""The app and a Chromium for the commands that look at it by themselves."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import QUIET, start_server
from tests.browser.long_words import LONG
from tests.browser.waiting import prepare

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


class App(NamedTuple):
    """A server with an empty home: its address, its log and its file of rooms, and a browser for it."""

    url: str
    log: Path
    rooms: Path
    browser: Browser


@contextmanager
def running_app(language: str = "") -> Iterator[App]:
    """Start the app and Chromium, for a language or for long words; both are ended afterwards."""
    module = "tests.browser.long_words" if language == LONG else "streamlit"
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        rooms = Path(home) / "rooms.sqlite"
        process, url = start_server(Path(home), rooms=rooms, module=module)
        browser = prepare(playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET))
        try:
            yield App(url, Path(home) / "server.log", rooms, browser)
        finally:
            browser.close()
            process.terminate()
            process.wait(60)
