"""A view as a page of its own in Chromium: from a file, without a network, it shows what the app shows."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from explorer.views.frame.lecture import handout
from explorer.views.frame.saving import saved_view
from tests.browser import axe
from tests.browser.sweep import stand
from tests.browser.test_saving import saved
from tests.browser.waiting import LONGEST_MS, PARTS_OF, RESTS, at, expect, follow
from tests.pages.test_every_view import EVERY, opened_view
from tests.views.opening import QUICK

# The first number of a picture, whether it stands in a component or beside it.
NUMBER = (
    "(box) => {"
    + PARTS_OF
    + r"""
  const words = partsOf(document.querySelector(box)).flatMap((part) => part.matches("style") ? [] :
    [...part.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data));
  return /\d+(\.\d+)?%?/.exec(words.join(" "))?.[0];
}"""
)
DRAWN = "() => [...document.querySelectorAll('[id^=part-]')].every((host) => host.offsetHeight > 8)"
INSIDE = """(stop) => [...stop.querySelectorAll(".main-svg text")].every((text) =>
  text.getBoundingClientRect().right <= stop.getBoundingClientRect().right)"""
SHOWN = ["/masked?view=next", "/senses?shown=matrix"]  # HTML of the page's own, and a component


@pytest.fixture
def offline(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens files with the network off; afterwards no script may have failed and nothing been asked for."""
    faults: list[str] = []
    context = browser.new_context(offline=True)
    context.set_default_timeout(LONGEST_MS)

    def open_file(path: Path, drawn: str = DRAWN) -> Page:
        page = context.new_page()
        page.on("console", lambda message: message.type == "log" or faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: request.url.startswith(("file:", "data:", "blob:")) or faults.append(request.url),
        )
        page.goto(path.as_uri())
        page.wait_for_function(drawn)
        page.wait_for_function(RESTS)
        return page

    yield open_file
    context.close()
    assert faults == []


@pytest.mark.slow
def test_a_saved_view_shows_the_number_that_the_app_shows(open_page, offline, tmp_path):
    page = open_page(SHOWN[0], wait_for=".st-key-picture")
    for number, address in enumerate(SHOWN):
        with at(address):
            follow(page, address)
            stand(page)
            there = page.evaluate(NUMBER, ".st-key-picture")
            path = tmp_path / f"{number}.html"
            path.write_bytes(saved(page, "Web page · HTML", tmp_path))
            page.keyboard.press("Escape")
            here = offline(path)
            here.wait_for_function(f"Boolean(({NUMBER})('.picture'))")
            assert here.evaluate(NUMBER, ".picture") == there
            assert here.locator(".recorded a").get_attribute("href").endswith(address)
            here.get_by_role("button", name="Dark").click()
            here.wait_for_function("document.documentElement.dataset.theme === 'dark'")


LECTURE = """# Four stops
* [Pieces of words](/tokens?view=cut)
  * Poll: How many pieces? two, three
  * Answer: two
* [King minus man plus woman](/vectors?view=analogies)
  * Poll: What is king minus man plus woman?
* [One layer](/transformer)
* [Train it live](/vectors?view=train)
  * Poll: How many find their group? 5, all
"""
PICTURES = """# Seven pictures
* [Snow or rain](/vectors?view=map&projection=ratio)
* [BertViz](/attention?view=bertviz&bertviz=neurons)
* [A curve](/models?model=bert&view=card&measure=loss)
* [Real or replaced?](/masked?view=replaced)
* [Shannon's game](/continuations?view=dice&part=guess&model=gpt)
* [Two sentences](/attention?view=compare)
* [Who may look at whom](/transformer?view=masks)
  * Poll: Which reads both sides? BERT, GPT
"""


@pytest.mark.slow
def test_a_lecture_is_answered_and_counted_in_its_page(offline, tmp_path):
    path = tmp_path / "lecture.html"
    path.write_text(handout.handout(LECTURE).html, encoding="utf-8")
    page = offline(path, "() => document.querySelector('#part-0').offsetHeight > 8")
    assert axe.check(page) == []
    first, second, _, last = page.locator(".stop").all()
    address = first.locator(".recorded a").get_attribute("href")
    assert address == "http://localhost:8501/tokens"
    covered = first.locator(".box").first
    expect(covered).to_have_css("visibility", "hidden")
    first.get_by_role("button", name="two").click()
    expect(first.locator(".judged")).to_have_text("Right.")
    expect(covered).to_have_css("visibility", "visible")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    second.locator("input").fill("Prince")
    second.locator("input").press("Enter")
    expect(second.locator(".judged")).to_contain_text("Not quite.")
    second.locator(".row").first.click()
    expect(second.get_by_text("That needs the model")).to_be_visible()
    expect(page.locator(".where")).to_have_text("Stop 2 of 4 · 1 of 2 right")
    expect(page.locator("#sheet li")).to_have_text("Look again: 2. King minus man plus woman")
    page.get_by_role("button", name="Contents").click()
    expect(page.locator("#list a")).to_have_count(4)
    page.wait_for_function(RESTS)
    assert axe.check(page) == []
    assert last.locator(".track").count() == 0  # nobody has come to it
    expect(last).to_have_class("stop asked whole")  # it has ended, and its picture says how
    sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert len(sheets) == 4  # one stop on each, with its answer
    expect(second.locator(".judged")).to_contain_text("Not quite.")
    page.emulate_media(media="print")
    expect(second.locator("h2").first).to_be_visible()
    page.emulate_media(media="screen")
    expect(last.locator(".track")).to_be_visible()
    expect(last.get_by_role("button", name="Train")).to_have_count(0)  # it needs the model
    page.reload()
    expect(page.locator("#sheet .count")).to_have_text("1 of 2 right at the first try")


def test_pictures_stand_whole_and_shown_in_the_page_of_a_lecture(offline, tmp_path):
    path = tmp_path / "lecture.html"
    path.write_text(handout.handout(PICTURES).html, encoding="utf-8")
    page = offline(path, "() => document.querySelector('.stop .bar')")
    rain, bertviz, curve, replaced, game, two, masks = page.locator(".stop").all()
    expect(rain.locator(".bar").last).to_have_js_property("offsetHeight", 15)
    frame = bertviz.locator("iframe")
    frame.scroll_into_view_if_needed()
    expect(bertviz.frame_locator("iframe").locator("text=softmax").last).to_be_visible()
    page.wait_for_function(
        "(frame) => frame.offsetHeight === frame.contentDocument.documentElement.scrollHeight",
        arg=frame.element_handle(),
    )
    curve.scroll_into_view_if_needed()
    expect(curve.get_by_text("masked words, held out")).to_be_visible()
    page.wait_for_function(INSIDE, arg=curve.element_handle())
    replaced.scroll_into_view_if_needed()
    expect(replaced.get_by_text("The discriminator notices")).to_be_visible()
    expect(game.get_by_text("first guess").first).to_be_visible()
    two.scroll_into_view_if_needed()
    expect(two.locator(".reader").first).to_be_visible()
    expect(two.get_by_text("The framed word is the one that reads.")).to_be_visible()
    masks.scroll_into_view_if_needed()
    expect(masks.locator(".scatterlayer").first).to_have_css("visibility", "hidden")
    masks.get_by_role("button", name="BERT").click()
    expect(masks.locator(".scatterlayer").first).to_have_css("visibility", "visible")


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), EVERY)
def test_every_view_stands_in_a_page_of_its_own(page, name, offline, tmp_path, monkeypatch):
    exports = []
    export = saved_view.export
    monkeypatch.setattr(saved_view, "export", lambda *of: exports.append(export(*of)) or exports[-1])
    assert not opened_view(page, name, **QUICK.get(page.name, {})).exception
    path = tmp_path / "view.html"
    path.write_text(exports[-1].make(), encoding="utf-8")
    assert path.stat().st_size < 2_500_000
    here = offline(path)
    here.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    if len(here.frames) == 1:  # from a file axe cannot ask a frame
        assert axe.check(here) == []
