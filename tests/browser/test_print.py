"""Each page prints one view on one sheet of A4: the picture whole, what to see in it, and its address.

Here one page in the dark, and presenter mode; each page in test_preferences.py.
"""

import re

import pytest
from playwright.sync_api import Page

from explorer.views.frame.navigation import pages
from tests.browser.test_every_page import address
from tests.browser.waiting import at, follow, settle

# What is on paper, while the page is as it is printed: the width of the sheet without its margins.
PAPER = {"width": 703, "height": 1031}
SHEET = """() => {
  dispatchEvent(new Event("beforeprint"));
  const box = (part) => part?.getBoundingClientRect();
  const words = document.createTreeWalker(document.querySelector(".stApp"), NodeFilter.SHOW_TEXT);
  const shown = [];
  while (words.nextNode()) {
    const { parentElement } = words.currentNode;
    if (parentElement.closest("style, svg") || !parentElement.getClientRects().length) continue;
    shown.push(words.currentNode.data);
  }
  const svg = document.querySelector(".rb-sheet svg");
  const result = {
    picture: box(svg), drawn: svg?.querySelectorAll("rect, text, path, image").length,
    text: shown.join(" "), ground: getComputedStyle(document.querySelector(".stApp")).backgroundColor,
    ink: getComputedStyle(document.querySelector("h1")).color,
  };
  dispatchEvent(new Event("afterprint"));
  return result;
}"""


LAID_OUT = """() => {
  dispatchEvent(new Event("beforeprint"));
  const drawn = document.querySelector(".rb-sheet") !== null;
  dispatchEvent(new Event("afterprint"));
  return drawn;
}"""


def sheets(pdf: bytes) -> int:
    """How many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def assert_one_sheet(page: Page, *texts: str) -> None:
    page.wait_for_function(LAID_OUT)  # the script that lays a page out comes with Save, after the picture
    pdf = page.pdf(prefer_css_page_size=True)
    assert sheets(pdf) == 1
    (width, height) = map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0])
    assert (round(width), round(height)) == (595, 842)
    before = page.viewport_size
    page.set_viewport_size(PAPER)
    settle(page)  # pictures are drawn again in another width
    page.emulate_media(media="print")
    found = page.evaluate(SHEET)
    page.emulate_media(media="null")
    page.set_viewport_size(before)
    picture = found["picture"]
    assert found["drawn"] > 5
    assert picture["left"] >= 0 and picture["right"] <= PAPER["width"]
    assert picture["top"] >= 0 and picture["bottom"] <= PAPER["height"]
    for words in (*texts, page.url):
        assert words in found["text"]
    assert "Show the code" not in found["text"]
    assert (found["ground"], found["ink"]) == ("rgb(255, 255, 255)", "rgb(27, 31, 42)")


READING = "How to read it:"


@pytest.mark.slow
def test_a_page_is_printed_on_one_sheet(open_page):
    page = open_page("/masked", "dark")
    settle(page)
    assert_one_sheet(page, "Masked words", READING)


@pytest.mark.slow
def test_presenter_mode_is_printed_on_one_sheet(open_page):
    page = open_page("/?present=1", "dark")
    for one in pages()[1::4]:
        with at(one.name):
            follow(page, f"{address(one.name)}?present=1")
            settle(page)
            assert_one_sheet(page, one.title, READING)
