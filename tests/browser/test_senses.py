"""The word senses page in Chromium: dots that glide by themselves, a lock that stays, a room that turns."""

import re
import statistics
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from explorer.views.senses.example_sentences import sentences
from tests.browser.waiting import expect, follow, still, wish_for

# Twelve sentences that are tagged and one that is not: more dots than the opening has.
MANY = "/senses?" + urlencode({"text": f"{sentences('bank')}\nWe saw the bank from the bus."})
SLIDER = "input[type=range]"
PLACES = """dots => dots.map(dot => {
  const [, x, y] = dot.style.transform.match(/translate\\(([-.0-9]+)px, ([-.0-9]+)px/);
  return [Number(x), Number(y)];
})"""

BOXES = """all => all.filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom];
}).filter(([left, top, right, bottom]) => right > left && bottom > top)"""


def at_rest(page: Page) -> None:
    """Wait until the server has answered, the dots have arrived, and names stand beside them.

    A picture that is turned by hand is `driven` until its names have found new places, on a timer of its own.
    """

    def look() -> list | None:
        if page.locator(".stage > svg.driven").count():
            return None
        return [places(page), page.locator(".name").evaluate_all(BOXES)]

    still(page, look)


def places(page: Page) -> list[list[float]]:
    """Where every dot is in the picture."""
    return page.locator(".dot").evaluate_all(PLACES)


# Notes what a player shows from its first stop on, however short: how wide the cloud is, and what was sent.
NOTE_STOPS = """where => {
  window.stops = [];
  new MutationObserver(() => {
    const dots = [...where.getRootNode().querySelectorAll(".dot")];
    const across = dots.map((dot) => dot.getBoundingClientRect().x);
    if (where.textContent === "word alone") window.stops = [];
    const spread = Math.max(...across) - Math.min(...across);
    window.stops.push({ where: where.textContent, spread, sent: window.sent });
  }).observe(where, { childList: true, characterData: true, subtree: true });
}"""


def boxes(page: Page, selector: str, around: tuple[int, int]) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of texts or marks, without the outline and the line's height around them."""
    found = page.locator(selector).evaluate_all(BOXES)
    (w, h) = around
    return [(left + w / 2, top + h / 2, right - w / 2, bottom - h / 2) for left, top, right, bottom in found]


def touching(some: list, others: list) -> list[tuple]:
    """Pairs of boxes that overlap."""
    return [
        (a, b)
        for a in some
        for b in others
        if a is not b and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def assert_names_are_clear(page: Page) -> None:
    """No name touches another one, or a dot."""
    names = boxes(page, ".name, .both .words", (5, 14))
    assert names
    assert touching(names, names) == []
    assert touching(names, boxes(page, ".dot .shape", (2, 2))) == []


@pytest.mark.slow
def test_the_slider_moves_the_dots_and_the_server_follows_without_a_new_picture(open_page):
    page = open_page("/senses", wait_for=".dot")
    expect(page.locator(".dot")).to_have_count(5)
    expect(page.locator(".name")).to_have_text(["money", "river", "blood"])
    at_rest(page)
    assert_names_are_clear(page)
    opening = places(page)
    follow(page, MANY)
    expect(page.locator(".dot")).to_have_count(13)
    expect(page.locator(".name")).to_have_text(["money", "river", "blood", "?"])
    at_rest(page)
    shapes = page.locator(".dot .shape").evaluate_all("all => all.map(p => p.getAttribute('d'))")
    assert len(set(shapes)) == 3, "three senses, three shapes; the unknown one is a ring"
    page.locator(".dot").first.evaluate("dot => { dot.kept = true; }")
    before = places(page)
    scroll = "document.querySelector('[data-testid=stMain]').scrollTop"
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 40)")
    at = page.evaluate(scroll)
    page.locator(SLIDER).focus()
    for layer, presses in ((5, 1), (3, 2), (1, 2), (-1, 2)):
        for _ in range(presses):
            page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**layer={layer}*")
        at_rest(page)
        assert_names_are_clear(page)
        assert page.locator(".dot").first.evaluate("dot => dot.kept"), "the picture was not made anew"
        assert page.evaluate(scroll) == at
    expect(page.locator(".where")).to_have_text("word alone")
    assert len({tuple(place) for place in places(page)}) == 1, "before any sentence the word is one dot"
    assert places(page) != before
    page.get_by_role("button", name="One layer up").click()
    page.wait_for_url("**layer=0*")
    page.get_by_role("button", name="Bank", exact=True).click()  # and the server moves the slider
    expect(page.locator(".where")).to_have_text("layer 6")
    expect(page.locator(".dot")).to_have_count(5)
    at_rest(page)
    assert places(page) == opening


@pytest.mark.slow
def test_the_layers_play_in_the_browser_alone(open_page):
    page = open_page("/senses", wait_for=".dot")
    at_rest(page)
    page.evaluate(
        """() => {
          window.sent = 0;
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (...args) { window.sent += 1; return send.apply(this, args); };
        }"""
    )
    page.locator(".where").evaluate(NOTE_STOPS)
    play = page.locator(".play")
    for speed in ("2×", "½×"):  # a slow computer reads the third stop long before the last
        page.locator(".speed").click()
        expect(page.locator(".speed")).to_have_text(speed)
    expect(play).to_have_attribute("aria-label", "Play the layers")
    play.click()  # at the last layer: from the first
    page.wait_for_function("window.stops[0]?.where === 'word alone' && window.stops.length > 3")
    stops = page.evaluate("window.stops")[:4]
    assert [stop["where"] for stop in stops] == ["word alone", "embedding", "layer 1", "layer 2"]
    assert stops[1]["spread"] < stops[3]["spread"], "the dots part"
    expect(play).to_have_attribute("aria-label", "Pause")
    assert {stop["sent"] for stop in stops} == {0}, "no round trip while it plays"
    page.locator(SLIDER).focus()
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.wait_for_url("**layer=*")
    at_rest(page)
    assert page.evaluate("window.sent") >= 1
    for speed in ("1×", "2×"):
        page.locator(".speed").click()
        expect(page.locator(".speed")).to_have_text(speed)
    play.click()
    expect(page.locator(".where")).to_have_text("layer 6")
    expect(play).to_have_attribute("aria-label", "Play the layers")
    page.wait_for_url(lambda url: "layer=" not in url)  # the default layer stays out of the link
    page.locator(SLIDER).press("Home")
    expect(page.locator(".where")).to_have_text("word alone")


@pytest.mark.slow
def test_a_click_locks_a_dot_and_keeps_it(open_page):
    page = open_page(MANY, wait_for=".dot")
    at_rest(page)
    dot = page.locator(".dot").nth(11)
    dot.locator(".hit").hover()
    tip = page.locator(".tip.on").first
    expect(tip).to_contain_text(sentences("bank").splitlines()[11].partition(" #")[0])
    expect(tip.locator("b")).to_have_text(["bank"])
    dot.locator(".hit").click()
    expect(page.locator(".row")).to_have_count(4)
    expect(dot).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".links line")).to_have_count(4)
    at_rest(page)
    cosines = [float(n) for n in page.locator(".row .number").all_inner_texts()]
    assert cosines == sorted(cosines, reverse=True) and 0 < cosines[-1] <= cosines[0] <= 1
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] + box["height"] <= 720, "the neighbours push nothing out of view"

    page.locator(SLIDER).press("ArrowLeft")
    page.wait_for_url("**layer=5*")
    at_rest(page)
    expect(dot).to_have_attribute("aria-pressed", "true")
    text = page.locator("textarea.many")
    text.fill(text.input_value().replace("bakery", "shop"))
    expect(page.locator(".dot").first).to_have_attribute(
        "aria-label", "The bank lent my sister the money for her first shop. money"
    )
    at_rest(page)
    expect(dot).to_have_attribute("aria-pressed", "true")

    page.locator(".row").first.click()  # on to the nearest neighbour
    expect(dot).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".dot[aria-pressed=true]")).to_have_count(1)
    page.get_by_role("button", name="Release").click()
    expect(page.locator(".row")).to_have_count(0)

    at_rest(page)
    page.locator(".dot[tabindex='0']").focus()  # and all of it by keyboard
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator(".row")).to_have_count(0)


@pytest.mark.slow
def test_three_dimensions_turn_by_hand_and_by_key(open_page):
    page = open_page(f"{MANY}&axes=3", wait_for=".dot")
    at_rest(page)
    front = places(page)
    stage = page.locator(".stage > svg")
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + box["height"] - 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 180, box["y"] + box["height"] - 60, steps=6)
    page.mouse.up()
    at_rest(page)
    turned = places(page)
    assert turned != front
    assert_names_are_clear(page)
    wish_for(page, "dark")
    at_rest(page)
    assert places(page) == turned, "in other colours it is seen from where it was"
    stage.focus()
    page.keyboard.press("ArrowLeft")
    at_rest(page)
    assert places(page) != turned
    page.keyboard.press("Home")
    at_rest(page)
    facing = places(page)
    page.get_by_text("2-D", exact=True).click()
    page.wait_for_url(lambda url: "axes" not in url)
    at_rest(page)
    flat = places(page)
    for axis in (0, 1):  # but for a little perspective
        seen, drawn = ([place[axis] for place in of] for of in (facing, flat))
        assert statistics.correlation(seen, drawn) > 0.93, "from the front the room is the flat picture"
    page.locator(".dot .hit").nth(12).click()
    expect(page.locator(".row")).to_have_count(4)


@pytest.mark.slow
def test_an_example_is_searched_for_and_its_minimal_pairs_stand_alone(open_page):
    page = open_page("/senses", wait_for=".dot")
    page.get_by_role("button", name="Examples").click()
    page.get_by_label("A word with several senses").fill("sprin")
    page.get_by_role("option", name="spring:").click()
    expect(page.locator("textarea").first).to_have_value("spring")
    expect(page.locator(".dot")).to_have_count(12)
    expect(page.get_by_label("A word with several senses")).not_to_be_visible()  # the choice closes it
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("Only minimal pairs").click()
    expect(page.locator("textarea.many")).to_have_value(re.compile(" ~1\n"))
    page.keyboard.press("Escape")
    lines = page.locator("textarea.many").input_value().splitlines()
    assert len(lines) > 8 and all(" ~" in line for line in lines)
    expect(page.locator(".dot")).to_have_count(len(lines))
    at_rest(page)
    page.locator(".dot .hit").first.hover(force=True)
    expect(page.locator(".tip .other").first).to_contain_text("against")
    expect(page.locator(".links .pair").first).to_be_attached()


@pytest.mark.slow
def test_every_way_of_drawing(open_page):
    page = open_page(f"{MANY}&contours=true", wait_for=".dot")
    expect(page.locator(".dot")).to_have_count(13)
    expect(page.locator(".contours path")).to_have_count(6)
    at_rest(page)
    page.get_by_text("LDA", exact=True).click()
    expect(page.locator(".says")).to_contain_text("with shuffled senses")
    page.get_by_text("t-SNE", exact=True).click()
    expect(page.locator(".says")).to_contain_text("keeps neighbours together")
    at_rest(page)
    assert_names_are_clear(page)
    page.get_by_text("Senses", exact=True).click()
    expect(page.locator(".says")).to_contain_text("groups by k-means")
    page.get_by_text("UMAP", exact=True).click()
    expect(page.locator(".says")).to_contain_text("UMAP keeps neighbours")
    expect(page.locator(".dot")).to_have_count(13)
