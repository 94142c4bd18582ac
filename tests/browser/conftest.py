"""The real app in real headless Chromium, with everything outside the app refused and counted."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from explorer.room.database import VARIABLE
from explorer.workers.processes import free_port
from tests.browser.alone import bare_page
from tests.browser.waiting import appears, prepare

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
SIZE = ViewportSize(width=1280, height=720)
LOCAL = ("data", "blob", "about")  # addresses that no network is needed for


def leaves(url: str, server: str) -> bool:
    """Whether a request for this address goes to anybody but the server."""
    address = urlsplit(url)
    return address.scheme not in LOCAL and address.netloc != urlsplit(server).netloc


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What holds for all of this folder: more time than a plain test, and one worker for each file."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not item.get_closest_marker("timeout"):
                item.add_marker(pytest.mark.timeout(600))
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is. Without one the tests are skipped, or fail where CI=true."""
    # The shell has no window to draw and takes a tenth less of the processor.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    reason = "no Chromium found; on Debian: apt-get install chromium"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


# UMAP's compiled functions are kept between servers, as they are between a user's starts.
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))

# Asks this computer itself, whatever proxy a test sets: `urlopen` keeps the first proxies that it meets.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def start_server(
    home: Path,
    root: Path = ROOT,
    script: str = "app.py",
    arguments: Sequence[str] = (),
    cache: Path = CACHE,
    port: int = 0,
    rooms: Path | None = None,
    module: str = "streamlit",
) -> tuple[subprocess.Popen, str]:
    """Start the app of a folder on a free port, with an empty home; returns once it answers health."""
    port = port or free_port()
    log = (home / "server.log").open("w")
    command = [sys.executable, "-m", module, "run", script]
    command += ["--server.headless", "true", "--server.port", str(port), *arguments]
    keep = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT")}
    environment = keep | {"HOME": str(home), "HF_HUB_OFFLINE": "1", "XDG_CACHE_HOME": str(cache)}
    if rooms is not None:
        environment[VARIABLE] = str(rooms)
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
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and process.poll() is None:
        try:
            DIRECT.open(f"{url}/_stcore/health", timeout=5)
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


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Path:
    """The file of the rooms of that server."""
    return tmp_path_factory.getbasetemp().parent / f"rooms-{testrun_uid}.sqlite"


@pytest.fixture(scope="session")
def server(
    chromium: str, tmp_path_factory: pytest.TempPathFactory, testrun_uid: str, rooms: Path
) -> Iterator[str]:
    """The address of one server for all browser tests, which xdist's workers share.

    The worker that asks first starts it, the one that ends last stops it, and reads what it has logged.
    """
    users = tmp_path_factory.getbasetemp().parent / f"server-{testrun_uid}.json"
    with FileLock(users.with_suffix(".lock")):
        if users.exists():
            url, pid, log, count = json.loads(users.read_text())
        else:
            home = tmp_path_factory.mktemp("home")
            process, url = start_server(home, rooms=rooms)
            pid, log, count = process.pid, str(home / "server.log"), 0
        users.write_text(json.dumps([url, pid, log, count + 1]))
    yield url
    with FileLock(users.with_suffix(".lock")):
        url, pid, log, count = json.loads(users.read_text())
        users.write_text(json.dumps([url, pid, log, count - 1]))
        if count == 1:
            written = Path(log).read_text(encoding="utf-8")  # not how it ends
            os.kill(pid, signal.SIGTERM)
            users.unlink()
            assert "Traceback" not in written, written  # an error that no test has seen


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = prepare(playwright.chromium.launch(executable_path=chromium, args=QUIET))
        yield browser
        browser.close()


@pytest.fixture
def bare(browser: Browser) -> Iterator[Page]:
    """A page with an empty root, 800 px wide."""
    with bare_page(browser, ViewportSize(width=900, height=600)) as page:
        yield page


@dataclass(eq=False)
class Tabs:
    """A colour scheme's context, the same for all tests, and those of its tabs that no test has.

    Its cache holds Streamlit's own scripts, and a tab that goes on to another address keeps the process
    that has read them: a new tab costs the processor twice as much.
    """

    context: BrowserContext
    scheme: Literal["light", "dark"]
    free: list[Page] = field(default_factory=list)
    used: dict[Page, int] = field(default_factory=dict)

    def take(self) -> Page:
        """A tab of 1280x720, with the pointer in its corner and the wishes of a system that has none."""
        page = self.free.pop() if self.free else self.context.new_page()
        self.used[page] = self.used.get(page, 0) + 1
        page.set_viewport_size(SIZE)
        page.emulate_media(color_scheme=self.scheme, reduced_motion="no-preference", forced_colors="none")
        page.mouse.move(0, 0)
        return page

    def give_back(self, page: Page, resting: str) -> None:
        """The tab leaves the app for an address of the same site, and what it kept, such as a room or the
        answers of a course, is gone.

        One that cannot leave, or is old, is closed.
        """
        if self.used[page] >= OLD:
            page.close()
            return
        try:
            page.goto(resting, timeout=5_000)
            page.unroute_all()
            page.evaluate("sessionStorage.clear(), localStorage.clear()")
        except PlaywrightError:
            page.close()
        else:
            self.free.append(page)


OLD = 25  # tests after which a tab is closed: a new one costs more, and an old one holds more memory


@pytest.fixture(scope="session")
def tabs_of(browser: Browser) -> Iterator[Callable[[str], Tabs]]:
    """The tabs of a colour scheme."""
    found: dict[str, Tabs] = {}

    def tabs(scheme: str) -> Tabs:
        if scheme not in found:
            found[scheme] = Tabs(browser.new_context(viewport=SIZE, color_scheme=scheme), scheme)
        return found[scheme]

    yield tabs
    for each in found.values():
        each.context.close()


LONGEST_NOTE = 1500  # characters
STATES = ("script", "connection")  # that Streamlit writes on its page
OPENED = pytest.StashKey[list[Page]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A failure tells what its pages showed, as far as they still answer."""
    try:
        return (yield)
    except Exception as error:
        for page in item.stash.get(OPENED, []):
            with suppress(PlaywrightError):
                app = page.locator(".stApp")  # a locator gives up, where `evaluate` waits for ever
                states = [app.get_attribute(f"data-test-{name}-state", timeout=2_000) for name in STATES]
                shown = app.inner_text(timeout=2_000)[:LONGEST_NOTE]
                error.add_note(f"{page.url}, {', '.join(map(str, states))}, showed: {shown}")
        raise


@pytest.fixture
def open_page(request, tabs_of, server: str) -> Iterator[Callable[..., Page]]:
    """open_page("/masked", scheme="dark") -> a page of 1280x720 that may reach the app alone.

    After the test, no request may have tried to leave the app and no script may have failed.
    """
    taken: list[tuple[Tabs, Page]] = []
    outside, failures = [], []

    def note(request) -> None:
        # Watched, not intercepted: a request that waits for Python's leave makes every page slow.
        if leaves(request.url, server):
            outside.append(request.url)

    def failed(error) -> None:
        failures.append(str(error))

    def open_(path: str, scheme: str = "light", wait_for: str = "h1") -> Page:
        tabs = tabs_of(scheme)
        if tabs not in [held for held, _ in taken]:
            tabs.context.on("request", note)
        page = tabs.take()
        taken.append((tabs, page))
        request.node.stash.setdefault(OPENED, []).append(page)
        page.on("pageerror", failed)
        page.goto(server + path)
        appears(page, wait_for)
        return page

    yield open_
    request.node.stash[OPENED] = []  # a second try has pages of its own
    for tabs, page in taken:
        page.remove_listener("pageerror", failed)
        tabs.give_back(page, f"{server}/_stcore/health")
    for tabs in {tabs for tabs, _ in taken}:
        tabs.context.remove_listener("request", note)
        for page in tabs.context.pages:
            if page not in tabs.free:  # a test has opened it by itself
                page.close()
    assert outside == [], "requests tried to leave the app"
    assert failures == [], "scripts failed in the page"
