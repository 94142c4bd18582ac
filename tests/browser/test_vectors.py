"""The word vectors page in Chromium: every view draws, training moves the dots and stops."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, still

TRAIN = "[data-testid=stMain] .turn"


def places(page: Page) -> list[str]:
    return page.locator(".dot").evaluate_all("all => all.map(dot => dot.style.transform)")


def overlaps(page: Page) -> list[tuple[int, int]]:
    """Pairs of names whose letters touch; a name’s box has an outline and the line’s height around it."""
    boxes = page.locator(".word").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")

    def apart(a: dict, b: dict) -> bool:
        return any(
            one[x] + one[size] - spare <= other[x]
            for x, size, spare in (("x", "width", 6), ("y", "height", 13))
            for one, other in ((a, b), (b, a))
        )

    return [(i, j) for i in range(len(boxes)) for j in range(i) if not apart(boxes[i], boxes[j])]


def rest(page: Page) -> None:
    still(page, lambda: (places(page), overlaps(page)))


def choose(page: Page, view: str) -> None:
    page.get_by_role("radio", name=view, exact=True).or_(
        page.get_by_role("button", name=view, exact=True)
    ).click()


@pytest.mark.slow
def test_names_stay_clear_of_one_another_and_cells_have_colours(open_page):
    page = open_page("/vectors?view=analogies", "dark", wait_for=".dot")
    expect(page.locator(".arrows .step")).to_have_count(2)
    expect(page.locator(".dot")).to_have_count(5)
    expect(page.locator(".word")).to_have_count(5)
    rest(page)
    assert overlaps(page) == []

    choose(page, "Map")
    expect(page.locator(".legend span")).to_have_count(4)
    rest(page)
    expect(page.locator(".dot")).to_have_count(20)
    expect(page.locator(".word")).to_have_count(20)
    assert overlaps(page) == []
    page.locator(".dot").first.hover(force=True)
    expect(page.locator(".tip.on").first).to_contain_text("nearest: ")

    choose(page, "One-hot")
    expect(page.locator(".cell.one")).to_have_count(4)
    grounds = page.locator("canvas").first.evaluate(
        "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
    )
    assert grounds > 20, "cells of many colours"


@pytest.mark.slow
def test_training_moves_the_dots_and_stops(open_page):
    # Many numbers and negatives: long enough that Stop comes before the end.
    page = open_page("/vectors?view=train&dimensions=100&negatives=20&window=10", wait_for=".dot")
    rest(page)
    before = places(page)
    page.locator(".dot").first.evaluate("dot => { dot.kept = true; }")
    page.locator(TRAIN).click()
    expect(page.locator(TRAIN)).to_have_text("Stop")
    latest = page.locator(".value")
    expect(latest).to_contain_text("at step ")
    expect(page.locator(".lit").first).to_be_visible()
    first = int(latest.inner_text().split()[-1])
    far = re.compile(f"at step (?!{first}$)")
    for _ in range(3):  # three more turns
        expect(latest).to_have_text(far)
        far = re.compile(f"at step (?!{latest.inner_text().split()[-1]}$)")
    page.locator(TRAIN).click()
    expect(page.locator(TRAIN)).to_have_text("Continue")
    rest(page)
    stopped, at = places(page), latest.inner_text()
    moved = sum(a != b for a, b in zip(before, stopped))
    assert moved > 0.7 * len(before), "the dots glided"
    assert page.locator(".dot").first.evaluate("dot => dot.kept"), "the picture was not made anew"
    page.wait_for_timeout(1500)
    assert (places(page), latest.inner_text()) == (stopped, at), "nothing goes on after Stop"


@pytest.mark.slow
def test_a_click_walks_to_a_neighbour(open_page):
    page = open_page("/vectors?view=neighbours", wait_for=".list .row")
    second = page.locator(".list .row .token").nth(1).inner_text()
    page.locator(".list .row").nth(1).click()
    expect(page.locator("textarea")).to_have_value(second)
    expect(page.get_by_role("button", name="king: press to go back")).to_be_visible()
