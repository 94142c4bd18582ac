"""One's own text in Chromium: read, refused where it is huge, kept apart, and gone with its visitor."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import ROOT, start_server
from tests.browser.waiting import appears, expect

SECRET = "zanzibarquay"
CHOOSE = "[data-testid=stFileUploaderDropzoneInput]"


def open_dialog(page: Page) -> None:
    page.get_by_role("button", name="Your own text").click()
    expect(page.locator("[data-testid=stFileUploaderDropzone]")).to_be_visible()


def paste(page: Page, text: str) -> None:
    open_dialog(page)
    page.get_by_label("Or paste text").fill(text)
    page.get_by_role("button", name="Use this text").click()
    expect(page.locator(".st-key-own-drawn")).to_be_visible()


def shows(page: Page, text: str) -> bool:
    """Whether a text stands anywhere in a page, to be seen or heard, in components too."""
    return any(
        page.locator(each).count() for each in (f"text={text}", f"[aria-label*={text}], [title*={text}]")
    )


def large_file(path: Path, size: int) -> Path:
    """A text of about so many bytes, of made-up words and a bank now and then."""
    rng = random.Random(0)
    words = [a + b + c for a in "bdfglmprst" for b in ("a", "e", "oo") for c in ("nd", "ll", "st", "ck")]
    page = ""
    for _ in range(4000):
        sentence = " ".join(rng.choices(words, k=11)) + (" by the bank" if rng.random() < 0.05 else "")
        page += sentence.capitalize() + ". "
    with path.open("w", encoding="utf-8") as file:
        while file.tell() + len(page) < size:
            file.write(page)
            file.write(f"The bank number {file.tell()} is shut.\n")
    return path


# Notes the texts that bars show, however short.
NOTE_CHANGES = """() => {
  window.changes = new Set();
  const bars = () => document.querySelectorAll("[data-testid=stDialog] [data-testid=stProgress]");
  const note = () => bars().forEach((bar) => window.changes.add(bar.textContent));
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.slow
def test_a_large_file_is_read_with_a_bar_that_moves(open_page, tmp_path):
    page = open_page("/senses", wait_for=".dot")
    open_dialog(page)
    page.evaluate(NOTE_CHANGES)
    page.locator(CHOOSE).set_input_files(large_file(tmp_path / "large.txt", 4_500_000))
    expect(page.locator(".st-key-own-drawn")).to_contain_text("drawn at random, seed 0")
    expect(page.locator(".dot")).to_have_count(60)
    expect(page.locator(".st-key-own-whose")).to_contain_text("large.txt")
    assert len([text for text in page.evaluate("[...window.changes]") if "MB read" in text]) > 3, "it moves"


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(open_page, tmp_path):
    page = open_page("/senses", wait_for=".dot")
    requests = []
    page.on("request", lambda request: requests.append(request.url) if "upload_file" in request.url else None)
    open_dialog(page)
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(500_000_000)
    page.locator(CHOOSE).set_input_files(huge)
    expect(page.locator("[data-testid=stDialog]")).to_contain_text("File must be 5.0MB or smaller")
    assert requests == []
    (tmp_path / "small.csv").write_bytes(b"")
    page.locator(CHOOSE).set_input_files(tmp_path / "small.csv")
    expect(page.locator("[data-testid=stDialog] .st-key-problem")).to_contain_text("small.csv is empty")
    assert requests, "and a small one is sent"


@pytest.fixture
def private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: str
) -> Iterator[tuple[str, Path, Path]]:
    """A server of its own, soon sure that a visitor is gone: its address, log, and temporary folder."""
    root, temporary = tmp_path / "app", tmp_path / "tmp"
    for folder in (root, temporary):
        folder.mkdir()
    for name in (".streamlit", "assets", "explorer", "pages"):
        (root / name).symlink_to(ROOT / name)
    soon = "from explorer.server import visitors\n\nvisitors.GRACE_S = 1.0\n\n"
    (root / "app.py").write_text(soon + (ROOT / "app.py").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("TMPDIR", str(temporary))
    process, url = start_server(tmp_path, root)
    yield url, tmp_path / "server.log", temporary
    process.terminate()
    process.wait(60)


def on_disk(temporary: Path) -> list[Path]:
    """The temporary files with the secret."""
    return [path for path in temporary.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


@pytest.mark.slow
def test_two_visitors_are_kept_apart_and_leave_nothing_behind(browser: Browser, private):
    url, log, temporary = private
    one, two = browser.new_context(), browser.new_context()
    first, second = one.new_page(), two.new_page()
    for page in (first, second):
        page.goto(f"{url}/senses")
        appears(page, ".dot")
    hostile = "</script><script>document.title='x'</script>"
    paste(first, f"The bank at {SECRET} is shut. A bank {hostile} by the {SECRET}. Our bank.")
    paste(second, "Her bank is open. His bank is not.")
    expect(first.locator(".st-key-own-drawn")).to_contain_text("All 3")
    expect(second.locator(".st-key-own-drawn")).to_contain_text("Both")
    expect(first.locator(".dot")).to_have_count(3)
    expect(second.locator(".dot")).to_have_count(2)
    first.locator(".dot .hit").first.click()
    expect(first.locator(".row").first).to_be_visible()
    first.wait_for_url("**locked=*")
    for page in (first, second):
        assert SECRET not in page.url and "document.title" not in page.url
    assert first.title() == second.title() and shows(first, SECRET)
    assert not shows(second, SECRET)
    assert on_disk(temporary) == []

    third = two.new_page()
    third.goto(first.url)  # the first visitor's link, in another hand
    expect(third.locator(".st-key-problem")).to_contain_text("which links do not carry")
    assert not shows(third, SECRET)

    one.close()  # the first visitor leaves
    second.get_by_role("button", name="delete").click()
    expect(second.get_by_label("Sentences, one per line")).to_be_visible()
    assert on_disk(temporary) == []
    said = log.read_text()
    assert SECRET not in said and "Traceback" not in said
    two.close()
