"""What hovering says, a tap says too, and it stays until another tap elsewhere or Escape."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize

from explorer.views.look.theme import LIGHT, css_variables
from tests.browser.alone import draw, load
from tests.browser.waiting import at, expect, follow, settle, still

SIZE = ViewportSize(width=390, height=800)
WORDS = {"tokens": [{"text": "bank", "title": "rare"}, {"text": "river", "title": "common"}], "label": "W"}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page of a telephone: fingers, and no mouse."""
    context = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_a_tap_says_what_hovering_says_until_one_elsewhere_or_escape(phone):
    phone.set_content('<div class="root" style="width: 300px"></div><p>elsewhere</p>')
    phone.add_style_tag(content=f":root {{ {css_variables(LIGHT)} }}")
    load(phone, "widgets/token_strip")
    draw(phone, WORDS | {"active": False})
    shown = phone.locator(".tip.on")
    phone.get_by_text("bank").tap()
    expect(shown).to_have_text("rare")
    phone.get_by_text("river").tap()
    expect(shown).to_have_text("common")
    phone.get_by_text("elsewhere").tap()
    expect(shown).to_have_count(0)
    phone.get_by_text("bank").tap()
    expect(shown).to_have_text("rare")
    phone.keyboard.press("Escape")
    expect(shown).to_have_count(0)


# Where a picture says what is pointed at, what is tapped for that, and with which mark it shows it.
TOLD = {
    "/home": [(".st-key-picture .row", ".tip.on")],
    "/masked": [(".st-key-picture .row", ".tip.on")],
    "/vectors?view=one-hot": [(".st-key-picture .line > :nth-child(3)", ".tip.on")],
    "/sides?view=characters": [(".st-key-picture .letter", ".tip.on")],
    "/heads": [(".st-key-picture .cell", ".tip.on")],
    "/probing": [(".st-key-picture .cell", ".tip.on")],
    "/transformer": [(".st-key-picture .part", ".says:not(:has-text('Point at'))")],
    "/finetuning": [(".st-key-picture .stage path", ".tip.on")],
    "/models?view=predicted": [(".st-key-picture .cell", ".tip.on")],
}


@pytest.mark.slow
def test_every_page_says_by_touch_what_it_says_to_a_mouse(phone, server):
    phone.goto(server)
    for address, parts in TOLD.items():
        with at(address):
            follow(phone, address if address != "/home" else "/")
            settle(phone)
            for part, mark in parts:
                tap(phone.locator(part).nth(1))
                expect(phone.locator(mark).first).to_be_visible()
                phone.keyboard.press("Escape")
                if mark == ".tip.on":
                    expect(phone.locator(mark)).to_have_count(0)


def tap(part: Locator) -> None:
    """Tap the middle of a part, which may be a shape beside others."""
    part.evaluate("part => part.scrollIntoView({ block: 'center' })")  # not under what stands at an edge
    part.tap(force=True)


@pytest.mark.slow
def test_a_tap_opens_a_title_and_the_end_of_a_text_that_is_cut(phone, server):
    phone.goto(f"{server}/attention")
    settle(phone)
    title = phone.locator(".rb-title")
    chip = phone.locator(".chip[title]:not([title=''])").first
    words = chip.get_attribute("title")
    tap(chip)
    expect(title).to_have_text(words)
    phone.keyboard.press("Escape")
    expect(title).to_be_hidden()


@pytest.mark.slow
def test_a_course_is_taken_at_the_foot_of_a_phone(phone, server):
    phone.goto(server)
    settle(phone)
    phone.get_by_role("button", name="by yourself").tap()
    settle(phone)
    question, following = phone.locator(".st-key-lecture-question"), phone.get_by_role("button", name="Next")
    expect(following).to_be_in_viewport(ratio=1)
    following.tap()
    reminder = phone.get_by_text("Choose an answer first.")
    expect(reminder).to_be_in_viewport(ratio=1)
    still(phone, reminder.bounding_box)
    assert reminder.bounding_box()["y"] < following.bounding_box()["y"], "it is above the buttons"
    assert reminder.evaluate("""part => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }"""), "nothing lies over it"
    question.locator("[data-testid=stRadioOption]").first.tap()
    expect(question.locator(".rb-said")).to_contain_text("Not quite.")
    expect(question.locator(".rb-said")).to_be_in_viewport(ratio=1)
    following.tap()
    expect(phone.locator(".st-key-lecture")).to_contain_text("Stop 2 of ")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Tokens")


@pytest.mark.slow
def test_on_a_phone_what_is_set_stands_behind_one_button_and_the_picture_before_what_is_said_of_it(
    phone, server
):
    phone.goto(f"{server}/senses")
    expect(phone.locator(".rb-first")).to_be_visible()
    settle(phone)
    method = phone.get_by_role("radio", name="PCA")
    expect(method).to_be_hidden()
    assert (
        phone.locator(".st-key-picture").bounding_box()["y"] < phone.locator(".rb-first").bounding_box()["y"]
    )
    phone.get_by_text("Controls", exact=True).tap()
    expect(method).to_be_visible()
    phone.goto(server)
    expect(phone.locator(".rb-first")).to_be_visible()
    expect(phone.get_by_text("Controls", exact=True)).to_be_hidden()
