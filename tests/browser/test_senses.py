"""The word senses page in Chromium: real dots, a lock that stays, names that do not overlap."""

import pytest
from playwright.sync_api import Page, expect

HOSTILE = "</script><script>document.title='x'</script>"
LAYER = "[data-testid=stSlider] input"


def at_rest(page: Page) -> None:
    """Wait until the server has answered and the dots have arrived."""
    page.wait_for_timeout(150)
    page.wait_for_selector(".stApp[data-test-script-state='notRunning']")
    page.wait_for_timeout(350)


def overlaps(page: Page, selector: str) -> list[tuple[int, int]]:
    """Pairs of texts whose letters touch; a text's box has an outline and the line's height around it."""
    boxes = [item.bounding_box() for item in page.locator(selector).all()]
    around = {"width": 5, "height": 14}

    def apart(a: dict, b: dict) -> bool:
        return any(
            one[x] + one[size] - around[size] <= other[x]
            for x, size in (("x", "width"), ("y", "height"))
            for one, other in ((a, b), (b, a))
        )

    return [(i, j) for i in range(len(boxes)) for j in range(i) if not apart(boxes[i], boxes[j])]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_twelve_dots_that_glide_with_the_layer(open_page, scheme):
    page = open_page("/senses", scheme, wait_for=".dot")
    expect(page.locator(".dot")).to_have_count(12)
    assert page.locator(".name").all_text_contents() == ["money", "river", "blood", "?"]
    shapes = page.locator(".dot .shape").evaluate_all("all => all.map(p => p.getAttribute('d'))")
    assert len(set(shapes)) == 3, "three senses, three shapes; the unknown one is a ring"
    page.locator(".dot").first.evaluate("dot => { dot.kept = true; }")
    at_rest(page)
    before = page.locator(".dot").first.bounding_box()
    scroll = "document.querySelector('[data-testid=stMain]').scrollTop"
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 40)")
    at = page.evaluate(scroll)
    for layer in range(5, -1, -1):
        page.locator(LAYER).press("ArrowLeft")
        page.wait_for_url(f"**layer={layer}")
        at_rest(page)
        assert overlaps(page, ".name") == []
        assert page.locator(".dot").first.evaluate("dot => dot.kept"), "the picture was not made anew"
        assert page.evaluate(scroll) == at
    assert page.locator(".dot").first.bounding_box() != before


def test_a_click_locks_a_dot_and_keeps_it(open_page):
    page = open_page("/senses", wait_for=".dot")
    at_rest(page)
    dot = page.locator(".dot").nth(11)
    dot.locator(".hit").click()
    expect(page.locator(".row")).to_have_count(4)
    expect(dot).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".links line")).to_have_count(4)
    cosines = [float(n) for n in page.locator(".row .number").all_inner_texts()]
    assert cosines == sorted(cosines, reverse=True) and 0 < cosines[-1] <= cosines[0] <= 1
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] + box["height"] <= 720, "the neighbours push nothing out of view"

    page.locator(LAYER).press("ArrowLeft")
    at_rest(page)
    expect(dot).to_have_attribute("aria-pressed", "true")
    text = page.locator("textarea.many")
    text.fill(text.input_value().replace("bakery", "shop"))
    expect(page.locator(".dot").first).to_have_attribute(
        "aria-label", "The bank lent my sister the money for her first shop. money"
    )
    expect(dot).to_have_attribute("aria-pressed", "true")

    page.locator(".row").first.click()  # on to the nearest neighbour
    expect(dot).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".dot[aria-pressed=true]")).to_have_count(1)
    page.locator(".release").click()
    expect(page.locator(".row")).to_have_count(0)

    page.locator(".dot[tabindex='0']").focus()  # and all of it by keyboard
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator(".row")).to_have_count(0)


def test_text_is_text_and_hover_tells_the_sentence(open_page):
    page = open_page("/senses", wait_for=".dot")
    title = page.title()
    page.locator("textarea.many").fill(f"A <b>bank</b> {HOSTILE} #river\nThe bank. #money\nOld bank.")
    expect(page.locator(".dot")).to_have_count(3)
    at_rest(page)
    page.locator(".dot").first.hover()
    tip = page.locator(".tip.on").first
    expect(tip).to_contain_text(f"A <b>bank</b> {HOSTILE}")
    assert tip.locator("b").all_inner_texts() == ["bank"]
    page.locator(".dot .hit").first.click()
    page.get_by_text("Cosine matrix").click()
    page.wait_for_selector(".st-key-senses-matrix .heatmaplayer image, .heatmaplayer image")
    assert page.title() == title and page.locator("script", has_text="document.title").count() == 0
    labels = page.locator(".yaxislayer-above text, .ytick text").all_text_contents()
    assert any("<b>bank</b>" in label for label in labels)

    page.locator("textarea").first.fill("ferry")
    page.locator("textarea").first.press("Enter")
    expect(page.locator(".st-key-problem")).to_contain_text("None of the sentences has the word “ferry”")
    page.get_by_role("button", name="Bank", exact=True).click()
    expect(page.locator(".dot")).to_have_count(12)


def test_the_layers_play_and_the_examples_open(open_page):
    page = open_page("/senses", wait_for=".dot")
    play = page.locator(".play")
    play.click()  # at the last layer: from the first
    expect(page.locator("[data-testid=stSliderThumbValue]")).to_have_text("embedding")
    expect(page.locator("[data-testid=stSliderThumbValue]")).to_have_text("2")
    expect(play).to_have_text("Stop")
    play.click()
    expect(play).to_have_text("Play the layers")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="spring").click()
    expect(page.locator("textarea").first).to_have_value("spring")
    page.get_by_text("UMAP", exact=True).click()
    expect(page.get_by_text("UMAP keeps neighbours")).to_be_visible(timeout=90_000)
    expect(page.locator(".dot")).to_have_count(12)
