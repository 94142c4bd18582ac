"""The map with as many dots as a long text has: a canvas, smooth while it plays, every dot within reach."""

import statistics
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, start_server
from tests.browser.waiting import still

SCRIPT = ROOT / "tests" / "browser" / "many_dots.py"
# How long each frame's script takes, whoever asks for the frame.
COUNT_FRAMES = """
  window.costs = [];
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (act) => ask((time) => {
    const start = performance.now();
    act(time);
    window.costs.push(performance.now() - start);
  });
"""

PLACES = "all => all.map(one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y])"


@pytest.fixture(scope="module")
def many(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for the page with nothing but the map."""
    process, url = start_server(tmp_path_factory.mktemp("many"), script=str(SCRIPT))
    yield url
    process.terminate()
    process.wait(30)


def opened(browser: Browser, url: str, dots: int, axes: int = 2) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(COUNT_FRAMES)
    page.goto(f"{url}/?dots={dots}&axes={axes}")
    page.wait_for_selector(".dot", timeout=30_000)
    still(page, lambda: page.locator(".name").evaluate_all(PLACES))
    return page


def ink(page: Page) -> int:
    """How many pixels of the canvas are painted."""
    return page.locator("canvas").first.evaluate(
        "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
        ".data.filter((value, i) => i % 4 === 3 && value).length"
    )


@pytest.mark.parametrize("axes", [2, 3])
def test_two_thousand_dots_are_painted_within_a_frame(browser, many, axes):
    page = opened(browser, many, 2000, axes)
    assert ink(page) > 10_000
    page.evaluate("window.costs.length = 0")
    page.locator(".play").click()
    expect(page.locator(".where")).to_have_text("layer 3", timeout=30_000)
    costs = page.evaluate("window.costs")
    # On a busy machine a frame also waits for others: the quicker ones tell what the work itself takes.
    assert statistics.quantiles(costs, n=4)[0] < 16, "a frame at 60 a second has 16.7 ms"
    page.locator(".play").click()
    page.close()


def test_all_of_many_dots_can_be_reached_by_hand_and_by_key(browser, many):
    page = opened(browser, many, 2000)
    names = page.locator(".name").all_text_contents()
    assert names == [f"group {g}" for g in range(4)]
    walker = page.locator(".dot")
    expect(walker).to_have_count(1)
    walker.focus()
    page.keyboard.press("ArrowRight")
    expect(walker).to_have_attribute("aria-label", "the word 1 group 1")
    expect(page.locator(".tip.on")).to_contain_text("the word 1")
    page.keyboard.press("Enter")
    expect(walker).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".links line")).to_have_count(3)
    expect(page.locator(".rings .held")).to_have_count(1)
    box = page.locator(".rings .held").bounding_box()
    page.keyboard.press("Escape")
    expect(page.locator(".links line")).to_have_count(0)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".rings .held")).to_have_count(1)
    page.close()


def test_names_of_many_dots_stay_clear_of_one_another_and_of_the_dots(browser, many):
    page = opened(browser, many, 300)
    expect(page.locator(".dot")).to_have_count(300)
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        page.locator("input[type=range]").press(key)
        still(page, lambda: page.locator(".name, .dot").evaluate_all(PLACES))
        touching = page.evaluate(
            """() => {
              const holds = (e) => e.shadowRoot?.querySelector('.stage');
              const root = [...document.querySelectorAll('*')].find(holds);
              const box = (e) => e.getBoundingClientRect();
              const names = [...root.shadowRoot.querySelectorAll('.name')].map(box);
              const dots = [...root.shadowRoot.querySelectorAll('.dot .shape')].map(box);
              const meet = (a, b) => a !== b && a.left + 4 < b.right && b.left + 4 < a.right
                && a.top + 8 < b.bottom && b.top + 8 < a.bottom;
              return names.filter((a) => [...names, ...dots].some((b) => meet(a, b))).length;
            }"""
        )
        assert touching == 0
    page.close()
