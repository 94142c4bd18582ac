"""The attention page in real Chromium: marks are counted, clicks lock, nothing reloads or jumps."""

import re
from functools import partial
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page

import explorer
from explorer.analysis.attention.weights import patterns
from explorer.views.frame.presets import presets
from tests.browser.waiting import becomes, expect, settle, still

COUNT = 18  # tokens of this text
# Two nouns that occur twice, and the head that finds equal words.
TWINS = next(one.values for one in presets("attention") if one.label == "The same word again")
TWINS_TEXT = urlencode({"text": TWINS["text"]})
TWINS_LINK = urlencode({name: "null" if value is None else value for name, value in TWINS.items()})


def query(page: Page, position: int):
    return page.locator(".from .token").nth(position)


def locked(page: Page) -> list[str]:
    return page.locator(".locked .label").all_inner_texts()


def lines(page: Page, kind: str = "lines") -> list[tuple[int, int]]:
    """The lines that are drawn: from which row to which, read off the paths themselves."""
    row = query(page, 0).bounding_box()["height"]
    paths = page.locator(f".{kind} path").evaluate_all(
        "all => all.map((path) => path.getAttribute('d') ?? '')"
    )
    ends = re.findall(r"M3 ([\d.]+)C(?:[\d.]+ ){5}([\d.]+)", "".join(paths))
    return [(int(float(start) // row), int(float(end) // row)) for start, end in ends]


def lines_start(page: Page) -> set[int]:
    return {start for start, _ in lines(page)}


def on(page: Page) -> list[str]:
    return page.locator(".chip.on").all_inner_texts()


def commit(page: Page, text: str) -> None:
    box = page.locator("textarea").first
    box.fill(text)
    box.press("Enter")


@pytest.mark.slow
def test_hover_previews_click_holds_and_nothing_jumps(open_page):
    page = open_page(f"/attention?{TWINS_LINK}", wait_for=".chip")
    settle(page)
    expect(page.locator(".from .token")).to_have_count(COUNT)
    expect(page.locator(".to .token")).to_have_count(COUNT)
    pattern = explorer.load("bert").trace(TWINS["text"]).attention.pattern[2, 9]
    drawn = {tuple(place) for place in (pattern >= 0.01).nonzero().tolist()}
    becomes(page, lambda: set(lines(page)), drawn)
    cells = "".join(page.locator(".cells path").evaluate_all("all => all.map((p) => p.getAttribute('d'))"))
    assert cells.count("M") == (pattern >= 0.004).sum()
    box = page.locator(".map").bounding_box()
    assert abs(box["width"] - box["height"]) < 1
    assert abs(box["y"] - query(page, 0).bounding_box()["y"]) < 2, "the map's rows stand beside their tokens"

    query(page, 2).hover()  # boat
    expect(page.locator(".says")).to_have_text(
        re.compile(r"^Head L3H10, from boat \(1\): to .*boat \(2\) \d+\s?%")
    )
    becomes(page, lambda: lines_start(page), {2})
    assert len(set(lines(page, "faint-lines"))) > COUNT
    assert sum(float(share[:-1]) for share in page.locator(".to .value").all_inner_texts()) > 90
    page.mouse.move(box["x"] + box["width"] * 10.5 / COUNT, box["y"] + box["height"] * 2.5 / COUNT)
    expect(page.locator(".says")).to_have_text(re.compile(r"^Head L3H10, from boat \(1\) to sees: \d+\s?%$"))
    page.mouse.move(5, 400)
    expect(page.locator(".says")).to_have_text(re.compile("^Head L3H10, one of 72: where each word looks"))
    becomes(page, lambda: len(lines_start(page)), COUNT)

    query(page, 2).click()
    page.mouse.move(5, 400)
    page.wait_for_url("**token=*")
    expect(page.locator(".locked .label")).to_have_text("boat")
    becomes(page, lambda: lines_start(page), {2})

    # Six heads or layers and two texts: the same nodes, no scroll, the lock kept, nothing faded.
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
        "stage => { stage.kept = true; stage.querySelector('.lines path').kept = true; }"
    )
    for key, name in [
        ("ArrowRight", "L3H11"),
        ("ArrowLeft", "L3H10"),
        ("ArrowDown", "L4H10"),
        ("ArrowDown", "L5H10"),
        ("ArrowUp", "L4H10"),
        ("ArrowUp", "L3H10"),
    ]:
        page.keyboard.press(key)
        expect(page.locator(".says")).to_have_text(re.compile(f"^Head {name}, from boat"))
        expect(page.locator(".chip.on")).to_have_text(name.rpartition("H")[2])
        becomes(page, lambda: (locked(page), lines_start(page)), (["boat"], {2}))
    commit(page, "A boat, a stone and a little river.")
    expect(page.locator(".from .token")).to_have_count(12)
    becomes(page, lambda: (locked(page), lines_start(page)), (["boat"], {2}))
    commit(page, "The old boat.")
    expect(page.locator(".from .token")).to_have_count(6)
    expect(page.locator(".says")).to_have_text(re.compile("^Head L3H10, from boat"))
    becomes(page, lambda: (locked(page), lines_start(page)), (["boat"], {3}))
    page.evaluate("clearInterval(watch)")
    assert page.evaluate("faded") == 0
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop === before")
    assert page.locator(".stage").evaluate("stage => stage.kept && stage.querySelector('.lines path').kept")

    page.locator(".stage").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".locked")).to_have_count(0)
    page.wait_for_url("**token=null*")
    commit(page, "A river.")
    expect(page.locator(".from .token")).to_have_count(5)
    query(page, 2).click()
    query(page, 2).click()
    expect(page.locator(".locked")).to_have_count(0)
    keeper = "The keeper of the old museum by the river told two visitors"
    commit(page, f"{keeper} that the bank had not been closed since May.")
    expect(page.locator(".from .token")).to_have_count(24)
    settle(page)
    last = query(page, 23).bounding_box()
    assert last["y"] + last["height"] <= 720, "24 tokens stand in view"
    commit(page, "")
    expect(page.locator(".message")).to_have_text("Type a sentence above, or try one below.")
    expect(page.locator(".stage")).to_be_hidden()


@pytest.mark.slow
def test_a_copied_link_opens_the_same_view_and_a_phone_that_is_turned_is_followed(open_page):
    page = open_page(f'/attention?{TWINS_TEXT}&layer=0&head=2&token=["to",3,"is"]', wait_for=".chip")
    expect(page.locator(".says")).to_have_text(re.compile("^Head L1H3, to is: from behind"))
    expect(page.locator(".from .token").nth(4).locator(".value")).to_have_text(re.compile(r"^(100|9\d)\s?%$"))
    page.locator(".from .token").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".from .locked .label")).to_have_text("boat")
    heads = page.locator(".wall .head")
    places = "all => all.map((head) => Math.round(head.getBoundingClientRect().top))"
    for width, rows, finger in ((390, 12, True), (1280, 6, False)):  # a layer’s heads in two rows, or in one
        page.set_viewport_size({"width": width, "height": 844})
        still(page, lambda: heads.evaluate_all(places))
        assert len(set(heads.evaluate_all(places))) == rows
        token, end = query(page, 0).bounding_box(), page.locator(".to .token").first.bounding_box()
        assert (token["height"] >= 40) == finger and end["x"] + end["width"] <= width


@pytest.mark.slow
def test_heads_are_tried_switched_and_walked_and_the_wall_shows_which(open_page):
    typed = "</script><script>window.name='x'</script> The riverbanks moored."
    page = open_page(f"/attention?layer=1&head=4&text={quote(typed)}", "dark", ".chip")
    settle(page)
    framed, chips = page.locator(".head.on"), page.locator(".chip")
    expect(page.locator(".head")).to_have_count(6 * 12)
    expect(framed).to_have_attribute("aria-label", re.compile("^Head L2H5: "))
    assert page.evaluate("window.name") == "" and query(page, 1).inner_text() == "<"

    one = set(lines(page))
    chips.nth(8).hover()
    expect(page.locator(".says")).to_have_text(re.compile("^Head L2H9, one of 72"))
    expect(framed).to_have_attribute("aria-label", re.compile("^Head L2H9: "))
    assert on(page) == ["5"], "to point at a head only tries it"
    page.mouse.move(5, 400)
    expect(page.locator(".says")).to_have_text(re.compile("^Head L2H5"))
    chips.nth(8).click()
    expect(page.locator(".says")).to_have_text(re.compile("^Heads L2H5 and L2H9, their mean"))
    page.wait_for_url(lambda url: "on=" in url)
    expect(framed).to_have_count(2)
    expect(page.locator(".wires[data-lines]")).not_to_have_attribute("data-lines", str(len(one)))
    query(page, 3).hover()
    expect(page.locator(".to .strip i")).to_have_count(2 * page.locator(".to .token").count())
    chips.nth(6).click(modifiers=["Shift"])
    expect(page.locator(".chip.on")).to_have_text("7")
    page.wait_for_url(lambda url: "on=" not in url and "head=6" in url)

    # The keyboard alone: to the chips, to another head, off and on; a slider; words; the wall.
    chips.nth(6).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".chip.on")).to_have_text(["7", "8"])
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".chip.on")).to_have_text("8")
    settle(page)  # the lines of the two heads have become those of one
    page.locator(".least input").focus()
    every = page.locator(".wires").get_attribute("data-lines")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".least output")).to_have_text("0.30")
    page.wait_for_url(lambda url: "least=0.3" in url)
    becomes(page, lambda: int(page.locator(".wires").get_attribute("data-lines")) < int(every), True)
    pieces = page.locator(".from .token").count()
    page.get_by_label("whole words").focus()
    page.keyboard.press("Space")
    expect(page.locator(".from .token")).not_to_have_count(pieces)
    page.get_by_label("hide special").check()
    expect(page.locator(".from .quiet")).to_have_count(0)
    framed.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".says")).to_have_text(re.compile("^Head L3H8"))
    expect(framed).to_have_attribute("aria-label", re.compile("^Head L3H8: "))
    strong = partial(
        page.locator(".wall > canvas").evaluate,
        """canvas => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let strong = 0;
          for (let at = 0; at < data.length; at += 4) strong += data[at] > 120 && data[at + 3] > 0;
          return strong / canvas.width / canvas.height;
        }""",
    )
    becomes(page, lambda: 0.002 < strong() < 0.9, True)  # thumbnails in the dark theme's attention colour


@pytest.mark.slow
def test_a_pair_lights_up_the_heads_that_join_it(open_page):
    page = open_page(f"/attention?{TWINS_LINK}&hide=true", wait_for=".wall canvas")
    settle(page)
    trace = explorer.load("bert").trace(TWINS["text"])
    pattern = patterns(trace, hide_special=True).pattern
    page.locator(".map").click(position={"x": 10, "y": 10})  # from the first word to itself
    expect(page.locator(".locked .label")).to_have_text(["Our", "Our"])
    page.keyboard.press("Escape")
    query(page, 1).click()
    page.locator(".to .token").nth(14).click()
    page.mouse.move(5, 400)
    page.wait_for_url("**across=*")
    expect(page.locator(".locked .label")).to_have_text(["boat", "boat"])
    layer, head = divmod(int(pattern[:, :, 1, 14].argmax()), 12)
    about = page.locator(".about")
    expect(about).to_have_text(
        re.compile(rf"^Every head, from boat \(1\) to boat \(2\): L{layer + 1}H{head + 1} 0\.\d\d")
    )
    words, weights = page.locator(".head .word"), pattern[:, :, 1, 14].flatten().tolist()
    becomes(page, lambda: [*map(float, words.all_inner_texts())], pytest.approx(weights, abs=0.0081))
    page.locator(".to .token").nth(14).click()
    expect(page.locator(".locked .label")).to_have_text("boat")
    expect(about).to_have_text(re.compile("^Every head: 6 layers of 12"))


@pytest.mark.slow
def test_a_saved_picture_opens_with_no_server_and_walks_every_layer(open_page, browser, tmp_path):
    link = "/attention?layer=0&head=2&text=The+</script>+river&token=[%22from%22,1,%22the%22]"
    page = open_page(link, wait_for=".chip")
    settle(page)
    shown = page.locator(".says").inner_text()
    page.get_by_role("button", name="Save").click()
    with page.expect_download() as download:
        page.get_by_text("Web page · HTML").click()
    download.value.save_as(tmp_path / "saved.html")
    assert download.value.suggested_filename == "attention-bert-L1H3.html"
    context = browser.new_context(offline=True)
    asked, failed = [], []
    saved = context.new_page()
    saved.on("request", lambda request: asked.append(request.url))
    saved.on("pageerror", lambda error: failed.append(str(error)))
    saved.goto((tmp_path / "saved.html").as_uri())
    expect(saved.locator(".says")).to_have_text(shown)
    becomes(saved, lambda: lines_start(saved), {1})
    saved.locator(".stage").focus()
    saved.keyboard.press("ArrowDown")
    expect(saved.locator(".says")).to_have_text(re.compile("^Head L2H3, from The"))
    saved.keyboard.press("ArrowRight")
    expect(saved.locator(".chip.on")).to_have_text("4")
    saved.keyboard.press("Escape")
    expect(saved.locator(".locked")).to_have_count(0)
    assert len(asked) == 1 and failed == []
    context.close()
