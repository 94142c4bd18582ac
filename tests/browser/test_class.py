"""A class answers: a teacher with a projector and phones, on a server of their own, which may be killed."""

import io
import os
import re
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import segno
from PIL import Image
from playwright.sync_api import Locator, Page

from explorer.room.database import VARIABLE
from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.navigation import pages
from explorer.workers.processes import free_port
from tests.browser import stage
from tests.browser.conftest import OPENED, SIZE, start_server
from tests.browser.stage import LISTENS, STEP
from tests.browser.test_present import heading
from tests.browser.waiting import IDLE, LONGEST_MS, appears, at, expect, settle, still

pytestmark = pytest.mark.slow
PHONE = {"width": 320, "height": 568}
TOOLTIP_MS = 1_000  # by then the tooltip of a button with the focus is shown
OFFLINE_MS = 10_000


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a server that other computers reach, always with the same rooms; the one before is killed."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "rooms.sqlite"))
    running = []

    def start_again(port: int = 0) -> str:
        for process in running:
            process.kill()
            process.wait()
        process, url = start_server(tmp_path, arguments=["--server.address", "0.0.0.0"], port=port)
        running.append(process)
        return url

    yield start_again
    running[-1].terminate()
    running[-1].wait(60)


@pytest.fixture
def visit(browser, request):
    """Opens an address in a browser of its own: a teacher's computer, or a phone."""
    contexts = []

    def open_(address: str, size=SIZE) -> Page:
        contexts.append(browser.new_context(viewport=size, ignore_https_errors=True))
        page = contexts[-1].new_page()
        request.node.stash.setdefault(OPENED, []).append(page)
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        context.close()


def open_room(teacher: Page) -> str:
    settle(teacher)
    teacher.locator(".st-key-header-polls button").first.click()
    teacher.get_by_role("button", name="Open a room").click()
    code = teacher.locator("[data-testid=stPopoverBody] .rb-code").inner_text()
    appears(teacher, IDLE)  # a box that is drawn anew stays open
    teacher.keyboard.press("Escape")
    expect(teacher.locator("[data-testid=stPopoverBody]")).to_be_hidden()
    return code


def ask(teacher: Page, own: str) -> str:
    """Ask what the view offers, or else a question of the teacher's own; returns the question."""
    teacher.locator(".st-key-header-polls button").first.click()
    body = teacher.locator("[data-testid=stPopoverBody]")
    box = body.get_by_label(re.compile("our own question")).first
    expect(box).to_be_visible()
    appears(teacher, IDLE)
    offered = body.get_by_role("button", name="Ask: ").first
    question = offered.inner_text().removeprefix("Ask: ") if offered.count() else own
    if question == own:
        box.fill(own)
        box.press("Enter")
    body.get_by_role("button", name=re.compile("^Ask")).first.click()
    expect(body).to_be_hidden()
    shown = ".rb-question" if teacher.locator("html[data-rb-stage]").count() else ".rb-question-asked"
    expect(teacher.locator(shown)).to_have_text(question)
    return question


def send(phone: Page, question: str, word: str) -> str:
    """Answer with this, or with the first of several choices; returns what the phone will say."""
    expect(phone.locator("h1")).to_have_text(question)
    if phone.locator("#answer").count():
        phone.locator("#answer").fill(word)
        phone.get_by_role("button", name="Send").click()
        return f"Sent: {word}"
    phone.locator("button[name=answer]").first.click()
    return "Sent: "


def answer(phone: Page, question: str, word: str) -> None:
    expect(phone.get_by_role("status")).to_contain_text(send(phone, question, word))
    expect(phone.get_by_role("status")).to_contain_text("You can change it until it closes.")


def step(teacher: Page) -> None:
    """One press of the clicker, at which the heading may stay."""
    teacher.wait_for_function(LISTENS)
    before = teacher.evaluate(STEP)
    teacher.keyboard.press("PageDown")
    teacher.wait_for_function(f"before => {STEP} !== before", arg=before)
    settle(teacher)


def stands(teacher: Page, state: str) -> None:
    """Wait until this stands on the stage."""
    expect(teacher.locator("html")).to_have_attribute("data-rb-stage", state)


BOXES = """() => {
  const boxOf = (name) => document.querySelector(name)?.getBoundingClientRect();
  const boxes = [".st-key-question", ".st-key-strip", ".st-key-picture"].map(boxOf);
  return boxes.filter((box) => box?.height).map(({ left, top, right, bottom }) => [left, top, right, bottom]);
}"""


RIGHT = "rgb(15, 118, 110)"
FILLED = """bars => bars.map((bar) => [
  bar.offsetWidth / bar.parentElement.clientWidth,
  Number(getComputedStyle(bar).getPropertyValue("--share")),
])"""


def reveal_on_stage(teacher: Page, count: int, *phones: Page) -> None:
    """Close and reveal by the clicker: the picture is whole below the strip, which brings the class back."""
    expect(teacher.locator(".rb-answered")).to_contain_text(f"{count} have answered")
    for state in ("closed", "class"):
        step(teacher)
        stands(teacher, state)
    for phone in phones:
        expect(phone.locator("main li.own")).to_be_visible()
        for right in phone.locator("main li.right b").all():
            expect(right).to_have_css("color", RIGHT)
    expect(teacher.locator(".st-key-poll")).to_be_visible()
    bars, dots = (teacher.locator(f".st-key-poll {part}") for part in (".stage .bar", "circle"))
    expect(bars.or_(dots)).not_to_have_count(0)
    still(teacher, lambda: bars.evaluate_all(FILLED), quiet=400)
    for filled, share in bars.evaluate_all(FILLED):
        assert filled == pytest.approx(share, abs=0.02), "a full bar is all of the class"
    step(teacher)
    stands(teacher, "model")
    stage.rest(teacher)
    boxes = teacher.evaluate(BOXES)
    assert len(boxes) == 3 and boxes[1][3] - boxes[1][1] <= 56
    for (_, _, right, bottom), below in zip(boxes, [*boxes[1:], None]):
        assert right <= SIZE["width"] + 1 and bottom <= (below[1] + 1 if below else SIZE["height"])
    teacher.locator(".st-key-strip button").click()
    stands(teacher, "class")
    step(teacher)
    stands(teacher, "model")


def reveal(teacher: Page, count: int, *phones: Page) -> None:
    expect(teacher.locator(".st-key-poll-line")).to_contain_text(f"{count} answered")
    teacher.get_by_role("button", name="Close", exact=True).click()
    for phone in phones:
        expect(phone.locator("main")).to_contain_text("The question is closed.")
    settle(teacher)
    teacher.get_by_role("button", name="Reveal", exact=True).click()
    for phone in phones:
        expect(phone.locator("main li.own")).to_be_visible()


def read_screen(teacher: Page, code: str) -> None:
    """R shows the code, and the QR code that a phone's camera would read; Esc ends that."""
    screen = teacher.locator(".rb-join-screen")
    teacher.wait_for_function(LISTENS)
    teacher.keyboard.press("r")
    read_invitation(screen, code)
    teacher.keyboard.press("Escape")
    expect(screen).to_be_hidden()


def read_invitation(screen: Locator, code: str) -> str:
    """The address at which phones join, as it is written and as the QR code has it."""
    expect(screen.locator(".rb-code")).to_be_visible()
    shown = screen.locator("bdi").inner_text()
    address = f"{'' if '://' in shown else 'http://'}{shown}"
    code_image = segno.make(f"{address}/{code}", error="m")
    modules = [list(map(bool, row)) for row in code_image.matrix_iter(border=4)]
    with Image.open(io.BytesIO(screen.locator(".rb-qr").screenshot(animations="disabled"))) as picture:
        pixels = picture.convert("L").resize((len(modules),) * 2, Image.Resampling.NEAREST)
        rows = [[pixels.getpixel((x, y)) < 128 for x in range(len(modules))] for y in range(len(modules))]
    assert rows == modules and "localhost" not in address
    return address


CADDYFILE = """{{
    admin off
    skip_install_trust
    storage file_system {folder}
}}
http://localhost:{ports[0]} {{
    handle_path /course/demo/* {{
        reverse_proxy 127.0.0.1:{server}
    }}
    respond "Another page of the school" 404
}}
https://localhost:{ports[1]} {{
    tls internal
    reverse_proxy 127.0.0.1:{server}
}}
https://localhost:{ports[2]} {{
    tls internal
    handle_path /tool/* {{
        reverse_proxy 127.0.0.1:{server}
    }}
    respond "Another page of the school" 404
}}
"""


@pytest.fixture
def proxied(start, tmp_path):
    """One server behind Caddy: below a path, with TLS, and both, each at a port of its own."""
    if shutil.which("caddy") is None:
        pytest.skip("no Caddy found; on Debian: apt-get install caddy")
    ports = [free_port() for _ in range(3)]
    file = tmp_path / "Caddyfile"
    file.write_text(CADDYFILE.format(folder=tmp_path / "caddy", ports=ports, server=urlsplit(start()).port))
    with (tmp_path / "caddy.log").open("w") as log:
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | {"HOME": str(tmp_path)})
        for port in ports:
            while process.poll() is None:
                with suppress(OSError), socket.create_connection(("localhost", port)):
                    break
                time.sleep(0.05)
        yield [
            f"http://localhost:{ports[0]}/course/demo",
            f"https://localhost:{ports[1]}",
            f"https://localhost:{ports[2]}/tool",
        ]
        process.terminate()
        process.wait(60)


def test_a_class_behind_a_proxy_comes_in_by_the_addresses_that_are_shown(proxied, visit):
    for opened in proxied:
        teacher = visit(f"{opened}/")
        teacher.get_by_role("button", name=re.compile("min$")).first.click()
        teacher.wait_for_url("**course=**")
        code = open_room(teacher)
        with teacher.expect_popup() as popup:
            teacher.get_by_role("button", name="Notes", exact=True).click()
        expect(popup.value).to_have_url(f"{opened}/notes")
        body = teacher.locator("[data-testid=stPopoverBody]")
        teacher.locator(".st-key-header-polls button").first.click()
        joining = read_invitation(body.locator(".rb-room"), code)
        shown = opened.replace("localhost", str(urlsplit(joining).hostname))
        assert joining == f"{shown}/join"
        teacher.keyboard.press("Escape")
        phone = visit(f"{opened}/join", PHONE)
        phone.get_by_label("The code on the screen").fill(code)
        phone.get_by_role("button", name="Join").click()
        expect(phone).to_have_url(f"{opened}/join/{code}")
        answer(phone, ask(teacher, "What comes next?"), "river")
        teacher.locator(".st-key-header-polls button").first.click()
        body.get_by_text("For you alone").click()
        written = body.locator("[data-testid=stCode] code")
        expect(written).to_have_text(re.compile(re.escape(f"{shown}/#class={code}.")))
        link = written.inner_text()
        second = visit(link.replace(shown, opened))
        settle(second)
        second.locator(".st-key-header-polls button").first.click()
        expect(second.locator("[data-testid=stPopoverBody] .rb-code")).to_have_text(code)
        notes = visit(link.replace(f"{shown}/#", f"{opened}/notes#"), PHONE)
        expect(notes.locator(".note").first).to_be_visible()
        writer = visit(f"{opened}/")
        with writer.expect_response("**/stream") as followed:
            writer.goto(f"{opened}/continuations?model=gpt&length=40")
        assert followed.value.ok and followed.value.url == f"{opened}/stream"
        expect(writer.locator('.text[aria-busy="false"][data-count="40"]')).to_be_visible()
        for page in (teacher, phone, second, notes, writer):
            page.context.close()


def test_three_phones_play_the_first_chapter(start, visit):
    url = start()
    [ready] = [each for each in lectures() if "90" in each.title]
    items = lecture.read(ready.text, {page.name: page.title for page in pages()})
    chapter = next(each for each in lecture.chapters(items) if any(item.stop for item in each))
    first, *others = [item for item in chapter if item.stop]
    teacher = visit(url)
    teacher.get_by_role("button", name=f"{ready.minutes} min").click()
    teacher.wait_for_url("**course=**")
    code = open_room(teacher)
    teacher.keyboard.press("p")
    heading(teacher, first.text)
    read_screen(teacher, code)

    by_code, by_link = visit(f"{url}/join", PHONE), visit(f"{url}/join/{code}", PHONE)
    by_code.get_by_label("The code").fill(code.lower())
    by_code.get_by_role("button", name="Join").click()
    stands(teacher, "asked")
    step(teacher)
    stands(teacher, "open")
    question = first.question
    answer(by_code, question, "loan")
    for state in ("closed", "class"):
        step(teacher)
        stands(teacher, state)
    teacher.wait_for_function(LISTENS)
    teacher.keyboard.press("a")  # after a minute of talk
    stands(teacher, "open")
    expect(by_code.locator("main")).to_contain_text("Your first answer: loan")
    answer(by_code, question, "money")
    answer(by_link, question, "loan")
    late = visit(f"{url}/join/{code}", PHONE)
    answer(late, question, "money")
    answer(by_link, question, "money")
    reveal_on_stage(teacher, 3, by_code, by_link, late)
    expect(late.locator("main li.own")).to_contain_text("3 of 3")
    teacher.locator(".st-key-strip button").click()
    expect(teacher.locator(".st-key-poll .name")).to_have_text(["loan", "money"])
    expect(teacher.locator(".st-key-poll circle.pale")).to_have_count(1)
    step(teacher)
    stands(teacher, "model")
    assert late.evaluate("document.documentElement.scrollWidth <= innerWidth")

    for stop in others:
        with at(stop.text):
            while teacher.locator("h1").inner_text() != stop.text:
                step(teacher)
            question = ask(teacher, stop.question)
            answer(by_code, question, "a")
            answer(late, question, "c")
            if stop is others[0]:
                by_code.reload()
                expect(by_code.get_by_role("status")).to_contain_text("Sent: ")
            if stop is others[2]:
                by_link.context.set_offline(True)
                send(by_link, question, "b")
                expect(by_link.get_by_role("alert")).to_contain_text("Your answer is kept")
                by_link.wait_for_timeout(OFFLINE_MS)
                by_link.context.set_offline(False)
                expect(by_link.get_by_role("status")).to_contain_text("Sent: ")
            else:
                answer(by_link, question, "b")
            reveal_on_stage(teacher, 3, by_code, by_link, late)


def test_a_class_outlives_its_server(start, visit):
    url = start()
    teacher = visit(f"{url}/masked")
    code = open_room(teacher)
    phone = visit(f"{url}/join/{code}", PHONE)
    question = ask(teacher, "Which word comes next?")
    answer(phone, question, "bank")
    teacher.wait_for_function("sessionStorage.getItem('riverbank/room')", timeout=LONGEST_MS)
    start(int(url.rpartition(":")[2]))
    answer(phone, question, "shore")
    expect(teacher.locator(".st-key-poll-line")).to_contain_text(
        "1 answered"
    )  # the tab is the teacher's again
    kept = teacher.evaluate("sessionStorage.getItem('riverbank/room')")
    other = visit(f"{url}/masked#class={kept}")
    reveal(other, 1, phone)
    expect(other).to_have_url(f"{url}/masked")
    other.locator(".st-key-header-polls button").first.click()
    other.get_by_role("button", name="End the room").click()
    expect(phone.get_by_role("alert")).to_contain_text("There is no open room")


def test_a_student_joins_under_teach_and_the_open_room_has_no_tooltip(start, visit):
    url = start()
    teacher = visit(f"{url}/masked")
    code = open_room(teacher)
    expect(teacher.locator(".st-key-header-polls button").first).to_be_focused()
    teacher.wait_for_timeout(TOOLTIP_MS)
    expect(teacher.get_by_test_id("stTooltipContent")).to_have_count(0)
    student = visit(f"{url}/masked")
    settle(student)
    student.locator(".st-key-header-polls button").first.click()
    student.get_by_label("I have a code").fill(code.lower())
    student.keyboard.press("Enter")
    expect(student).to_have_url(f"{url}/join/{code}")
    expect(student.get_by_role("heading")).to_have_text("You are in.")
