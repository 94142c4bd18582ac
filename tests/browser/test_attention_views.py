"""The attention page's views beside its heads, in real Chromium: keys suffice, numbers are the model's."""

import re

import pytest
from playwright.sync_api import Page

import explorer
from explorer.analysis.attention import rollout
from explorer.analysis.attention.inside_head import inside
from tests.browser.test_attention import TWINS, TWINS_LINK
from tests.browser.waiting import becomes, expect, settle

pytestmark = pytest.mark.slow

HOSTILE = "We saw </script> by the </script> bank."


def test_inside_a_head_by_pointer_and_by_keys(open_page):
    page = open_page(f"/attention?{TWINS_LINK}&view=inside", wait_for=".strip")
    settle(page)
    trace = explorer.load("bert").trace(TWINS["text"])
    head = inside(trace, TWINS["layer"], TWINS["head"])
    expect(page.locator(".says")).to_have_text(
        re.compile(r"^Head L3H10: “boat \(2\)” attends to “boat \(1\)” with weight \d+\s?%")
    )
    query, key = 15, 2
    shown = [float(text[:-1]) / 100 for text in page.locator(".entries .weight .number").all_inner_texts()]
    assert all(abs(a - b) < 0.0051 for a, b in zip(shown, head.weights[query].tolist(), strict=True))
    score = head.scores(query)[key]
    expect(page.locator("p.sum")).to_contain_text(f"q · k = {score * head.scale:.2f}")
    expect(page.locator("p.sum")).to_contain_text(f"score {score:.2f}")
    last = page.locator(".step").last.bounding_box()
    assert last["y"] + last["height"] <= 720, "all steps stand in view"

    page.locator(".entries button").nth(6).hover()
    expect(page.locator(".says")).to_contain_text("attends to “bridge (1)”")
    page.locator(".strip .bars").nth(2).hover()
    expect(page.locator(".says")).to_have_text(re.compile(r"^Number \d+ of 32: q −?\d+\.\d\d × k"))
    page.locator(".words button.locked").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**token=*")
    expect(page.locator(".words .locked")).to_have_attribute("aria-label", "from the (3)")
    expect(page.locator(".hint")).to_have_text("Press what is chosen again to return to the strongest pair")
    page.locator(".words button.locked").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".hint")).to_have_text("This is the strongest pair. Press any token.")
    expect(page.locator(".words .locked")).to_have_attribute("aria-label", "from boat (2)")


def test_the_river_is_chosen_on_the_left_read_on_the_right_and_flow_comes_when_asked(open_page):
    page = open_page(
        f"/attention?{TWINS_LINK}&view=layers&across_layer=2&across_special=true", wait_for=".strands"
    )
    settle(page)
    trace = explorer.load("bert").trace(TWINS["text"])
    read = rollout.rollout(rollout.steps(trace))[2]
    page.locator(".from .row").nth(2).click()
    page.wait_for_url("**token=*")
    expect(page.locator(".says")).to_have_text(re.compile(r"^boat \(1\) at layer 2, by rollout: "))
    numbers, shares = page.locator(".words .rollout .number"), read[2].tolist()
    becomes(
        page,
        lambda: [float(t[:-1]) / 100 for t in numbers.all_inner_texts()],
        pytest.approx(shares, abs=6e-3, rel=0),
    )
    visible = ".strand:not([style*='hidden'])"
    every = page.locator(visible).count()
    page.locator(".words .row").nth(6).hover()
    expect(page.locator(".says")).to_contain_text("boat (1) from bridge (1)")
    becomes(page, lambda: 0 < page.locator(visible).count() != every, True)
    expect(page.locator(".words .flow .number:visible")).to_have_count(0)
    page.get_by_role("button", name="compute flow").click()
    expect(page.locator(".words .flow .number:visible")).to_have_count(len(trace.tokens))
    flows = [float(t[:-1]) / 100 for t in page.locator(".words .flow .number").all_inner_texts()]
    shown = [float(t[:-1]) / 100 for t in numbers.all_inner_texts()]
    assert all(flow >= share - 0.01 for flow, share in zip(flows, shown))


def test_two_sentences_are_compared_and_a_head_of_the_list_is_taken(open_page):
    other = HOSTILE.replace("saw", "sat")
    page = open_page(f"/attention?view=compare&text={HOSTILE}&compare_text={other}", wait_for=".cells")
    settle(page)
    expect(page.locator(".word").first).to_have_text("[CLS]")
    assert page.locator(".rows").inner_text().count("script") == 2
    page.locator(".difference .stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**compare_cell=*")
    expect(page.locator(".says")).to_have_text(re.compile(r"attends to “.*: "))
    expect(page.locator(".hint")).to_have_text("a second press releases it")
    page.keyboard.press("Escape")
    expect(page.locator(".hint")).to_have_text("press a cell to lock it")
    third = page.locator("button.head").nth(2)
    name = third.locator("b").inner_text()
    third.click()
    expect(page.locator("button.head.chosen b")).to_have_text(name)
    expect(page.locator(".first .legend")).to_have_text(f"head {name}")
    _other_model(page)


def _other_model(page: Page) -> None:
    page.get_by_role("radio", name="Models").click()
    expect(page.locator(".second .title")).to_have_text("GPT")
    expect(page.locator(".word").first).to_have_text("[CLS] / –")
