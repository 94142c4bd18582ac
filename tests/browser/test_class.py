"""A class answers: a teacher with a projector and phones, on a server of their own, which may be killed."""

import io
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import pytest
import segno
from PIL import Image
from playwright.sync_api import Browser, Page

from explorer.room.store import CODE_LENGTH, LETTERS, VARIABLE
from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.navigation import pages
from tests.browser.conftest import SIZE, start_server
from tests.browser.test_present import heading, step
from tests.browser.waiting import at, expect, settle

pytestmark = pytest.mark.slow
PHONE = {"width": 320, "height": 568}
OFFLINE_S = 10
SHARED = ["--server.address", "0.0.0.0"]


@dataclass
class Class:
    """A server with its rooms, and browsers for it."""

    folder: Path
    browser: Browser
    process: Popen
    url: str

    def tab(self, size=SIZE) -> Page:
        """A tab of a browser of its own: another teacher's computer, or a phone."""
        return self.browser.new_context(viewport=size, locale="en").new_page()

    def phone(self, code: str) -> Page:
        """A phone that has followed the link of the QR code."""
        page = self.tab(PHONE)
        page.goto(f"{self.url}/join/{code}")
        return page

    def restart(self) -> None:
        """Kill the server without a warning, and start another one at the same address."""
        self.process.kill()
        self.process.wait()
        self.process, _ = start_server(self.folder, arguments=SHARED, port=int(self.url.rpartition(":")[2]))


@pytest.fixture
def school(browser, tmp_path, monkeypatch) -> Iterator[Class]:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "rooms.sqlite"))
    there = Class(tmp_path, browser, *start_server(tmp_path, arguments=SHARED))
    yield there
    for context in browser.contexts:
        if any(page.url.startswith(there.url) for page in context.pages):
            context.close()
    there.process.terminate()
    there.process.wait(30)


def open_room(teacher: Page) -> str:
    """Open a room under Class; returns its code."""
    teacher.get_by_role("button", name="Class").click()
    teacher.get_by_role("button", name="Open a room").click()
    code = teacher.locator("[data-testid=stPopoverBody] .rb-code")
    expect(code).to_have_text(re.compile(f"^[{LETTERS}]{{{CODE_LENGTH}}}$"))
    letters = code.inner_text()
    teacher.keyboard.press("Escape")
    return letters


def ask(teacher: Page, code: str, own: str) -> str:
    """Ask what the view offers, or else a question of the teacher's own; returns the question."""
    teacher.locator(".st-key-header-polls button").first.click()
    body = teacher.locator("[data-testid=stPopoverBody]")
    expect(body.locator(".rb-code")).to_have_text(code)
    expect(body.get_by_label(re.compile("our own question"))).to_be_visible()
    offered = body.get_by_role("button", name="Ask: ")
    if not offered.count():
        body.get_by_label(re.compile("our own question")).fill(own)
        body.get_by_label(re.compile("our own question")).press("Enter")
    button = body.get_by_role("button", name=re.compile("^Ask")).first
    button.click()
    asked = teacher.locator(".rb-question-asked")
    expect(body).to_be_hidden()
    expect(asked).to_be_visible()
    return asked.inner_text()


def answer(phone: Page, question: str, word: str) -> None:
    """Answer the question once it is on the phone, and see that it is kept."""
    expect(phone.locator("h1")).to_have_text(question)
    box = phone.locator("#answer")
    if box.count():
        box.fill(word)
        phone.get_by_role("button", name="Send").click()
    else:
        phone.locator("button[name=answer]").first.click()
    expect(phone.get_by_role("status")).to_contain_text("You can change it until it closes.")


def count(teacher: Page, number: int) -> None:
    expect(teacher.locator(".st-key-poll-line")).to_contain_text(f"{number} answered")


def reveal(teacher: Page, *phones: Page) -> None:
    """Close and reveal: each phone sees the class's answers."""
    teacher.get_by_role("button", name="Close", exact=True).click()
    for phone in phones:
        expect(phone.locator("main")).to_contain_text("The question is closed.")
    teacher.get_by_role("button", name="Reveal", exact=True).click()
    for phone in phones:
        expect(phone.locator("main ol li").first).to_be_visible()


def modules(page: Page, size: int) -> list[list[bool]]:
    """What a phone's camera sees on R's screen: which of size x size modules of the QR code are dark."""
    code = page.locator(".rb-join-screen .rb-qr")
    expect(code).to_be_visible()
    with Image.open(io.BytesIO(code.screenshot())) as picture:
        grey = picture.convert("L")
        step_x, step_y = grey.width / size, grey.height / size
        places = [
            [(int((x + 0.5) * step_x), int((y + 0.5) * step_y)) for x in range(size)] for y in range(size)
        ]
        return [[grey.getpixel(place) < 128 for place in row] for row in places]


def test_the_code_on_the_screen_leads_phones_into_the_room(school):
    teacher = school.browser.new_context(viewport=SIZE, color_scheme="dark").new_page()
    teacher.goto(f"{school.url}/vectors?view=one-hot&present=1")
    settle(teacher)
    code = open_room(teacher)
    expect(teacher.get_by_role("button", name=code)).to_be_visible()  # in the corner
    teacher.locator("h1").click()
    teacher.keyboard.press("r")
    expect(teacher.locator(".rb-join-screen .rb-code")).to_have_text(code)
    address = teacher.locator(".rb-join-screen bdi").inner_text()
    assert "localhost" not in address and address.endswith("/join")
    matrix = segno.make(f"http://{address}/{code}", error="m").matrix_iter(border=4)
    expected = [[bool(module) for module in row] for row in matrix]
    assert modules(teacher, len(expected)) == expected
    screen = teacher.locator(".rb-join-screen")
    for key, is_open in (("Escape", False), ("r", True), ("r", False)):
        teacher.keyboard.press(key)
        expect(screen).to_be_visible() if is_open else expect(screen).to_be_hidden()
    teacher.get_by_role("textbox").first.press("r")
    expect(screen).to_be_hidden()


@pytest.mark.timeout(600)
def test_three_phones_play_the_first_chapter(school):
    [ready] = [each for each in lectures() if "90" in each.title]
    first, *others = next(
        [item for item in chapter if item.stop]
        for chapter in lecture.chapters(lecture.read(ready.text, {page.name: page.title for page in pages()}))
        if any(item.stop for item in chapter)
    )
    teacher = school.tab()
    teacher.goto(school.url)
    teacher.get_by_role("button", name=ready.title).click()
    settle(teacher)
    code = open_room(teacher)
    teacher.locator("h1").click()
    teacher.keyboard.press("p")
    heading(teacher, first.text)

    by_code = school.tab(PHONE)
    by_code.goto(f"{school.url}/join")
    by_code.get_by_label("The code").fill(code.lower())
    by_code.get_by_role("button", name="Join").click()
    expect(by_code.locator("h1")).to_have_text("You are in.")
    by_link = school.phone(code)
    question = ask(teacher, code, first.question)
    answer(by_code, question, "money")
    answer(by_link, question, "loan")
    late = school.phone(code)
    answer(late, question, "money")
    count(teacher, 3)
    answer(by_link, question, "money")
    reveal(teacher, by_code, by_link, late)
    expect(late.locator("main li.own")).to_contain_text("money 3")
    assert late.evaluate("document.documentElement.scrollWidth <= innerWidth")

    for stop in others:
        with at(stop.text):
            while teacher.locator("h1").inner_text() != stop.text:
                step(teacher)
            question = ask(teacher, code, stop.question)
            answer(by_code, question, "a")
            if stop is others[0]:
                by_code.reload()
                expect(by_code.get_by_role("status")).to_contain_text("Sent: a.")
            if stop is others[2]:
                by_link.context.set_offline(True)
                expect(by_link.locator("h1")).to_have_text(question)
                by_link.locator("#answer").fill("b")
                by_link.get_by_role("button", name="Send").click()
                expect(by_link.locator("#problem")).to_contain_text("Your answer is kept")
                time.sleep(OFFLINE_S)
                by_link.context.set_offline(False)
                expect(by_link.get_by_role("status")).to_contain_text("Sent: b.")
            else:
                answer(by_link, question, "b")
            answer(late, question, "c")
            count(teacher, 3)
            reveal(teacher, by_code, by_link, late)


def test_a_class_outlives_its_server(school):
    teacher = school.tab()
    teacher.goto(f"{school.url}/masked")
    settle(teacher)
    code = open_room(teacher)
    phone = school.phone(code)
    question = ask(teacher, code, "Which word comes next?")
    answer(phone, question, "bank")
    school.restart()
    answer(phone, question, "shore")  # before the teacher is back
    count(teacher, 1)  # the tab has brought the room along
    other = school.tab()
    kept = teacher.evaluate("sessionStorage.getItem('riverbank/room')")
    other.goto(f"{school.url}/masked#class={kept}")
    count(other, 1)
    expect(other).to_have_url(f"{school.url}/masked")
    reveal(other, phone)
    expect(phone.locator("main li.own")).to_contain_text("shore 1")
    other.get_by_role("button", name="Class").click()
    other.get_by_role("button", name="End the room").click()
    expect(phone.get_by_role("alert")).to_contain_text("There is no open room")
