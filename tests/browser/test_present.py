"""Presenter mode in Chromium: larger, without the rest, the picture in view; a clicker turns the pages."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute

from explorer.views.frame.navigation import pages
from tests.browser.conftest import SIZE
from tests.browser.stage import DROP, LISTENS, rest
from tests.browser.sweep import HIGH
from tests.browser.test_every_page import address
from tests.browser.waiting import at, expect, follow, settle, still

RATIO = "document.querySelector('[data-testid=stMainBlockContainer]').currentCSSZoom"
FITS = "document.querySelector('.st-key-picture').getBoundingClientRect().bottom <= innerHeight"
ALONE = f"{FITS} && document.querySelector('.st-key-picture').getBoundingClientRect().right <= innerWidth"
SIZES = [(1920, 1080), (1024, 768)]  # of 16:9 and of 4:3
USUAL = 1.35  # times that a window of 1440x900 enlarges a page that fits
LEAST = 667 / 768  # of that, for a page that is too high


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def turn(page: Page, key: str, to: str) -> None:
    page.wait_for_function(LISTENS)
    page.keyboard.press(key)
    heading(page, to)
    page.wait_for_url("**present=1*")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_high_picture_is_made_to_fit(open_page):
    page = open_page("/masked?present=1")
    for view in (*HIGH, "senses?new=We%20sat%20on%20the%20bank.", "attention?view=bertviz&bertviz=model"):
        with at(view):
            follow(page, f"/{view}&present=1")
            settle(page)
            page.wait_for_function(FITS)  # a frame is given its height a moment after it has drawn


def test_the_teachers_own_window_follows_and_goes_on(open_page):
    page = open_page("/")
    page.get_by_role("button", name="20 min").click()
    page.wait_for_url("**/attention*")
    page.get_by_role("button", name="Teach").click()
    page.get_by_role("button", name="Present").click()
    with page.context.expect_page() as opening:
        page.get_by_role("button", name="Notes").click()
    notes = opening.value
    expect(notes.locator(".note.see")).to_contain_text("thickest line")
    expect(notes.locator(".left")).to_contain_text("20 minutes left")
    expect(page.locator("body")).not_to_contain_text("thickest line")
    notes.get_by_role("button", name="Show").click()
    notes.get_by_role("button", name="Next: Who was wide?").click()
    heading(page, "Who was wide?")
    expect(notes.locator("h1")).to_have_text("Who was wide?")
    page.wait_for_function(LISTENS)
    notes.keyboard.press("b")
    page.wait_for_selector("[data-rb-blank]", state="attached")


SCROLLS = """() => {
  const picture = document.querySelector('.st-key-picture');
  return picture.scrollHeight > picture.clientHeight + 1 && getComputedStyle(picture).overflowY === 'auto';
}"""


def test_a_page_that_is_too_high_is_drawn_smaller_and_what_is_still_too_high_scrolls(open_page):
    page = open_page("/masked?view=next&present=1")
    page.set_viewport_size({"width": 1920, "height": 1080})
    settle(page)
    page.wait_for_function(f"Math.abs({RATIO} - 1080 / 667) < 0.01")
    rest(page)
    assert not page.evaluate(SCROLLS)
    higher = "px => document.querySelector('.st-key-picture > :last-child').style.minHeight = `${px}px`"
    page.evaluate(higher, 500)
    page.wait_for_function(f"{FITS} && {1080 / 768 - 0.01} <= {RATIO} && {RATIO} < {1080 / 667 - 0.01}")
    rest(page)
    page.evaluate(higher, 1200)
    page.wait_for_function(SCROLLS)
    page.wait_for_function(FITS)
    page.wait_for_function(f"Math.abs({RATIO} - 1080 / 768) < 0.01")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_each_picture_stands_alone_and_in_view_on_any_projector(open_page):
    page = open_page("/?present=1", "dark")
    for name in [p.name for p in pages()[::2]]:  # one script fits them all
        with at(name):
            page.set_viewport_size(SIZE)
            if name != "home":
                follow(page, f"{address(name)}?present=1")
            settle(page)
            expect(page.locator("[data-testid=stSidebar]")).not_to_be_visible()
            for width, height in SIZES:
                with at(f"{width}x{height}"):
                    assert_alone(page, width, height)
            page.set_viewport_size({"width": 1440, "height": 900})
            page.wait_for_function(f"{USUAL * LEAST - 0.01} <= {RATIO} && {RATIO} <= {USUAL + 0.01}")


def assert_alone(page: Page, width: int, height: int) -> None:
    """In a window of this size the picture is in view, and nothing but formulas follows it."""
    page.set_viewport_size({"width": width, "height": height})
    rest(page)
    page.wait_for_function(ALONE)
    below = page.evaluate(
        """() => {
          const end = document.querySelector('.st-key-picture').getBoundingClientRect().bottom;
          const seen = [...document.querySelectorAll('[data-testid=stMainBlockContainer] *')];
          const formulas = (e) => e.closest('.st-key-formulas') || e.querySelector('.st-key-formulas');
          return seen.filter((e) => e.getClientRects().length && e.innerText?.trim() && !formulas(e)
            && e.getBoundingClientRect().top >= end).map((e) => e.textContent.slice(0, 40));
        }"""
    )
    assert below == []


@pytest.mark.slow
def test_a_clicker_turns_the_pages_wherever_the_focus_is_and_p_enters_and_leaves(open_page):
    page = open_page("/continuations", wait_for=".chip")
    settle(page)
    page.keyboard.press("PageDown")
    page.wait_for_timeout(500)
    heading(page, "Continuations")  # outside of presenter mode the key scrolls, as anywhere
    page.keyboard.press("p")
    page.wait_for_url("**/continuations?present=1")
    expect(page.locator("[data-testid=stSidebar]")).not_to_be_visible()
    for words in (".rb-caption", ".rb-first", "#rb-reading"):
        expect(page.locator(words)).not_to_be_visible()
    expect(page.locator(".turn")).to_have_text("Start again")  # the text goes on to its end

    page.locator("[data-testid=stSlider] input").first.focus()
    turn(page, "PageUp", "What layers know")
    page.wait_for_url("**/probing?*view=*")  # coming back, at its last view
    page.goto(re.sub(r"/probing\?.*", "/masked?present=1&beside=false", page.url))
    settle(page)  # a text that is drawn anew meanwhile would lose the focus
    page.locator("textarea").first.click()
    page.keyboard.type("p")
    page.wait_for_url("**text=*")  # typed into the text, and still presenting
    turn(page, "PageUp", "Why it said that")
    turn(page, "PageDown", "Masked words")
    page.wait_for_function(LISTENS)
    page.keyboard.press("PageDown")
    page.wait_for_url("**view=training*")
    page.keyboard.press("PageUp")  # at once: a key waits until the step before it is made
    page.wait_for_url(lambda url: "view=" not in url)
    expect(page.locator("textarea").first).to_have_value(re.compile("p"))
    expect(page.locator(".row")).to_have_count(10)

    settle(page)
    tip, row = page.locator(".tip.on").first, page.locator(".row").nth(1)
    expect(page.locator("html[data-rb-resting]")).to_have_count(1)  # the pointer has not moved since the step
    for place in (5, 9):
        page.mouse.move(place, place)
    row.hover()
    expect(tip).to_be_visible()
    under, over = still(page, lambda: (tip.bounding_box(), row.bounding_box()))
    gap = under["y"] - (over["y"] + over["height"])
    assert 0 <= gap < 12, "the tip hangs at its row, however large the page is"

    page.locator("h1").click()
    page.keyboard.press("p")
    page.wait_for_url(lambda url: "present" not in url)
    expect(page.locator(".rb-caption")).to_be_visible()
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()


@pytest.mark.slow
def test_each_press_of_back_and_forward_undoes_one_press_of_the_clicker(open_page):
    page = open_page("/sides?view=bilm&present=1")
    settle(page)
    turn(page, "PageDown", "From both sides")
    page.wait_for_url("**view=characters*")
    turn(page, "PageDown", "Word senses")
    settle(page)
    page.go_back()
    page.wait_for_url("**/sides?*view=characters*")
    heading(page, "From both sides")
    settle(page)
    page.go_back()
    page.wait_for_url(lambda url: "/sides" in url and "characters" not in url)
    settle(page)
    page.go_forward()
    page.wait_for_url("**/sides?*view=characters*")
    settle(page)
    page.go_forward()
    heading(page, "Word senses")
    settle(page)
    turn(page, "PageUp", "From both sides")
    page.wait_for_url("**view=characters*")
    settle(page)
    page.go_back()
    heading(page, "Word senses")


@pytest.mark.slow
def test_a_press_that_is_answered_late_leads_on_though_the_picture_has_another_size(browser, server):
    page, answers, held = browser.new_page(), [], False

    def route(socket: WebSocketRoute) -> None:
        app = socket.connect_to_server()
        answers.append(socket)
        app.on_message(lambda message: answers.append(message) if held else socket.send(message))

    page.route_web_socket("**/_stcore/stream", route)
    page.goto(f"{server}/sides?view=characters&present=1")
    settle(page)
    page.wait_for_function(LISTENS)
    page.set_viewport_size({"width": 1920, "height": 1080})  # which the server is told a moment later
    held = True
    page.keyboard.press("PageDown")
    page.wait_for_timeout(900)
    held = False
    socket, *late = answers
    for message in late:
        socket.send(message)
    heading(page, "Word senses")
    settle(page)
    heading(page, "Word senses")
    answers[1:], held = [], True
    page.go_back()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_timeout(900)
    held = False
    for message in answers[1:]:
        socket.send(message)
    heading(page, "From both sides")
    settle(page)
    heading(page, "From both sides")
    page.close()


@pytest.mark.slow
def test_a_chart_stands_inside_its_box(open_page):
    page = open_page("/senses?shown=layers&present=1")
    plot = page.locator(".js-plotly-plot .main-svg").first
    chart = page.get_by_test_id("stPlotlyChart").first
    texts = page.locator(".js-plotly-plot .annotation-text")
    for width, height in [(1280, 720), (1440, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        expect(plot).to_be_visible()
        # Plotly draws again after its box has changed, and the server once more after the picture was fitted.
        box, *parts = still(
            page, lambda: [part.bounding_box() for part in (chart, plot, *texts.all())], quiet=1200
        )
        for drawn in filter(None, parts):  # Plotly keeps a few empty ones
            with at(f"{width}x{height}"):
                assert drawn["x"] + drawn["width"] <= box["x"] + box["width"] + 2
                assert drawn["y"] + drawn["height"] <= box["y"] + box["height"] + 2


LECTURE = """# Words
* [The nearest of rain](/vectors?view=neighbours&word=rain)
* [Milk](/masked?text=A%20gallon%20of%20%5BMASK%5D.)
"""


def test_a_dropped_list_of_links_is_a_lecture_and_the_clicker_follows_it(open_page):
    page = open_page("/vectors")
    settle(page)
    page.wait_for_function(DROP, arg=LECTURE)
    expect(page.locator(".st-key-lecture")).to_contain_text("The nearest of rain")
    page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_url("**view=neighbours&word=rain")
    settle(page)
    page.locator("h1").click()
    page.keyboard.press("p")
    views = page.locator(".st-key-vectors-view [role=radiogroup]")
    expect(page.get_by_role("button", name="Controls")).to_be_visible()
    expect(views).not_to_be_visible()
    page.keyboard.press("k")
    expect(views).to_be_visible()
    turn(page, "PageDown", "Milk")
    page.wait_for_url("**gallon**")
    turn(page, "PageUp", "The nearest of rain")
    page.wait_for_url("**word=rain**")
