"""What the walk through lectures calls wrong, on pages that have nothing else; and that it finds nothing."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from explorer.room.store import Store
from explorer.views.frame.lecture import lecture
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.lecture.lecture_library import lectures
from explorer.views.frame.navigation import pages
from tests.browser import stage
from tests.browser.conftest import SIZE
from tests.browser.waiting import LONGEST_MS, PARTS_OF, at, expect
from tests.views.opening import page_of

PICTURE = '<div class="st-key-picture" style="font-size: 20px; {}">{}</div>'
COVERED = '<p style="visibility: hidden; margin-left: 1200px; white-space: nowrap">Covered, and laid out</p>'
CUT = '<p style="width: 60px; overflow: hidden; white-space: nowrap">More than its box shows</p>'
WRONG = {
    "outside": PICTURE.format("", COVERED),
    "cut": PICTURE.format("", CUT),
    "overlapping": PICTURE.format("margin-top: -40px", "Over the question"),
    "small": PICTURE.format("", '<span style="font-size: 15px">Too small for the back row</span>'),
    "jargon": PICTURE.format("", "<p>Head L4H2: 0.60</p>"),
    "scrolling": PICTURE.format("height: 50px; overflow-y: auto", '<p style="height: 90px">Scrolls</p>'),
}


def drawn(page: Page, picture: str) -> Page:
    """A stage of a title, a question and this picture."""
    page.set_viewport_size(SIZE)
    style = "font: 20px/1.2 serif; margin: 0"
    question = f'<h1 style="{style}">A stop</h1><p class="rb-question" style="{style}; height: 40px">Why?</p>'
    page.set_content(f'<div data-testid="stMain">{question}{picture}</div>')
    return page


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_on_a_stage_is_seen(bare, kind):
    assert list(stage.look(drawn(bare, WRONG[kind]))) == [kind]


def test_a_stage_on_which_all_is_in_view_has_no_findings(bare):
    assert stage.look(drawn(bare, PICTURE.format("", "<p>All of it</p>"))) == {}


TITLES = {page.name: page.title for page in pages()}
TEXTS = {ready.name: ready.text for ready in lectures() if not ready.asks}
GIVEN = {name: lecture.read(text, TITLES) for name, text in TEXTS.items()}
TWENTY_MINUTES = "five-pictures"
QUESTION = "Poll: Can all of this be read? yes, no"
# How many parts of the picture a selector names, also within components; how many of them are in sight; and
# in how many components, but for boxes of texts, something can be read aloud or pointed at.
PARTS = (
    "selector => {"
    + PARTS_OF
    + """
  const boxed = (e) => (e.getRootNode().host ?? e).closest("[class*=st-key-][class*=-box]");
  const all = partsOf(document.querySelector("[data-testid=stMainBlockContainer]"));
  const parts = all.filter((e) => e.matches(selector));
  const shown = (e) => e.getClientRects().length && getComputedStyle(e).visibility === "visible";
  const seen = parts.filter((e) => !boxed(e) && shown(e));
  const inside = all.filter((e) => e.getRootNode().host?.closest(".st-key-picture") && !boxed(e));
  return [parts.length, seen.length, inside.filter((e) => e.matches(".root:not([inert])")).length];
}"""
)
IN_SIGHT = f"selector => ({PARTS})(selector).slice(0, 2).every(Boolean)"


def choices_shown(page: Page) -> list[tuple[str, ...]]:
    """The rows of choices that can be read."""
    rows = page.locator(".rb-choices").filter(visible=True).all()
    return [tuple(row.locator("li").all_inner_texts()) for row in rows]


def view_of(stop: Item) -> tuple[str, str]:
    """The page and the view of a stop."""
    views = page_of(stop.page).views
    return stop.page, stop.link.get("view", next(iter(views)))


def covered_parts(stop: Item) -> Sequence[str]:
    """The selectors of what a stop covers until its question has been answered."""
    page, view = view_of(stop)
    return page_of(page).views[view].stage.covered


def one_stop_of_each_view() -> list[Item]:
    """The first stop of each view in any lecture but the twenty minutes, all with one question."""
    before = {view_of(stop) for stop in GIVEN[TWENTY_MINUTES] if stop.stop}
    stops = {view_of(stop): stop for items in GIVEN.values() for stop in reversed(items) if stop.stop}
    return [
        replace(stop, notes=(QUESTION,), at_once=True) for view, stop in stops.items() if view not in before
    ]


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_in_the_twenty_minutes_nothing_is_cut_in_any_state_with_a_room(open_page, rooms):
    page = open_page("/")
    stage.open_lecture(page, TEXTS[TWENTY_MINUTES])
    code = stage.open_room(page)
    stage.present(page)
    phones = stage.Phones(page.evaluate("location.origin"), Store(rooms), code)
    stops = {item.text: item for item in GIVEN[TWENTY_MINUTES] if item.stop}
    states: dict[str, list[str]] = {}
    for step in stage.walk(page, phones, stage.SIZES[:1], None):
        states.setdefault(step.stop, []).append(state := step.state.split()[1])
        assert step.findings == {}, stage.printed(step)
        for part in covered_parts(stops[step.stop]) if state in ("asked", "model") else ():
            if state == "model":
                page.wait_for_function(IN_SIGHT, arg=part, timeout=LONGEST_MS)
            number, *visible = page.evaluate(PARTS, part)
            assert number and [bool(count) for count in visible] == 2 * [state == "model"], (step, part)
        poll = stops[step.stop].poll
        if poll and poll.choices and state in ("asked", "open", "closed"):
            assert poll.choices in choices_shown(page), (step, poll)
    assert list(states) == list(stops)
    assert all(each == ["asked", "open", "closed", "class", "model"] for each in states.values()), states


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_at_a_stop_of_each_view_nothing_is_cut_below_the_classs_strip(open_page):
    page = open_page("/")
    stops = one_stop_of_each_view()
    stage.open_lecture(page, lecture.write(stops))
    stage.open_room(page)
    stage.present(page)
    for _ in range(4):
        stage.press(page)
    findings = {}
    for stop in stops:
        expect(page.locator("h1")).to_have_text(stop.text)
        expect(page.locator(".st-key-strip")).to_be_visible()
        with at(stop.text):
            late = [part for part in covered_parts(stop) if not page.evaluate(IN_SIGHT, part)]
            for part in late:  # a model may still read when the page has come to rest
                page.wait_for_function(IN_SIGHT, arg=part, timeout=LONGEST_MS)
            if late:
                stage.rest(page)
        if seen := stage.look(page):
            findings[stop.text] = seen
        if not stage.is_last(page):
            stage.press(page)
    assert findings == {}
