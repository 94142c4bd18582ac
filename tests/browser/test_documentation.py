"""The documentation builds without a warning, asks no other computer for anything, and fits a phone."""

import html
import http.server
import importlib.util
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from explorer.views.frame import navigation
from explorer.views.frame.lecture import lecture
from explorer.views.look.theme import DARK, LIGHT
from tests.browser.conftest import LOCAL, ROOT
from tests.browser.waiting import at, becomes, expect

pytestmark = pytest.mark.slow
# What a browser loads by itself; an `a` with another site's address is only a link.
LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=[\"']?((?:\w+:)?//[^\"'\s>]*)")
LOADED_BY_STYLE = re.compile(r"(?:@import|url\()\s*[\"']?((?:https?:)?//[^\"')]*)")
QUICKLY = {"RIVERBANK_GALLERY": "1"}  # with one picture that moves
NOWHERE = {name: "http://127.0.0.1:9" for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")}
PAGES = ("", "tour/", "try-it/", "90-minutes/", "api/attention/")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The built site; `strict` in mkdocs.yml makes an error of every warning."""
    if importlib.util.find_spec("mkdocs") is None:
        reason = "no MkDocs: pip install -r docs/requirements.txt"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | NOWHERE | QUICKLY, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the built site answers."""
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_nothing_is_loaded_from_another_server(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not LOADED.findall(text), path
    for path in site.rglob("*.css"):
        assert not LOADED_BY_STYLE.findall(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("name", ["90-minutes", "five-pictures"])
def test_a_lecture_s_page_has_each_of_its_stops_with_its_notes(site, name):
    titles = {page.name: page.title for page in navigation.pages()}
    text = (ROOT / "assets" / "lectures" / f"{name}.md").read_text(encoding="utf-8")
    stops = [item for item in lecture.read(text, titles) if item.stop]
    page = html.unescape((site / name / "index.html").read_text(encoding="utf-8"))
    assert re.findall(r"<dt>\d+: <a href=[^>]*>(.*?)</a>", page) == [stop.text for stop in stops]
    for note in (note for stop in stops for note in stop.notes):
        assert note.split(": ", 1)[1] in page


def test_every_python_name_is_there_and_its_examples_are_code(site):
    pages = "".join(path.read_text(encoding="utf-8") for path in (site / "api").rglob("*.html"))
    for name in ("load", "available", "trace.Trace", "analysis.prediction.fill_mask", "notebook.heads"):
        assert f'id="explorer.{name}"' in pages
    assert pages.count('class="gp">&gt;&gt;&gt; ') > 100 and "<blockquote>" not in pages


@pytest.mark.parametrize(
    ("scheme", "ground", "names"), [("light", LIGHT.ground, PAGES), ("dark", DARK.ground, ("", "try-it/"))]
)
def test_pages_open_on_a_phone_without_any_other_server(browser: Browser, address, scheme, ground, names):
    faults: list[str] = []
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    ours = (address, *LOCAL)
    context.on("request", lambda asks: asks.url.startswith(ours) or faults.append(asks.url))
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: answer.status < 400 or faults.append(f"{answer.status} {answer.url}"))
    for name in names:
        page.goto(f"{address}{name}", wait_until="load")
        look = "[getComputedStyle(document.body).backgroundColor, document.documentElement.scrollWidth]"
        with at(name):
            becomes(page, partial(page.evaluate, look), [f"rgb{tuple(bytes.fromhex(ground[1:]))}", 390])
        pictures = page.locator("article img")
        assert all(pictures.evaluate_all("all => all.map((picture) => picture.naturalWidth)")), name
    page.goto(f"{address}try-it/")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".picture [id^=part-]").first).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", scheme)
    page.goto(address)
    page.locator("label[for=__search]").first.click()
    page.locator(".md-search__input").press_sequentially("wheelhouse")  # it listens to keys
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    context.close()
    assert faults == []
