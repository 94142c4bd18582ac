"""Walk through lectures on a projector: `python -m tests.browser.stage [LECTURE ...]` prints what is wrong.

A LECTURE is a file of assets/lectures without its ending; without one, all are walked that a teacher gives.
Each press of the clicker is looked at in each window of `--sizes`, without a room and then with one, in which
eight phones answer what they are asked. Is a part of the stage outside of the window, cut, over another, or
scrolled? Which letters are smaller than 16 px of 720? What is covered counts as well. And which words and
numbers does no class understand? `--shots FOLDER` keeps a picture of each step; `--language fr` walks in
another language of the interface, `--language long` in long words (`long_words.py`).
"""

import re
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page
from streamlit.logger import set_log_level

from explorer.locale import ENGLISH, _, language, use
from explorer.room.questions import Question
from explorer.room.store import Store
from explorer.views.frame.lecture.lecture_library import Ready, lectures
from tests.browser import narrow, projector
from tests.browser.conftest import DIRECT, SIZE
from tests.browser.jargon import jargon
from tests.browser.long_words import LONG, take_the_place_of_french
from tests.browser.running import running_app
from tests.browser.sweep import Findings, stand
from tests.browser.waiting import LONGEST_MS, appears, expect, settle
from tests.command import parser, size

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
Window = tuple[int, int]  # width and height, px
SIZES = ((1280, 720), (1024, 768), (1920, 1080))
SMALLEST = 16 / 720  # of the window's height
# What the phones write where they may write anything: more words than a stage shows.
WORDS = ("bank", "river", "bank", "hill", "road", "shore", "tree", "boat")
MOST_STEPS = 400
# A held key is swallowed and does nothing: so one can ask whether the page listens already.
LISTENS = """() => !window.dispatchEvent(
  new KeyboardEvent('keydown', { key: 'PageUp', repeat: true, cancelable: true })
)"""
STEP = "document.documentElement.dataset.rbStep"
# Whether the drop was taken: the script that takes it may come after the picture.
DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], "talk.md"));
  const told = { dataTransfer: data, bubbles: true, composed: true, cancelable: true };
  return !document.querySelector("[data-testid=stMain]").dispatchEvent(new DragEvent("drop", told));
}"""
# Where the picture and its letters are: fit_picture.js changes both once nothing else changes any more.
PARTS = "h1, .rb-question, " + ", ".join(f".st-key-{key}" for key in ("asked", "poll", "strip", "picture"))
PLACES = """parts => !document.documentElement.dataset.rbFitting && JSON.stringify(
  [...document.querySelectorAll(parts)]
    .map((e) => [e.getBoundingClientRect().toJSON(), e.currentCSSZoom, e.scrollHeight]))"""


class Step(NamedTuple):
    """What was seen of a stop after one press of the clicker, in one window."""

    stop: str
    state: str
    window: Window
    findings: Findings


def look(page: Page) -> Findings:
    """What is wrong on the stage that is open, by its kind."""
    narrow.bring(page)
    if not page.evaluate("Boolean(window.stage)"):
        page.evaluate(SCRIPT)
    seen = page.evaluate("share => window.stage(innerHeight * share)", SMALLEST)
    seen |= {"problem": projector.problems(page), "jargon": jargon(page) if language() == ENGLISH else []}
    return {kind: names for kind, names in seen.items() if names}


def rest(page: Page) -> None:
    """Wait until the stage stands, and its picture has the size at which it fits."""
    fitting = iter(range(10**9))  # while the picture is fitted, no look is like another
    stand(page, lambda: page.evaluate(PLACES, PARTS) or next(fitting), quiet=500)


def press(page: Page, key: str = "PageDown") -> None:
    """One press of the clicker; returns once it has been answered."""
    page.wait_for_function(LISTENS, timeout=LONGEST_MS)
    before = page.evaluate(STEP)
    page.keyboard.press(key)
    page.wait_for_function(f"before => {STEP} !== before", arg=before, timeout=LONGEST_MS)
    rest(page)


def is_last(page: Page) -> bool:
    """Whether the clicker leads no further."""
    return page.locator(".st-key-present-PageDown button:disabled").count() > 0


def open_lecture(page: Page, text: str) -> None:
    """Open a lecture, by its text, at its first stop, in an app that is open."""
    settle(page)
    page.wait_for_function(DROP, arg=text, timeout=LONGEST_MS)
    expect(page.locator(".st-key-lecture")).to_be_visible()
    page.get_by_role("button", name=_("Next"), exact=True).click()
    expect(page.locator(".st-key-lecture")).to_contain_text(re.compile(r"\b1\b"))
    settle(page)


def present(page: Page) -> None:
    """Enter presenter mode."""
    page.locator("h1").click()
    page.keyboard.press("p")
    page.wait_for_url("**present=1*", timeout=LONGEST_MS)
    page.wait_for_function("'rbStage' in document.documentElement.dataset", timeout=LONGEST_MS)
    rest(page)


def open_room(page: Page) -> str:
    """Open a room for the class, unless this tab has one; returns its code."""
    page.locator(".st-key-header-polls button").first.click()
    body = page.locator("[data-testid=stPopoverBody]")
    opening = body.get_by_role("button", name=_("Open a room"))
    expect(opening.or_(body.locator(".rb-code"))).to_be_visible()
    if opening.count():
        opening.click()
    code = body.locator(".rb-code").first.inner_text()
    page.keyboard.press("Escape")
    expect(body).to_be_hidden()
    return code


class Phones:
    """Three phones in a room, which answer each question once through the routes of real ones."""

    def __init__(self, url: str, store: Store, code: str) -> None:
        self.address, self.store, self.code, self.answered = f"{url}/join/{code}", store, code, 0

    def answer(self, page: Page) -> None:
        """Answer the open question, if there is a new one; returns once the stage has counted the answers."""
        current = self.store.newest(self.code)
        if current is None or current.state != "open" or current.id == self.answered:
            return
        self.answered = current.id
        for phone, word in enumerate(WORDS):
            form = {"question": current.id, "answer": reply(current.question, phone, word)}
            request = urllib.request.Request(
                self.address,
                urlencode(form).encode(),
                {"cookie": f"riverbank_phone=a-phone-of-the-walk-{phone}", "accept": "application/json"},
            )
            try:
                DIRECT.open(request, timeout=60).close()
            except HTTPError as error:
                raise RuntimeError(f"{current.question.text}: {error.read().decode()}") from error
        expect(page.locator(".rb-answered")).to_contain_text(f"{len(WORDS)}")
        rest(page)


def reply(question: Question, phone: int, word: str) -> str:
    """What a phone answers: choices in turn, a number in the middle, or a word."""
    if question.kind == "side":
        return f"{phone % 2} We saw the {word}."
    if question.choices:
        return str(phone % len(question.choices))
    if question.kind == "number":
        middle = (question.low + question.high) / 2
        return f"{int(middle) if question.whole else middle:g}"
    return word


def walk(page: Page, phones: Phones | None, windows: Sequence[Window], shots: Path | None) -> Iterator[Step]:
    """What is seen in each window after each press of the clicker, from the stop that is open to the last."""
    windows_here, number, stop = list(windows), 0, ""
    for _step in range(MOST_STEPS):
        title = page.locator("h1").inner_text()
        number, stop = (number + 1, stop) if title == stop else (1, title)
        if phones is not None:
            phones.answer(page)
        named = page.evaluate("document.documentElement.dataset.rbStage ?? ''")
        state = f"{number} {named}".strip()
        for width, height in windows_here:
            if page.viewport_size != {"width": width, "height": height}:
                page.set_viewport_size({"width": width, "height": height})
                rest(page)
            yield Step(stop, state, (width, height), look(page))
            if shots is not None:
                name = re.sub(r"\W+", "-", f"{stop} {state} {width} {'room' if phones else ''}").strip("-")
                page.screenshot(path=shots / f"{name}.png")
        windows_here.reverse()  # each window but one is changed once a press
        if is_last(page):
            return
        press(page)
    raise RuntimeError(f"The clicker was pressed {MOST_STEPS} times, and the lecture has not ended.")


@contextmanager
def stage(
    browser: Browser, url: str, ready: Ready, store: Store | None
) -> Iterator[tuple[Page, Phones | None]]:
    """A lecture in presenter mode, with phones in a room of this store, or without both."""
    with browser.new_context(viewport=SIZE, color_scheme="light") as context:
        page = context.new_page()
        page.goto(url if language() == ENGLISH else f"{url}?lang={language()}")
        appears(page, "h1")
        open_lecture(page, ready.text)
        phones = Phones(url, store, open_room(page)) if store is not None else None
        present(page)
        yield page, phones


def printed(step: Step) -> str:
    """What was seen, as lines."""
    width, height = step.window
    lines = [f"  {step.stop}, {step.state}, {width}x{height}:"]
    for kind, names in step.findings.items():
        lines += [f"    {kind}: {len(names)}", *(f"      {name}" for name in names)]
    return "\n".join(lines)


def window(text: str) -> Window:
    """A size as it is typed, 1280x720."""
    width, _by, height = text.partition("x")
    return int(width), int(height)


def main() -> int:
    """Print what is wrong on the stage of the lectures; returns 1 if something is."""
    set_log_level("ERROR")
    p = parser("tests.browser.stage", __doc__)
    given = {ready.name: ready for ready in lectures() if not ready.asks}
    p.add_argument("lectures", nargs="*", metavar="LECTURE", help=", ".join(given))
    p.add_argument("--sizes", nargs="+", type=window, default=list(SIZES), metavar="WxH")
    p.add_argument("--room", choices=("both", "with", "without"), default="both")
    p.add_argument("--language", help=f"a language of the interface, or {LONG}")
    p.add_argument("--shots", type=Path, metavar="FOLDER", help="keep a picture of each step here")
    options: Any = p.parse_args()
    if unknown := [name for name in options.lectures if name not in given]:
        p.error(f"There is no lecture {unknown[0]}. Name one of {', '.join(given)}.")
    if options.language == LONG:
        take_the_place_of_french()
    use("fr" if options.language == LONG else options.language)
    given = {ready.name: ready for ready in lectures()}
    names = (options.lectures or list(given))[: size(None, 1)]
    rooms = {"both": (False, True), "with": (True,), "without": (False,)}[options.room][: size(None, 1)]
    count: Counter[str] = Counter()
    with running_app(options.language) as app:
        store = Store(app.rooms)
        for name in names:
            if shots := options.shots and options.shots / name:
                shots.mkdir(parents=True, exist_ok=True)
            for room in rooms:
                print(f"{given[name].title}, {'with' if room else 'without'} a room", flush=True)
                with stage(app.browser, app.url, given[name], store if room else None) as (page, phones):
                    steps = walk(page, phones, options.sizes[: size(None, 1)], shots)
                    for at, step in enumerate(steps, 1):
                        if step.findings:
                            print(printed(step), flush=True)
                        place = f"{step.window[0]}x{step.window[1]}, {'with' if room else 'without'} a room"
                        count[place] += sum(map(len, step.findings.values()))
                        if at == size(None, 2):
                            break
    print("\n" + "\n".join(f"{place}: {number} findings" for place, number in count.items()))
    return int(any(count.values()) and size(True, False))


if __name__ == "__main__":
    sys.exit(main())
