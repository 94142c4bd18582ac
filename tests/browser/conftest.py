"""The real app in real headless Chromium, with everything outside the app refused and counted."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).parents[2]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
]
LOCAL = ("data", "blob", "about")  # addresses that no network is needed for
expect.set_options(timeout=30_000)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What holds for all of this folder: more time than a plain test, one server and one Chromium, two tries.

    A browser on a busy machine now and then answers late. What fails twice is wrong; what failed once
    is listed as RERUN at the end of the run, to be looked into.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(180))
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is. Without one the tests are skipped, or fail where CI=true."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    reason = "no Chromium found; on Debian: apt-get install chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(
    home: Path, root: Path = ROOT, script: str = "app.py", arguments: Sequence[str] = ()
) -> tuple[subprocess.Popen, str]:
    """Start the app of a folder on a free port, with an empty home; returns once it answers health."""
    port = free_port()
    log = (home / "server.log").open("w")
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += ["--server.headless", "true", "--server.port", str(port), *arguments]
    keep = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT")}
    environment = keep | {"HOME": str(home), "HF_HUB_OFFLINE": "1", "XDG_CACHE_HOME": str(CACHE)}
    process = subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        preexec_fn=_few_files,
    )
    url = f"http://localhost:{port}"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
            return process, url
        except OSError:
            time.sleep(0.05)
    process.kill()
    pytest.fail("the app did not start:\n" + (home / "server.log").read_text())


def _few_files() -> None:
    """What macOS gives a program: a server that does not ask for more loses its visitors."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))


# UMAP's compiled functions are kept between servers, as they are between a user's starts.
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


@pytest.fixture(scope="session")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server for all browser tests."""
    process, url = start_server(tmp_path_factory.mktemp("home"))
    yield url
    process.terminate()
    process.wait(30)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context_of(browser: Browser) -> Iterator[Callable[[str], BrowserContext]]:
    """The context of a colour scheme, the same for all tests: its cache holds Streamlit's own scripts."""
    found: dict[str, BrowserContext] = {}

    def context(scheme: str) -> BrowserContext:
        if scheme not in found:
            viewport = ViewportSize(width=1280, height=720)
            found[scheme] = browser.new_context(viewport=viewport, color_scheme=scheme)
        return found[scheme]

    yield context
    for each in found.values():
        each.close()


@pytest.fixture
def open_page(context_of, server: str) -> Iterator[Callable[..., Page]]:
    """open_page("/masked", scheme="dark") -> a page of 1280x720 that may reach the app alone.

    After the test, no request may have tried to leave the app and no script may have failed.
    """
    contexts, outside, failures = [], [], []

    def note(request) -> None:
        # Watched, not intercepted: a request that waits for Python's leave makes every page slow.
        address = urlsplit(request.url)
        if address.scheme not in LOCAL and address.netloc != urlsplit(server).netloc:
            outside.append(request.url)

    def open_(path: str, scheme: str = "light", wait_for: str = "h1") -> Page:
        context = context_of(scheme)
        if context not in contexts:
            context.on("request", note)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(server + path)
        page.wait_for_selector(wait_for, timeout=30_000)
        return page

    yield open_
    for context in contexts:
        context.remove_listener("request", note)
        for page in context.pages:
            page.close()
    assert outside == [], "requests tried to leave the app"
    assert failures == [], "scripts failed in the page"
