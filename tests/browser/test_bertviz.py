"""BertViz in real Chromium: what is drawn is counted, in both themes, with a token that would break out."""

import math
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

import explorer
from explorer.trace import Capture
from tests.browser.test_attention import TWINS, TWINS_LINK
from tests.browser.waiting import becomes, expect

pytestmark = pytest.mark.slow

TYPED = "</script><script>parent.name='x';name='x'</script> key"
BEHIND = "getComputedStyle(document.body).backgroundColor"


def ground_of(page: Page) -> str:
    return page.locator(".stApp").evaluate("app => getComputedStyle(app).backgroundColor")


def test_each_view_draws_what_was_typed_in_the_themes_colours(open_page):
    page = open_page(
        f"/attention?view=heads&layers=[1,2]&text={quote(TYPED)}", wait_for=".st-key-bertviz iframe"
    )
    ground = ground_of(page)
    frame = page.frame_locator("iframe")
    left = frame.locator("#left text")
    expect(left.last).to_have_text("[SEP]")
    tokens = left.all_text_contents()
    count = len(tokens)
    assert tokens.count("script") == 3 and "<" in tokens
    expect(frame.locator("#attention line")).to_have_count(12 * count**2)

    page.get_by_role("radio", name="Model", exact=True).click()
    expect(frame.locator(".attn_background")).to_have_count(2 * 12)
    expect(frame.locator("svg line")).to_have_count(2 * 12 * count**2)
    expect(frame.locator("svg > text")).to_have_text(["Heads", *map(str, range(1, 13)), "Layers", "2", "3"])
    page.mouse.move(400, 400)  # a frame hears of a pointer once it has moved since the last press
    frame.locator("svg > g > rect:last-child").nth(12 + 5).click()
    expect(frame.locator("text.detail")).to_have_text("Layer 3, Head 6")
    expect(frame.locator(".detail .token")).to_have_text(2 * tokens)
    assert frame.locator("body").evaluate(f"() => {BEHIND}") == ground
    frame.locator("body").evaluate("() => { window.kept = true; }")
    page.get_by_role("button", name="Add a second sentence").click()
    expect(page.locator("textarea")).to_have_count(2)
    assert frame.locator("body").evaluate("() => window.kept"), (
        "what does not matter to it does not reload it"
    )

    page.get_by_role("radio", name="Neurons", exact=True).click()
    expect(frame.locator("#expanded #leftText .token")).to_have_text(tokens)
    expect(frame.locator("#expanded")).to_have_attribute("visibility", "visible")
    expect(frame.locator("#expanded .element")).to_have_count(3 * count * 32)
    assert frame.locator("body").evaluate(f"() => {BEHIND}") == ground
    assert page.evaluate("window.name") == "" and frame.locator("body").evaluate("() => window.name") == ""
    page.wait_for_url("**bertviz=neurons*")
    inside = page.frames[1]
    inside.wait_for_function("innerWidth <= document.querySelector('svg').getBoundingClientRect().right + 30")
    inside.wait_for_function("innerHeight >= document.documentElement.scrollHeight - 1")


def test_the_neuron_view_computes_from_our_queries_and_keys_and_a_click_holds(open_page):
    layer, head = TWINS["layer"], TWINS["head"]
    pair = "She saw it."
    trace = explorer.load("bert").trace(TWINS["text"], pair, Capture.ATTENTION)
    attention = trace.attention
    queries, keys = attention.queries[layer, head], attention.keys[layer, head]
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])

    page = open_page(
        f"/attention?{TWINS_LINK}&view=neurons&pair={quote(pair)}", "dark", ".st-key-bertviz iframe"
    )
    frame = page.frame_locator("iframe")
    locked = frame.locator("#expanded .locked .token")
    expect(locked).to_have_text("it")  # the last word of all
    assert frame.locator("body").evaluate(f"() => {BEHIND}") == ground_of(page), "in the dark as well"

    def shown(row: int, columns=slice(None)) -> None:
        values = "all => all.map((square) => Number(square.dataset.value))"
        squares, wanted = frame.locator("#expanded .dotproduct"), scores[row, columns].tolist()
        becomes(page, lambda: squares.evaluate_all(values), pytest.approx(wanted, abs=0.01))

    def weights() -> list[float]:
        grounds = frame.locator("#expanded #rightText .highlight")
        return grounds.evaluate_all("all => all.map((ground) => Number(ground.style.opacity))")

    rows = frame.locator("#expanded #leftText > g > text")
    last = trace.tokens.index("it")
    shown(last)
    becomes(page, weights, pytest.approx(attention.pattern[layer, head, last].tolist(), abs=1e-3))
    rows.nth(2).click()
    expect(locked).to_have_text("boat")
    rows.nth(8).hover()
    shown(2)  # the pointer on another token changes nothing while one is locked
    page.keyboard.press("ArrowDown")
    expect(locked).to_have_text("is")
    page.keyboard.press("Escape")
    expect(frame.locator(".locked")).to_have_count(0)
    rows.nth(2).click()
    frame.locator("#filter").select_option("First reads second")
    second = trace.encoding.segments.tolist().index(1)
    expect(frame.locator("#expanded #rightText .token")).to_have_count(len(trace.tokens) - second)
    expect(locked).to_have_text("boat")
    shown(2, slice(second, None))
