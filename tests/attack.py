"""Attack the app as a stranger's link and a hostile neighbour would: `python -m tests.attack`.

It prints what got through. In a real browser, with everything outside of it counted: texts that would be
scripts, in every text box of every view; hub names in every setting of every view's link. Then half-open
connections, and visitors who drop theirs. At the end the server answers, its log has no traceback and none
of the texts, and no script has run.
"""

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import quote, urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Request

from explorer.views.frame.view import settings_of
from tests.browser.clicks import Log, open_app
from tests.browser.conftest import leaves
from tests.browser.running import App, running_app
from tests.browser.sweep import paths
from tests.browser.waiting import IDLE, appears, follow
from tests.command import parser, size
from tests.loops import in_a_thread
from tests.streams import stream
from tests.views.frame.test_hints import PAGES

PAYLOADS = [
    "<script>attacked()</script>", "</script><script>attacked()</script>",
    "</style><img src=x onerror=attacked()>", "<img src=http://attacked.example/x onerror=attacked()>",
    "<svg onload=attacked()>", "<iframe srcdoc='<script>parent.attacked()</script>'>",
    "[a](javascript:attacked())", "![a](http://attacked.example/y)", "$\\href{javascript:attacked()}{x}$",
    "{{attacked()}} ${attacked()} %s %(x)s {0}", "'; DROP TABLE sentence; --", "../../../etc/passwd\x00",
    "\u202eevil\u2066 \ufffe \U000e0001", "a" * 3_000, "e" + "\u0301" * 500,
    ":material/home: :red[x] :blue-background[y]", "=HYPERLINK(“http://attacked.example”)", "[MASK]" * 40,
]  # fmt: skip
SECRET = "SECRET-OF-A-VISITOR"
HUB = "hub:attacked/example"
HALF_OPEN, DROPPED, VIEWS = size((600, 300, None), (6, 3, 1))
WATCH = "() => { window.attacked = () => { window.wasAttacked = true; }; }"
BOXES = "textarea, [data-testid=stMain] input[type=text]"


def type_everywhere(page: Page, path: str, turn: int) -> Iterator[str]:
    """Type into every text box of a view; what got through."""
    follow(page, f"/{path}")
    appears(page, IDLE, timeout=120_000)
    for number in range(page.locator(BOXES).count()):
        follow(page, f"/{path}")  # a name that is no model leaves no other box
        appears(page, IDLE, timeout=120_000)
        box = page.locator(BOXES).nth(number)
        if not box.count() or not box.is_visible() or not box.is_enabled():
            continue
        text = PAYLOADS[(turn + number) % len(PAYLOADS)] if number else f"{SECRET} " + " ".join(PAYLOADS)
        box.fill(text, timeout=10_000)
        box.press("Control+Enter", timeout=10_000)
        appears(page, IDLE, timeout=120_000)
    if page.evaluate("window.wasAttacked"):
        yield "a script ran"
    yield from page.locator("[data-testid=stException]").all_inner_texts()


def hub_links() -> Iterator[str]:
    """Every view with a model of the hub in every setting that is a text."""
    for page in PAGES:
        names = [str(each) for each in settings_of(page) if isinstance(each.default, str) and each != "view"]
        for view in page.views:
            yield f"{page.name}?view={view}&" + "&".join(f"{name}={quote(HUB)}" for name in names)


async def drop(url: str) -> None:
    """Open sessions and leave in the middle of their first run."""
    for _ in range(DROPPED):
        async with stream(url) as visitor:
            await visitor.send(b"\x5a\x00")  # run the start page


def crowd(app: App) -> None:
    """Half-open connections, with a browser that opens a page meanwhile."""
    host, port = urlsplit(app.url).hostname, urlsplit(app.url).port
    with ExitStack() as stack:
        for _ in range(HALF_OPEN):
            half = stack.enter_context(socket.create_connection((host, port), timeout=20))
            half.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        open_app(app, []).close()


def attack(app: App) -> Iterator[str]:
    """All attacks; what got through."""
    errors: list[str] = []
    outside: set[str] = set()
    log, page = Log(app.log), open_app(app, errors)

    def note(request: Request) -> None:
        if leaves(request.url, app.url):
            outside.add(request.url)

    page.context.on("request", note)
    page.evaluate(WATCH)
    views = [path for views in paths().values() for path in views]
    for turn, path in enumerate([*views, *hub_links()][:VIEWS]):
        try:
            yield from (f"{path}: {finding}" for finding in type_everywhere(page, path, turn))
        except (AssertionError, PlaywrightError) as error:
            yield f"{path}: {str(error).partition(chr(10))[0]}"
        yield from (f"{path}: {error}" for error in [*errors, *log.errors()])
        errors.clear()
    page.close()
    in_a_thread(drop(app.url))  # Playwright has a loop in this one
    crowd(app)
    yield from (f"a request left: {address}" for address in sorted(outside))
    yield from log.errors()
    if SECRET in app.log.read_text(errors="replace"):
        yield "a text is in the log"


def main() -> int:
    """Attack; returns 1 if something got through."""
    parser("tests.attack", __doc__).parse_args()
    through = 0
    with running_app() as app:
        for finding in attack(app):
            through += 1
            print(finding, flush=True)
    print(json.dumps({"got through": through}))
    return int(bool(through))


if __name__ == "__main__":
    sys.exit(main())
