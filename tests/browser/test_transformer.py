"""The Transformer page: a layer is walked through by keys, and a click follows a number back."""

import pytest

from tests.browser.waiting import expect, settle, still


@pytest.mark.slow
def test_a_layer_is_walked_through_by_keys(open_page):
    page = open_page("/transformer?view=steps&text=The+old+ferry+left.&word=2", wait_for=".card")
    page.locator(".main").focus()
    expect(page.locator(".title")).to_have_text("Layer 4, head 11: from the word to the guess")
    expect(page.locator(".value.follows")).to_have_count(7)
    before = page.locator(".value.follows").last.inner_text()
    page.get_by_role("slider", name="Number that is followed").fill("7")
    expect(page.locator(".value.follows").last).not_to_have_text(before)
    expect(page.locator(".guess .line")).to_have_count(3)
    settle(page)
    page.locator(".main").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".title")).to_have_text("5  Scores")
    expect(page.locator(".code")).to_have_text("scores = q @ k.T / math.sqrt(d_head)")
    expect(page.locator(".numbers span")).to_have_count(7)
    before = page.locator(".numbers").inner_text()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".numbers")).not_to_have_text(before)
    page.get_by_role("button", name="All words").click()
    expect(page.locator(".labels .chosen")).to_have_text("ferry")
    page.wait_for_url(lambda url: all(part in url for part in ("step=scores", "word=3", "way=all")))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".title")).to_have_text("4  Query, key, value")
    parts = [page.locator(f".item.value {part}").first for part in (".head", ".cells")]
    head, cells = still(page, lambda: [part.bounding_box() for part in parts])
    assert head["y"] + head["height"] <= cells["y"] + 1, "the values' name is above them, as that of the keys"
    page.locator(".stop", has_text="Scores").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stop:focus")).to_have_text("Softmax")


@pytest.mark.slow
def test_a_click_follows_a_number_back(open_page):
    page = open_page(
        "/transformer?view=steps&text=The+boat+drifted+to+the+bank.&step=softmax&word=2", wait_for=".numbers"
    )
    settle(page)
    strip = page.locator(".item.attention canvas")
    box = strip.bounding_box()
    strip.hover(position={"x": box["width"] * 0.3, "y": 10})
    expect(page.locator(".says")).to_contain_text("attention weight: boat reads boat: 0.")
    strip.click(position={"x": box["width"] * 0.3, "y": 10})
    expect(page.locator(".heading")).to_contain_text("A: boat reads boat = 0.")
    expect(page.locator(".mark:not(.from)")).to_have_count(1)
    page.locator(".part").first.click()
    expect(page.locator(".title")).to_have_text("5  Scores")
    expect(page.locator(".heading")).to_contain_text("S: boat reads boat")
    page.locator(".part").first.click()
    expect(page.locator(".title")).to_have_text("4  Query, key, value")
    expect(page.locator(".heading")).to_contain_text("Q of boat, number")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".heading")).to_contain_text("S: boat reads boat")
    page.locator(".main").press("Escape")
    expect(page.locator(".heading")).to_have_count(0)


@pytest.mark.slow
def test_a_rotated_pair_that_is_pointed_at_says_its_numbers(open_page):
    page = open_page("/transformer?view=steps&model=smollm2&step=rotate", wait_for=".rotation")
    for name, kind in (("Q", "before"), ("K", "after")):
        page.locator(".circle", has_text=name).locator(f".{kind} circle").hover()
        expect(page.locator(".says")).to_contain_text(f", {kind}: ")
    page.locator(".title").hover()
    expect(page.locator(".says")).to_contain_text("Two numbers are a point in the plane")


@pytest.mark.slow
def test_a_part_of_the_overview_opens_its_view(open_page):
    page = open_page("/transformer", wait_for=".part")
    page.locator(".part").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".says")).to_contain_text("+ position: ")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "view=positions" in url)
