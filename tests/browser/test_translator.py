"""The Translator, and the decoder step by step: what a click, a key and a new sentence do."""

from urllib.parse import quote

import pytest

from tests.browser.projector import assert_in_view, assert_legible
from tests.browser.sweep import stand
from tests.browser.waiting import appears, at, expect, follow, settle

pytestmark = pytest.mark.slow

TEXT = "the bank by the river"


@pytest.fixture
def address(marian_folder):
    """The address of a view with the tiny translator."""

    def of(**link: str) -> str:
        settings = {
            "view": "translator",
            "model": f"folder:{marian_folder}",
            "translator_text": TEXT,
            "text": "bank",
        } | link
        return "/transformer?" + "&".join(f"{k}={quote(v)}" for k, v in settings.items())

    return of


@pytest.fixture
def open_translator(open_page, address):
    def open_(wait_for: str, **link: str):
        page = open_page(address(**link))
        load = page.get_by_role("button", name="Load it")  # once for the server: it keeps the model
        page.locator(wait_for).first.or_(load).first.wait_for()
        if load.is_visible():
            load.click()
        appears(page, wait_for)
        return page

    return open_


def test_a_french_token_shows_its_candidates_and_what_was_read(open_translator):
    page = open_translator(".chip")
    french = page.get_by_role("group", name="French tokens").locator(".chip")
    french.nth(2).click()
    expect(page.locator(".panel h3")).to_contain_text("Step 2:")
    expect(page.locator(".candidate")).to_have_count(6)
    page.wait_for_url("**translator_token=1**")
    shares = page.get_by_role("group", name="English tokens").locator(".share", has_text="%")
    expect(shares.first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".panel h3")).to_contain_text("Step 1:")
    page.keyboard.press("Escape")
    expect(page.locator(".candidate")).to_have_count(0)
    page.get_by_role("group", name="English tokens").locator(".chip").first.click()
    expect(page.locator(".panel h3")).to_contain_text("Encoder:")


# Notes, however quickly a sentence comes: whether tokens are still to come, and whether a step has a name.
NOTE_STEPS = """panel => {
  window.steps = new Set();
  new MutationObserver(() => {
    if (panel.getRootNode().querySelector(".chip.later")) window.steps.add("later");
    if (panel.textContent.trim().startsWith("Step ")) window.steps.add("step");
  }).observe(panel.getRootNode(), { attributes: true, childList: true, characterData: true, subtree: true });
}"""


def test_a_new_sentence_comes_token_by_token(open_translator):
    page = open_translator(".chip")
    settle(page)
    page.locator(".panel").evaluate(NOTE_STEPS)
    box = page.get_by_label("An English sentence")
    box.fill("the light on the water")
    box.press("Enter")
    page.wait_for_function("window.steps.size === 2")
    expect(page.locator(".chip.later")).to_have_count(0)
    page.evaluate("window.steps.clear()")
    page.get_by_role("button", name="Token by token").click()
    page.wait_for_function("window.steps.size === 2")


def test_a_branch_of_the_beam_search_is_looked_at(open_translator):
    page = open_translator(".branch", translator_part="beams")
    settle(page)
    before = page.get_by_role("group", name="French tokens").inner_text()
    page.locator(".branch").last.click(force=True)
    page.wait_for_url("**translator_road=**")
    expect(page.get_by_role("group", name="French tokens")).not_to_have_text(before)
    expect(page.locator(".foot .says")).to_contain_text("Score: ")


LINKS = [
    ({"translator_token": "1"}, ".candidate"),
    ({"translator_part": "map"}, ".map .cell"),
    ({"translator_part": "beams"}, ".branch"),
    ({"view": "steps", "side": "decoder", "layer": "1"}, ".card"),
    ({"view": "steps", "side": "decoder", "step": "cross-project", "way": "all"}, ".item canvas"),
]


def test_each_picture_is_in_view_and_can_be_read(open_translator, address):
    page = open_translator(".chip")
    for link, drawn in [({}, ".chip"), *LINKS]:
        with at(str(link)):
            if link:
                follow(page, address(**link))
            appears(page, drawn)
            stand(page)
            assert_in_view(page, ".st-key-picture")
            assert_legible(page)


def test_the_decoder_leads_across_to_the_encoder(open_translator):
    page = open_translator(".stop", view="steps", side="decoder", step="cross-project", way="all")
    keys = page.locator(".item", has=page.locator(".symbol", has_text="M")).first.locator("canvas")
    keys.click(position={"x": 20, "y": 10})
    expect(page.locator(".heading")).to_contain_text("The encoder’s last layer gave it.")
    page.locator(".part").first.click()
    expect(page.locator(".title")).to_contain_text("Add and norm")
    page.wait_for_url(lambda url: "side=decoder" not in url)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".title")).to_contain_text("Cross: query, key, value")
