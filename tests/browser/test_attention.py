"""The attention page in real Chromium: marks are counted, clicks hold, nothing reloads or jumps."""

import re

from playwright.sync_api import Page, expect

from tests.browser.test_every_page import settle

COUNT = 18  # tokens of the opening text


def query(page: Page, position: int):
    return page.locator(".from .token").nth(position)


def held(page: Page) -> list[str]:
    return page.locator(".held .label").all_inner_texts()


def lines_start(page: Page) -> set[str]:
    return set(page.locator(".wire:not(.off)").evaluate_all("all => all.map((w) => w.dataset.from)"))


def commit(page: Page, text: str) -> None:
    box = page.locator("textarea").first
    box.fill(text)
    box.press("Enter")


def test_hover_previews_click_holds_and_nothing_jumps(open_page):
    page = open_page("/attention", wait_for=".cell")
    settle(page)
    expect(page.locator(".from .token")).to_have_count(COUNT)
    expect(page.locator(".to .token")).to_have_count(COUNT)
    expect(page.locator(".cell")).to_have_count(COUNT**2)
    weights = page.locator(".wire").evaluate_all("all => all.map((w) => Number(w.dataset.weight))")
    assert COUNT <= len(weights) <= COUNT**2 and min(weights) >= 0.01
    box = page.locator(".map").bounding_box()
    assert abs(box["width"] - box["height"]) < 1
    assert abs(box["y"] - query(page, 0).bounding_box()["y"]) < 2, "the map's rows stand beside their tokens"

    query(page, 2).hover()  # boat
    expect(page.locator(".says")).to_have_text(
        re.compile(r"^Head L2H9, from boat \(1\): to .*boat \(2\) 0\.\d{3}")
    )
    assert lines_start(page) == {"2"}
    assert sum(map(float, page.locator(".to .value").all_inner_texts())) > 0.9
    page.mouse.move(box["x"] + box["width"] * 10.5 / COUNT, box["y"] + box["height"] * 2.5 / COUNT)
    expect(page.locator(".says")).to_have_text(re.compile(r"^Head L2H9, from boat \(1\) to sees: 0\.\d{4}$"))
    page.mouse.move(5, 400)
    assert len(lines_start(page)) == COUNT
    expect(page.locator(".says")).to_have_text(re.compile("^Head L2H9, on average: itself 0"))

    query(page, 2).click()
    page.mouse.move(5, 400)
    page.wait_for_url("**token=*")
    assert held(page) == ["boat"] and lines_start(page) == {"2"}

    # Six heads or layers and two texts: the same nodes, no scroll, the hold kept, nothing faded.
    page.evaluate("""() => {
      const main = document.querySelector('[data-testid=stMain]');
      main.scrollTop = 40;
      window.before = main.scrollTop;
      window.faded = 0;
      window.watch = setInterval(() => {
        const picture = document.querySelector('.st-key-picture');
        for (let node = picture; node; node = node.parentElement)
          if (getComputedStyle(node).opacity !== '1') window.faded += 1;
      }, 10);
    }""")
    page.locator(".stage").evaluate(
        "stage => { stage.kept = true; stage.querySelector('.wire').kept = true; }"
    )
    for key, name in [
        ("ArrowRight", "L2H10"), ("ArrowLeft", "L2H9"), ("ArrowDown", "L3H9"), ("ArrowDown", "L4H9"),
        ("ArrowUp", "L3H9"), ("ArrowUp", "L2H9"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(".says")).to_have_text(re.compile(f"^Head {name}, from boat"))
        assert held(page) == ["boat"] and lines_start(page) == {"2"}
    commit(page, "A boat, a stone and a little river.")
    expect(page.locator(".from .token")).to_have_count(12)
    assert held(page) == ["boat"] and lines_start(page) == {"2"}
    expect(page.locator(".wire").first).to_have_attribute("data-from", "0")
    commit(page, "The old boat.")
    expect(page.locator(".from .token")).to_have_count(6)
    expect(page.locator(".says")).to_have_text(re.compile("^Head L2H9, from boat"))
    assert held(page) == ["boat"] and lines_start(page) == {"3"}
    page.evaluate("clearInterval(watch)")
    assert page.evaluate("faded") == 0
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop === before")
    assert page.locator(".stage").evaluate("stage => stage.kept && stage.querySelector('.wire').kept")

    page.locator(".stage").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".held")).to_have_count(0)
    page.wait_for_url(lambda url: "token" not in url)
    commit(page, "A river.")
    expect(page.locator(".from .token")).to_have_count(5)
    query(page, 2).click()
    query(page, 2).click()
    expect(page.locator(".held")).to_have_count(0)
    keeper = "The keeper of the old museum by the river told two visitors"
    commit(page, f"{keeper} that the bank had not been closed since May.")
    expect(page.locator(".from .token")).to_have_count(24)
    settle(page)
    last = query(page, 23).bounding_box()
    assert last["y"] + last["height"] <= 720, "24 tokens stand in view"
    commit(page, "")
    expect(page.locator(".message")).to_have_text("Type a sentence above, or try one below.")
    expect(page.locator(".stage")).to_be_hidden()


def test_a_copied_link_opens_the_same_view_and_the_keyboard_reaches_every_token(open_page):
    page = open_page('/attention?layer=0&head=2&token=["to",3,"is"]', wait_for=".cell")
    expect(page.locator(".says")).to_have_text(re.compile("^Head L0H2, to is: from behind"))
    expect(page.locator(".from .token").nth(4).locator(".value")).to_have_text(
        re.compile(r"^(1\.00|0\.9\d)$")
    )
    page.locator(".from .token").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".from .held .label")).to_have_text("boat")
