"""What a screen reader finds and hears: navigation, headings, names, the table, and one live region."""

import re

import pytest

from explorer.views.widgets.registry import VIEWS
from tests.browser.alone import draw, load
from tests.browser.waiting import appears, expect, follow, settle

HOSTILE = "</script><img src=x onerror=alert(1)>"
# A part that a component draws, whose changes are announced.
SPEAKING = """
import { announceChanges } from "../widgets/live.js";
export function draw(root, data) {
  if (!root.line) announceChanges((root.line = root.appendChild(document.createElement("p"))));
  root.line.textContent = data.text;
}
"""


def test_a_page_has_its_parts_by_name_and_says_what_has_changed(open_page):
    page = open_page("/masked", wait_for=".rb-first")
    pages = page.get_by_role("navigation", name="Pages")
    expect(pages.locator("[aria-current=page]")).to_have_text("Masked words")
    for name in ("Undo the last change", "Reset this page"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("region", name="Picture: Predict")).to_have_count(1)
    expect(page.get_by_role("heading", level=2)).to_have_count(5)
    live = page.locator("#rb-live")
    expect(live).to_have_count(1)
    expect(live).to_be_empty()
    page.locator(".st-key-presets button").nth(1).click()
    expect(live).to_contain_text("Grammar")
    assert page.locator("[aria-live]").count() == 1


def test_a_link_leads_to_the_picture_and_the_numbers_are_a_table_once_it_is_opened(open_page):
    page = open_page("/", wait_for=".rb-skip")
    page.locator(".rb-skip").focus()
    expect(page.locator(".rb-skip")).to_be_in_viewport()
    address = page.url
    page.keyboard.press("Enter")
    expect(page.locator("#rb-picture")).to_be_focused()
    assert page.url == address
    assert page.locator("table").count() == 0
    page.get_by_text("The numbers as a table").click()
    table = page.get_by_role("table", name=re.compile("Start here, Guesses: 6 rows"))
    expect(table.get_by_role("rowheader").first).to_have_text("money")
    expect(table.get_by_role("columnheader")).to_have_text(["rank", "word", "probability"])


def test_the_title_names_page_and_view_and_does_not_flicker(open_page):
    page = open_page("/vectors?view=neighbours", wait_for=".rb-first")
    expect(page).to_have_title("Word vectors: Neighbours · Riverbank")
    settle(page)
    page.evaluate(
        """() => { window.titles = []; new MutationObserver(() => titles.push(document.title))
        .observe(document.querySelector("title"), { childList: true }); }"""
    )
    page.get_by_role("radio", name="Analogies").click()
    expect(page).to_have_title("Word vectors: Analogies · Riverbank")
    assert set(page.evaluate("titles")) == {"Word vectors: Analogies · Riverbank"}


def test_only_what_has_come_to_rest_is_said(bare, tmp_path):
    (tmp_path / "widgets").symlink_to(VIEWS / "widgets")
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "speaking.js").write_text(SPEAKING, encoding="utf-8")
    bare.clock.install(time=0)
    bare.clock.pause_at(1_000)
    load(bare, "toy/speaking", tmp_path)
    said = "() => document.querySelector('#rb-live')?.textContent ?? ''"
    draw(bare, {"text": "as it is drawn"})
    bare.clock.run_for(1_200)
    assert bare.evaluate(said) == ""
    for text in ("one", "two", HOSTILE):
        draw(bare, {"text": text})
        bare.clock.run_for(900)
        assert bare.evaluate(said) == ""
    bare.clock.run_for(200)
    expect(bare.locator("#rb-live p")).to_have_text([HOSTILE])


def test_a_written_text_is_said_when_it_is_finished(bare):
    load(bare, "continuations/stream")
    chip = {"first": 0, "last": 0, "mark": "", "colour": "", "ink": "", "tip": "rank 1"}
    chips = [chip | {"text": text} for text in (" a", " mat", "\n", ".")]
    base = {"run": 1, "answers": 0, "prompt": "We sat on", "bare": False, "ramp": ["#fff"] * 8, "note": ""}
    base |= {"button": "Stop", "locked": -1, "back": False, "forward": False}
    for count in range(1, 5):
        draw(bare, base | {"count": count, "chips": chips[:count], "going": count < 4})
        if count == 1:
            expect(bare.locator("#rb-live")).to_have_text("Writing.")
    live = bare.locator("#rb-live")
    expect(live).to_have_text(re.compile(r"^a mat\s+\.$"))
    expect(bare.get_by_role("button", name="line end: rank 1")).to_have_count(1)


@pytest.mark.slow
def test_the_first_guess_is_said_once_when_the_guesses_change(open_page):
    page = open_page("/", wait_for=".rb-first")
    live = page.locator("#rb-live")
    settle(page)
    page.get_by_role("button", name="lent: press to hide", exact=True).press("Enter")
    expect(live).to_have_text(re.compile(r"^\s*First guess: \w+, \d+%\s*$"))
    expect(page.get_by_role("button", name="gap: press to fill it", exact=True)).to_have_count(1)
    expect(page.get_by_role("button", name="gap: press to guess it", exact=True)).to_have_count(1)
    follow(page, "/masked?beside=false")
    appears(page, ".st-key-masked-probe")
    settle(page)
    box = page.get_by_label("A sentence with [MASK] in it")
    live.evaluate("region => region.replaceChildren()")  # what the first page said
    box.fill("The nurse gave the [MASK] a pill.")
    box.press("Enter")
    once = r"^(?:(?!First guess).)*First guess: \w+, \d+%(?:(?!First guess).)*$"
    expect(live).to_have_text(re.compile(once, re.DOTALL))
    follow(page, "/attention")
    settle(page)
    stops = page.locator(".rb-term[tabindex='0']").evaluate_all(
        "all => all.map((term) => term.dataset.meaning)"
    )
    assert len(stops) == len(set(stops)) < page.locator(".rb-term").count()
