"""The continuations page in Chromium: it streams, stops, steps, branches, colours and plays."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page

from explorer.server import memory
from explorer.views.frame.default_models import WRITER
from tests.browser.waiting import IDLE, appears, becomes, expect, settle

BUTTON, CHIP, NOTE = "button.turn", ".chip", ".note"


def number(page: Page) -> str:
    """Which continuation stands there: another one has another number."""
    return page.locator(".text").get_attribute("data-run")


def finished(page: Page, tokens: int, after: str = "none") -> None:
    """Wait for a continuation's end; for that of another one than `after`."""
    # All in one selector: between two checks an old continuation may give way to a new one.
    end = f'.text[aria-busy="false"][data-count="{tokens}"]:not([data-run="{after}"])'
    expect(page.locator(end)).to_be_visible(timeout=60_000)
    expect(page.locator(BUTTON)).to_have_text("Start again")
    expect(page.locator(NOTE)).to_have_text(re.compile(f"^{tokens} tokens · "))


def type_prompt(page: Page, text: str) -> None:
    page.get_by_label("Prompt", exact=True).fill(text)
    page.get_by_label("Prompt", exact=True).press("Enter")
    expect(page.locator(".prompt")).to_have_text(text)


def open_settings(page: Page) -> None:
    settings = page.get_by_role("button", name="Settings")
    expect(settings).to_have_count(1)  # that of the view before goes a moment later
    settings.click()


def shown(page: Page, which: str) -> Locator:
    """The head of the step in view, once it is this one."""
    expect(page.locator(".which")).to_have_text(re.compile(f"^{which}: "))
    return page.locator(".row.taken .token")


def test_tokens_stream_in_and_a_click_shows_a_step_on_its_branch(open_page):
    page = open_page("/continuations?model=gpt&length=20&temperature=0.5", "dark", CHIP)
    page.locator(CHIP).first.evaluate("chip => { chip.drawnOnce = true; }")
    finished(page, 20)
    expect(page.locator(CHIP)).to_have_count(20)
    assert page.locator(CHIP).first.evaluate("chip => chip.drawnOnce"), "what stands is not drawn again"
    expect(page.locator(".list .row")).to_have_count(6)
    expect(page.locator(".row.taken")).to_have_count(1)
    expect(page.locator(".chip.shown")).to_have_count(1)
    grounds = page.locator(CHIP).evaluate_all("cs => cs.map((c) => getComputedStyle(c).backgroundColor)")
    assert len(set(grounds)) > 5, "tokens are coloured by their probability"

    third = page.locator(CHIP).nth(2)
    third.click()
    taken = shown(page, "Token 3 of 20")
    expect(third).to_have_class(re.compile("shown"))
    expect(taken).to_have_text(third.inner_text(), use_inner_text=False)
    expect(page).to_have_url(re.compile("token=2"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shown(page, "Token 4 of 20")
    page.get_by_role("button", name="Back", exact=True).click()
    shown(page, "Token 3 of 20")
    page.get_by_role("button", name="Step", exact=True).click()
    shown(page, "Token 4 of 20")
    page.locator(CHIP).nth(3).focus()
    page.keyboard.press("Escape")
    shown(page, r"Token \d+ of 20, the least probable word")


# A run of the page begins with a message of the browser to the server: when each was sent, and how many had
# been by each drawing of the next text, to its end. (Whether the page says that it runs is no measure: a busy
# browser begins and ends a short run between two pictures. Nor is a look from here, which may come too late.)
ASKED = """text => {
  window.asked = [];
  window.written = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...message) {
    asked.push(performance.now());
    return send.apply(this, message);
  };
  const before = text.dataset.run;
  new MutationObserver((drawings, watch) => {
    if (text.dataset.run === before) return;
    written.push(...drawings.map(() => asked.length));
    if (text.ariaBusy === "false") watch.disconnect();
  }).observe(text, { attributes: true, attributeFilter: ["data-count"] });
}"""
ASK_AGAIN_MS = 1_000  # a page that has not answered by then is asked once more


@pytest.mark.slow
def test_a_press_writes_past_the_page_which_is_run_once_the_text_stops(open_page):
    page = open_page("/continuations?model=gpt&length=80&seed=2", wait_for=CHIP)
    finished(page, 80)
    settle(page)
    first = number(page)
    page.locator(".text").evaluate(ASKED)
    page.locator(BUTTON).click()
    finished(page, 80, after=first)
    written = page.evaluate("written")
    assert len(written) > 2 and set(written) == {0}, "tokens come without a run of the page"
    shown(page, r"Token \d+ of 80, the least probable word")
    page.wait_for_function("asked.length > 0")
    settle(page)
    asked = page.evaluate("asked")
    assert all(later - earlier > 0.9 * ASK_AGAIN_MS for earlier, later in pairwise(asked)), asked


@pytest.mark.slow
def test_a_connection_that_is_cut_takes_nothing_and_without_a_stream_the_page_brings_the_text(open_page):
    page = open_page("/continuations?model=gpt&length=80&seed=2", wait_for=CHIP)
    expect(page.locator(CHIP).nth(10)).to_be_visible()
    text = page.locator(".text").inner_text()
    page.context.set_offline(True)
    page.wait_for_timeout(2_500)
    page.context.set_offline(False)
    finished(page, 80)
    assert page.locator(".text").inner_text().startswith(text.rstrip())
    page.route("**/stream", lambda route: route.abort())
    trunk = number(page)
    page.locator(BUTTON).click()
    finished(page, 80, after=trunk)


@pytest.mark.slow
def test_no_line_is_cut_and_a_hairline_says_that_text_follows(open_page):
    page = open_page("/continuations?model=gpt&length=80&seed=2", wait_for=CHIP)
    finished(page, 80)
    text = page.locator(".text")
    page.set_viewport_size({"width": 700, "height": 720})
    below_and_cut = """box => {
      const edge = box.getBoundingClientRect().top + box.clientHeight;
      const lines = [...box.querySelectorAll(".chip")].flatMap((chip) => [...chip.getClientRects()]);
      const cut = lines.some((line) => line.top < edge && edge < line.bottom);
      return [lines.some((line) => line.top > edge), cut];
    }"""
    settle(page)
    becomes(page, lambda: text.evaluate(below_and_cut), [True, False])  # once the box has its width
    expect(text).to_have_class("text more")
    text.evaluate("box => { box.scrollTop = box.scrollHeight; }")
    expect(text).to_have_class("text")


@pytest.mark.slow
def test_what_it_opens_with_is_read_from_its_beginning(open_page):
    page = open_page("/continuations", wait_for=CHIP)
    text = page.get_by_role("group", name="Continuation")
    expect(text).to_have_attribute("aria-busy", "false", timeout=120_000)
    assert text.evaluate("text => text.scrollTop") == 0


STOP = """turn => {  // with its first token: by hand the small model's text could have ended before
  new MutationObserver((_, observer) => {
    if (turn.textContent !== "Stop") return;
    observer.disconnect();
    turn.click();
  }).observe(turn, { childList: true, characterData: true, subtree: true });
  turn.click();
}"""


@pytest.mark.slow
def test_stop_stops_step_makes_one_and_continue_goes_on(open_page):
    page = open_page("/continuations?model=gpt&length=200&temperature=1.5", wait_for=CHIP)
    finished(page, 200)
    page.locator(BUTTON).evaluate(STOP)
    expect(page.locator(BUTTON)).to_have_text("Continue")
    expect(page.locator(NOTE)).to_contain_text("stopped")
    count = page.locator(CHIP).count()
    assert 0 < count < 200
    page.wait_for_timeout(800)
    assert page.locator(CHIP).count() == count
    text = page.locator(".text").inner_text()
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator(f'.text[data-count="{count + 1}"]')).to_be_visible()
    page.locator(BUTTON).click()
    expect(page.locator(CHIP).nth(count + 3)).to_be_visible()
    assert page.locator(".text").inner_text().startswith(text)


@pytest.mark.slow
def test_a_slider_moves_the_road_of_the_shown_step_and_the_text_stays(open_page):
    page = open_page("/continuations?model=gpt&length=6&token=1", wait_for=CHIP)
    finished(page, 6)
    shown(page, "Token 2 of 6")
    text, first = page.locator(".text").inner_text(), page.locator(".list .row").first
    before = first.locator(".number").all_inner_texts()
    open_settings(page)
    page.get_by_role("slider", name="Top-p").focus()
    page.keyboard.press("Home")
    expect(page.locator(".columns")).to_contain_text("top-p 0.05")
    expect(page.locator(".row.cut")).to_have_count(5)
    hollow = page.locator(".row.cut .hollow").first
    becomes(page, lambda: hollow.bounding_box()["width"] > 0, True)  # what is cut stays, hollow
    becomes(page, first.locator(".number").all_inner_texts, [*before[:2], "100%"])
    assert page.locator(".text").inner_text() == text


@pytest.mark.slow
def test_candidates_branch_into_a_tree_that_is_walked_named_compared_pruned_and_undone(open_page):
    page = open_page("/continuations?model=gpt&length=10", wait_for=CHIP)
    finished(page, 10)
    text, trunk = page.locator(".text").inner_text(), number(page)
    page.locator(CHIP).nth(3).click()
    shown(page, "Token 4 of 10")
    page.locator(".list .row:not(.taken)").nth(1).click()
    finished(page, 10, after=trunk)
    branches, here = page.locator(".branch"), page.locator(".branch.here")
    expect(branches).to_have_count(2)
    assert page.locator(".text").inner_text() != text
    fork = page.locator(".text").inner_text()

    name = page.get_by_label("Name of this branch")
    name.fill("the <b>other</b>")
    name.press("Enter")
    expect(here).to_contain_text("the <b>other</b>: ")
    page.get_by_label("Compare this branch").select_option("first")
    expect(page.locator(".rb-two h3")).to_have_text(["the <b>other</b>", "first"])
    page.get_by_role("button", name="Back to the step").click()
    expect(page.locator(".list .row").first).to_be_visible()

    settle(page)  # also its address
    at_fork = page.url
    branches.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".text")).to_have_text(text, use_inner_text=True)
    expect(page).not_to_have_url(at_fork)  # the address follows a moment later
    expect(page).to_have_url(re.compile("tree="))
    settle(page)
    again = page.context.new_page()
    again.goto(page.url)
    expect(again.locator(".branch")).to_have_count(2)
    expect(again.locator(".text")).to_have_text(text, use_inner_text=True)
    again.locator(".branch").nth(1).focus()
    again.keyboard.press("Enter")
    expect(again.locator(".text")).to_have_text(fork, use_inner_text=True)
    again.get_by_role("button", name="Prune").click()
    expect(again.locator(".branch")).to_have_count(1)
    expect(again.locator(".text")).to_have_text(text, use_inner_text=True)
    again.get_by_role("button", name="Undo", exact=True).click()
    expect(again.locator(".branch")).to_have_count(2)


@pytest.mark.slow
def test_a_new_prompt_starts_at_once_and_the_text_box_keeps_its_place(open_page):
    page = open_page("/continuations?model=gpt&length=12", wait_for=CHIP)
    finished(page, 12)
    settle(page)
    place, first = page.locator(".text").bounding_box(), number(page)
    type_prompt(page, "In the kitchen the cook")
    finished(page, 12, after=first)
    becomes(page, page.locator(".text").bounding_box, place)
    before, second = page.locator(".text").inner_text(), number(page)
    page.locator(BUTTON).click()
    finished(page, 12, after=second)
    assert page.locator(".text").inner_text() == before, "the same seed gives the same text"
    third = number(page)
    open_settings(page)
    page.get_by_test_id("stNumberInputStepUp").click()
    finished(page, 12, after=third)
    assert page.locator(".text").inner_text() != before


@pytest.mark.slow
def test_a_text_is_coloured_a_word_is_found_and_numbers_are_told(open_page):
    page = open_page(
        "/continuations?view=colour&passage=We%20saw%20a%20%3Cb%3E%20in%20the%20sea.", wait_for=".numbers dd"
    )
    expect(page.locator(".text")).to_have_text("We saw a <b> in the sea.")
    settle(page)
    page.locator(".text span").last.hover()
    expect(page.locator(".tip.on")).to_have_text(
        re.compile(r"[\d.]+ bits, probability [\d.]+\s?%, rank [\d,]+")
    )
    page.locator(".list .row").first.click()
    expect(page.locator(".text .found")).to_have_count(1)
    settle(page)
    page.locator("svg[role=img]").hover()
    expect(page.locator(".tip.on")).to_have_text(re.compile(rf": {memory.short_label(WRITER)} [\d.]+$"))


@pytest.mark.slow
def test_who_looks_around_finds_every_setting_as_it_was(open_page):
    page = open_page("/continuations?model=gpt", wait_for="text=The bench")
    settle(page)
    page.get_by_text("The bench", exact=True).click()
    page.wait_for_url("**view=bench*")
    expect(page.get_by_text("Picture: The bench", exact=True)).to_be_attached()
    open_settings(page)
    expect(page.get_by_test_id("stPopoverBody").get_by_text("Typical")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_text("Write", exact=True).click()
    appears(page, CHIP)
    expect(page.locator(BUTTON)).to_have_text("Start again")
    appears(page, IDLE)  # until then the field may be made anew
    open_settings(page)
    seed = page.get_by_test_id("stNumberInputField")
    seed.fill("1")  # with it the browser tells the app all that it has
    seed.press("Enter")
    page.wait_for_url("**seed=1*")
    appears(page, CHIP)
    for setting in ("length=", "temperature=", "top_k=", "top_p="):
        assert setting not in page.url


LATE = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) { setTimeout(() => send.call(this, data), 300); };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("by_link", [True, False])
def test_whoever_leaves_while_it_writes_sees_the_next_page(open_page, by_link):
    page = open_page("/continuations?model=gpt&length=200&seed=6", wait_for=CHIP)  # not at its end early
    page.evaluate(LATE)  # what the page asks for arrives later, as over a class's Wi-Fi
    more, end = page.locator(CHIP).nth(page.locator(CHIP).count() + 2), page.get_by_text("Start again")
    expect(more.or_(end).first).to_be_visible()  # a busy machine may draw it when all is written
    if by_link:
        page.locator("[data-testid=stSidebar] a", has_text="Fine-tuning").click()
    else:  # as Back does
        page.evaluate("history.pushState(null, '', '/finetuning')")
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    title = page.get_by_role("heading", name="Fine-tuning", level=1)
    expect(title).to_be_visible()
    page.wait_for_timeout(1500)  # what the old page had asked for in between would be answered by now
    appears(page, IDLE)
    expect(title).to_be_visible(timeout=3000)


def test_a_continuation_is_stepped_through_by_keys_and_the_rest_waits(open_page):
    page = open_page("/continuations?view=look-back&model=gpt", wait_for=".chip")
    settle(page)
    expect(page.locator(".chip.now")).to_have_count(1)
    expect(page.locator(".chip.ahead")).to_have_count(39)
    page.locator(".chip.now").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".where")).to_have_text("new token 4 of 40")
    expect(page.locator(".chip.ahead")).to_have_count(36)
    page.wait_for_url("**look_step=3*")
    settle(page)
    page.wait_for_function("document.activeElement !== document.body")  # the focus has stayed
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".where")).to_have_text(re.compile(r"new token ([6-9]|\d\d) of 40"))
    page.get_by_role("button", name="Pause", exact=True).click()
    dark = page.locator(".chip").evaluate_all("all => all.filter((c) => c.style.background).length")
    assert dark > 0
