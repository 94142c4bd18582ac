"""The map with as many dots as a long text has: a canvas, and every dot within reach.

The map is drawn alone, see test_draw_alone.py.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from playwright.sync_api import Browser, Page

from explorer.views.senses import map_data as charts
from explorer.views.senses.grouping import Grouping
from explorer.views.senses.map_player import MAP_PX
from explorer.views.widgets.marks import mark
from tests.browser.alone import bare_page, load
from tests.browser.conftest import SIZE
from tests.browser.waiting import becomes, expect, still

STOPS, GROUPS = 8, 4
# As the page does it: a dot that is locked comes back with the dots nearest to it.
DRAW = """([data, near]) => {
  const root = document.querySelector('.root');
  const send = (name, value) => {
    if (name === 'lock') draw(root, { ...data, locked: value, near: value ? near : [] }, send);
  };
  draw(root, data, send);
  return document.getAnimations().filter((one) => one.transitionProperty === 'transform').length;
}"""
PLACES = "all => all.map(one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y])"


def picture(count: int, axes: int) -> dict[str, Any]:
    """The data of a map of so many dots, in four clouds that part from stop to stop."""
    generator = torch.Generator().manual_seed(0)
    group = torch.arange(count) % GROUPS
    centres = torch.randn(GROUPS, axes, generator=generator)[group] * 0.4
    noise = torch.randn(count, axes, generator=generator) * 0.12
    planes = [stop / (STOPS - 1) * (centres + noise) for stop in range(STOPS)]
    unit = float(torch.cat(planes).abs().max())
    groups = Grouping([f"group {g}" for g in range(GROUPS)], group.tolist(), [[] for _ in range(GROUPS)])
    return {
        "label": f"Map of {count} occurrences",
        "height": MAP_PX,
        "axes": axes,
        "unit": unit / charts.GRAIN,
        "dots": [
            {"id": str(i), "mark": g, "sense": f"group {g}", "parts": ("the ", "word", f" {i}"), "pair": ""}
            for i, g in enumerate(group.tolist())
        ],
        "marks": [*map(mark, range(GROUPS)), mark(None)],
        "names": charts.names(groups),
        "stops": ["word alone", "embedding", *(f"layer {n}" for n in range(1, STOPS - 1))],
        "frames": charts.frames(planes, unit),
        "contours": None,
        "lines": [""] * STOPS,
        "first": -1,
        "layer": STOPS - 2,
        "locked": "",
        "near": [],
    }


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """opened(2000, axes=3) -> a page with nothing but the map of so many dots."""
    with bare_page(browser, SIZE) as page:

        def open_(dots: int, axes: int = 2) -> Page:
            load(page, "senses/sense_map")
            flying = page.evaluate(DRAW, [picture(dots, axes), [[1, 2, 3]] * STOPS])
            assert flying == 0, "what is new has its place at once"
            settle(page, ".name")
            return page

        yield open_


def settle(page: Page, moving: str) -> None:
    still(page, lambda: page.locator(moving).evaluate_all(PLACES), idle="body")


def ink(page: Page) -> int:
    """How many pixels of the canvas are painted."""
    return page.locator("canvas").first.evaluate(
        "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
        ".data.filter((value, i) => i % 4 === 3 && value).length"
    )


@pytest.mark.slow
def test_two_thousand_dots_are_painted_and_play(opened):
    page = opened(2000, axes=3)
    becomes(page, lambda: ink(page) > 10_000, True)
    page.locator(".play").click()
    expect(page.locator(".where")).to_have_text(re.compile("layer [3-6]"))  # none is shown for long
    page.locator(".play").click()


def test_all_of_many_dots_can_be_reached_by_hand_and_by_key(opened):
    page = opened(2000)
    names = page.locator(".name").all_text_contents()
    assert names == [f"group {g}" for g in range(4)]
    walker = page.locator(".dot")
    expect(walker).to_have_count(1)
    walker.focus()
    page.keyboard.press("ArrowRight")
    expect(walker).to_have_attribute("aria-label", "the word 1 group 1")
    expect(page.locator(".tip.on")).to_contain_text("the word 1")
    page.keyboard.press("Enter")
    expect(walker).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".links line")).to_have_count(3)
    expect(page.locator(".rings .locked")).to_have_count(1)
    box = page.locator(".rings .locked").bounding_box()
    page.keyboard.press("Escape")
    expect(page.locator(".links line")).to_have_count(0)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".rings .locked")).to_have_count(1)


@pytest.mark.slow
def test_names_of_many_dots_stay_clear_of_one_another_and_of_the_dots(opened):
    page = opened(300)
    expect(page.locator(".dot")).to_have_count(300)
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        page.locator("input[type=range]").press(key)
        settle(page, ".name, .dot")
        touching = page.evaluate(
            """() => {
              const box = (e) => e.getBoundingClientRect();
              const names = [...document.querySelectorAll('.name')].map(box);
              const dots = [...document.querySelectorAll('.dot .shape')].map(box);
              const meet = (a, b) => a !== b && a.left + 4 < b.right && b.left + 4 < a.right
                && a.top + 8 < b.bottom && b.top + 8 < a.bottom;
              return names.filter((a) => [...names, ...dots].some((b) => meet(a, b))).length;
            }"""
        )
        assert touching == 0
