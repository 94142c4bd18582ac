"""The app and a Chromium for the commands that look at it by themselves."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import QUIET, start_server

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


class App(NamedTuple):
    """A server with an empty home: its address and its log, and a browser for it."""

    url: str
    log: Path
    browser: Browser


@contextmanager
def running_app() -> Iterator[App]:
    """Start the app and Chromium; both are ended afterwards."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        process, url = start_server(Path(home))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            yield App(url, Path(home) / "server.log", browser)
        finally:
            browser.close()
            process.terminate()
            process.wait(10)
