"""The page Fine-tuning in Chromium: ten typed sentences make a head that answers; every view draws."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import expect, still

TURN = "[data-testid=stMain] .turn"
SENTENCES = """\
the soup was wonderful | happy
what a lovely evening | happy
we danced all night | happy
my best birthday so far | happy
the sun came out for us | happy
I lost my keys again | sad
the dog is ill | sad
nobody came to the party | sad
the roof leaks and it rains | sad
we missed the last train | sad"""


def rest(page: Page) -> None:
    still(page, lambda: page.url)


def choose(page: Page, view: str) -> None:
    page.get_by_role("radio", name=view, exact=True).or_(
        page.get_by_role("button", name=view, exact=True)
    ).click()


@pytest.mark.slow
def test_ten_typed_sentences_make_a_head_that_is_used(open_page):
    page = open_page("/finetuning", wait_for=TURN)
    rest(page)
    page.get_by_role("button", name="View examples").click()
    box = page.get_by_role("dialog").get_by_label("Examples", exact=True)
    box.fill(SENTENCES)
    page.get_by_role("button", name="Use these examples").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("There is no head for these examples yet.")).to_be_visible()
    page.locator(TURN).click()
    expect(page.locator(TURN)).to_have_text("Train again", timeout=180_000)
    names = page.locator(".row .name")
    expect(page.locator(".stage path")).to_have_count(10)

    page.locator("textarea").first.fill("A wonderful evening with lovely soup.")
    expect(names).to_have_text(["happy", "sad"])
    happy = page.locator(".row", has_text="happy")
    expect(happy).to_have_class("row first")
    page.locator("textarea").first.fill("The dog lost its keys again.")
    expect(page.locator(".row", has_text="sad")).to_have_class("row first")

    choose(page, "Every word")
    rest(page)
    choose(page, "One sentence")
    rest(page)
    expect(names).to_have_text(["happy", "sad"])
    expect(page.locator(TURN)).to_have_text("Train again")


@pytest.mark.slow
def test_a_second_visitor_waits_in_line_and_stop_keeps_the_best_so_far(open_page):
    first, second = (open_page(f"/finetuning?body=whole&seed={seed}", wait_for=TURN) for seed in (1, 2))
    note = ".row .note"
    for page in (first, second):
        rest(page)
        page.locator(TURN).click()
        expect(page.locator(TURN)).to_have_text("Stop")
    expect(second.locator(note)).to_contain_text("you are first in line")
    expect(first.locator(note)).to_have_text(re.compile(r"step ([3-9]|\d\d) of"), timeout=90_000)
    first.locator(TURN).click()
    expect(first.locator(note)).to_have_text("Stopped: the last head answers", timeout=60_000)
    expect(first.locator(".rb-now")).to_contain_text("your own head")
    expect(second.locator(note)).to_have_text(re.compile("Getting ready|step"), timeout=60_000)
    second.locator(TURN).click()
    expect(second.locator(note)).to_contain_text("Stopped", timeout=60_000)

    dot, film = first.locator(".stage path").first, first.get_by_label("The training, from before to after")
    after = still(first, lambda: dot.get_attribute("transform"))  # it glides
    first.get_by_role("button", name="before", exact=True).click()
    expect(film).to_have_value("0")
    expect(dot).not_to_have_attribute("transform", after)
    first.get_by_role("button", name="after", exact=True).click()
    expect(dot).to_have_attribute("transform", after)
