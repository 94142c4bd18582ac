"""The page about the models in real Chromium: the slider walks through a training, words are traced."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests import records
from tests.browser.conftest import ROOT, start_server
from tests.browser.projector import small_letters
from tests.browser.waiting import RESTS, becomes, expect, settle, still

pytestmark = pytest.mark.slow

CELL, SLIDER, GUESS = ".cell", "input.slider", ".guess"


@pytest.fixture(scope="module")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over checkpoints with records: bert of eight points, gpt of twelve."""
    root = tmp_path_factory.mktemp("app")
    for name in ("app.py", ".streamlit", "pages", "explorer", "assets"):
        source = ROOT / name
        if source.is_dir():
            skip = shutil.ignore_patterns("__pycache__", "*.safetensors", "training.json", "screenshots")
            shutil.copytree(source, root / name, ignore=skip)
        else:
            shutil.copy(source, root)
    for name, record in (("bert", records.bert(8)), ("gpt", records.gpt(12))):
        folder = Path("assets") / "checkpoints" / name
        (root / folder / "model.safetensors").symlink_to(ROOT / folder / "model.safetensors")
        records.write(root / folder, record)
    home = tmp_path_factory.mktemp("home")
    process, url = start_server(home, root)
    yield url
    process.terminate()
    process.wait(60)


def column(page: Page, number: int):
    return page.locator(".column").nth(number)


def expect_traced(page: Page, word: str) -> None:
    traced = page.locator(".cell.traced .word")
    expect(traced.filter(has_not_text=word)).to_have_count(0)
    expect(traced).not_to_have_count(0)


def bars_colour(page: Page) -> str:
    return page.locator(".bar").last.evaluate("bar => getComputedStyle(bar).backgroundColor")


def test_the_whole_training_stands_in_view(open_page):
    page = open_page("/models?model=bert", wait_for=CELL)
    settle(page)
    expect(page.locator(".column")).to_have_count(8)
    expect(page.locator(CELL)).to_have_count(40)
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] + box["height"] <= 720 and box["x"] + box["width"] <= 1280
    assert small_letters(page) == []
    expect_traced(page, "hospital")  # the word it ends with
    expect(page.locator(".cell.traced")).to_have_count(4)
    expect(page.locator("path.traced")).to_have_count(3)
    expect(page.locator(".sentence")).to_have_text("The doctor worked at the hospital60% for ten years.")
    page.wait_for_function(RESTS)  # the bars have grown
    widths = [column(page, i).locator(".bar").first.bounding_box()["width"] for i in range(8)]
    assert widths == sorted(widths) and widths[-1] > 20
    assert bars_colour(page) == "rgb(180, 83, 9)"


def test_the_keyboard_walks_through_the_training_and_the_address_follows(open_page):
    page = open_page("/models?model=bert", wait_for=CELL)
    settle(page)
    page.locator(SLIDER).focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(column(page, 5)).to_have_class(re.compile("chosen"))
    expect(page.locator(".when")).to_have_text(re.compile("^652,800 tokens read"))
    page.wait_for_url("**point=5*")
    page.keyboard.press("PageUp")  # a clicker's key is not the slider's
    expect(page.locator(SLIDER)).to_have_value("5")
    page.keyboard.press("Home")
    expect(page.locator(GUESS)).to_have_text("the")
    expect(page.locator(".when")).to_have_text("before the first step")
    page.wait_for_url("**point=0*")
    expect(column(page, 0)).to_have_class(re.compile("chosen"))
    page.keyboard.press("End")
    page.wait_for_url(lambda url: "point" not in url)
    expect(page.locator(GUESS)).to_have_text("hospital")
    settle(page)
    thumb, last = page.locator(SLIDER).bounding_box(), column(page, 7).bounding_box()
    assert abs(thumb["x"] + thumb["width"] - 12 - (last["x"] + last["width"] / 2)) < 3, "over its column"
    column(page, 2).locator(".head").click()
    expect(page.locator(SLIDER)).to_have_value("2")
    page.wait_for_url("**point=2*")


def test_hover_traces_a_word_click_holds_it_escape_lets_go(open_page):
    page = open_page("/models?model=bert", wait_for=CELL)
    settle(page)
    column(page, 0).locator(CELL).nth(4).hover()
    expect_traced(page, "school")
    expect(page.locator(".tip")).to_have_text("probability 0.0001, rank 5")
    page.mouse.move(5, 700)
    expect_traced(page, "hospital")
    column(page, 0).locator(CELL).nth(4).click()
    page.wait_for_url("**word=school*")
    page.mouse.move(5, 700)
    expect_traced(page, "school")
    page.keyboard.press("ArrowRight")  # from cell to cell
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "word" not in url)
    page.locator("h1").click()
    expect_traced(page, "hospital")


def test_another_model_shows_what_it_wrote_and_its_curves(open_page):
    page = open_page("/models?model=bert", "dark", wait_for=CELL)
    settle(page)  # a menu closes when the page is drawn anew
    becomes(page, lambda: bars_colour(page), "rgb(245, 176, 76)")  # the dark theme's
    page.locator("[data-testid=stSelectbox]").first.click()
    page.get_by_role("option", name="GPT").click()
    expect(page.locator(".column")).to_have_count(12)
    expect(page.locator(".sentence")).to_have_text(f"{records.PROMPT} girl50%")
    page.get_by_text("What it wrote", exact=True).click()
    rows = page.locator(".row")
    expect(rows).to_have_count(12)
    expect(rows.last).to_have_class(re.compile("chosen"))
    rows.last.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".reading")).to_have_text(
        f"{records.PROMPT} girl who had 9 </script> ↵ and more of them than"
    )
    page.wait_for_url("**point=1*")
    page.get_by_text("Card", exact=True).click()
    labels = page.locator(".js-plotly-plot .annotation-text")
    expect(labels.filter(has_text="training loss")).to_be_visible()
    settle(page)
    page.locator("[data-testid=stSelectbox]").last.click()
    page.get_by_role("option", name="Right answers").click()
    expect(labels.filter(has_text="masked word, first guess")).to_be_visible()
    expect(page.locator(".js-plotly-plot .scatterlayer .trace")).to_have_count(2)
    settle(page)
    assert small_letters(page) == []
    sides = "all => all.map((e) => e.getBoundingClientRect()).map((box) => [box.left, box.right])"
    parts = page.locator(".js-plotly-plot, .js-plotly-plot .annotation-text")
    [drawn, *boxes] = still(page, lambda: parts.evaluate_all(sides))
    assert all(left >= drawn[0] and right <= drawn[1] for left, right in boxes if right > left)


def test_the_badge_of_another_page_leads_here(open_page):
    page = open_page("/continuations?length=5&model=gpt", wait_for=".chip")
    settle(page)
    page.get_by_role("button", name="About this model").click()
    page.get_by_role("link", name="What it learnt, and when").click()
    expect(page.get_by_role("heading", name="About the models")).to_be_visible()
    expect(page.get_by_role("heading", name="Continuations")).to_have_count(0)
    expect(page.locator(".sentence")).to_contain_text(records.PROMPT)
