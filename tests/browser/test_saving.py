"""Saving in Chromium: pictures as they are on the page, files made on the click, sessions that open again."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page

from explorer.views.look.theme import LIGHT
from explorer.views.widgets.registry import module
from tests.browser.alone import draw, load
from tests.browser.test_senses import MANY, at_rest
from tests.browser.waiting import IDLE, appears, expect, follow, settle, still

SVG = "{http://www.w3.org/2000/svg}"
# Whether it was taken: the script that takes it may come after the page.
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const event = { bubbles: true, cancelable: true, dataTransfer: data };
  return !document.querySelector('h1').dispatchEvent(new DragEvent('drop', event));
}"""


def saved(page: Page, button: str, folder: Path) -> bytes:
    """What a button of the Save control saves."""
    still(page, lambda: True, quiet=120)  # what is saved is noted at the end of a run
    if not page.get_by_role("button", name="Copy the link").is_visible():
        page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


@pytest.mark.slow
def test_the_map_is_saved_as_it_is_seen(open_page, tmp_path):
    page = open_page(MANY, wait_for=".dot")
    expect(page.locator(".label")).to_have_count(4)
    at_rest(page)
    svg = ElementTree.fromstring(saved(page, "Picture as SVG", tmp_path))
    tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
    assert tags.isdisjoint({"script", "foreignObject"}), "plain shapes and words alone"
    assert 'src: url("data:font/woff2;base64,' in svg.findtext(f"{SVG}style"), "its type faces are inside"
    words = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    assert {"money", "river", "blood", "layer 6"} <= set(words)
    assert not {"1×", "4"} & set(words), "the player is no part of the picture"
    fills = [shape.get("fill") for shape in svg.iter(f"{SVG}path")]
    assert [fills.count(_rgb(colour)) for colour in LIGHT.senses[:3]] == [4, 4, 4]

    image = Image.open(io.BytesIO(saved(page, "Picture as PNG", tmp_path))).convert("RGB")
    assert image.size == (2 * int(svg.get("width")), 2 * int(svg.get("height")))
    colours = {colour: count for count, colour in image.getcolors(1 << 24)}
    assert colours[tuple(bytes.fromhex(LIGHT.ground[1:]))] > 0.8 * image.width * image.height
    assert all(colours[tuple(bytes.fromhex(colour[1:]))] > 400 for colour in LIGHT.senses[:3])

    rows = list(csv.DictReader(io.StringIO(saved(page, "Coordinates", tmp_path).decode("utf-8-sig"))))
    assert len(rows) == 13 * 8 and {row["sense"] for row in rows} == {"money", "river", "blood", ""}
    assert (tmp_path / "bank-bert-pca.csv").exists()


@pytest.mark.slow
def test_a_frames_picture_has_its_tokens_whatever_they_are(open_page, tmp_path):
    page = open_page("/attention?view=bertviz&text=a%20%3C%2Fscript%3E%20b", wait_for="iframe")
    page.frame_locator("iframe").locator("svg").first.wait_for()
    svg = ElementTree.fromstring(saved(page, "Picture as SVG", tmp_path))
    words = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    assert {"[CLS]", "<", "script"} <= {word.strip() for word in words}


@pytest.mark.slow
def test_a_session_opens_from_any_page_and_what_is_none_says_so(open_page, tmp_path):
    page = open_page("/senses?layer=3&word=bank", wait_for=".dot")
    session = saved(page, "This session", tmp_path).decode()
    assert json.loads(session)["settings"]["layer"] == 3
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=stPopoverBody]")).to_be_hidden()  # and the focus is where it was
    page.locator("input[type=range]").press("ArrowRight")
    page.wait_for_url("**layer=4*")
    page.get_by_role("link", name="From both sides").click()
    expect(page.locator("h1")).to_have_text("From both sides")
    appears(page, IDLE)
    page.wait_for_function(DROP, arg=["notes.json", "[1, 2]"])
    expect(page.get_by_text("“notes.json” is not a session file.")).to_be_visible()
    page.wait_for_function(DROP, arg=["large.json", "x" * 1_200_000])
    expect(page.get_by_text("a session file is 1 MB at most")).to_be_visible()
    page.wait_for_function(DROP, arg=["session.json", session])
    expect(page.locator("h1")).to_have_text("Word senses")
    expect(page.locator(".where")).to_have_text("layer 3")
    page.wait_for_url("**layer=3*")
    page.get_by_role("button", name="undo").click()
    page.wait_for_url("**layer=4*")


def test_what_a_button_answers_is_read_also_when_the_page_changes_meanwhile(bare):
    load(bare, "frame/saving/saver")
    data = {"most": 1, "pictures": [{"label": "Picture", "box": ".none", "file": "a"}], "link": ""}
    draw(bare, data | {"caption": ["before"]})
    keep = bare.get_by_role("button", name="Keep")
    keep.click()
    draw(bare, data | {"caption": ["after"], "link": "Too long."})
    expect(bare.get_by_text("There is no picture yet.")).to_be_visible()
    expect(keep).to_be_focused()


def _rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:]))


@pytest.mark.slow
def test_a_saved_picture_says_what_was_typed_by_which_model_and_on_request_where(open_page, tmp_path):
    page = open_page("/attention?view=layers&text=The%20fox%20sleeps.", wait_for=".st-key-picture svg")
    said = ["Attention, Across layers", "BERT", "The fox sleeps.", "After all 6 layers"]

    def parts() -> tuple[str, list[str]]:
        """The colour of the picture's ground, and what stands under it."""
        svg = ElementTree.fromstring(saved(page, "Picture as SVG", tmp_path))
        caption = " ".join(["".join(text.itertext()) for text in svg.iter(f"{SVG}text")][-8:])
        return svg.find(f"{SVG}rect").get("fill"), [
            part for part in [*said, "/attention?"] if part in caption
        ]

    assert parts() == (LIGHT.ground, said)
    page.get_by_label("Under it").select_option("that and the address")
    page.get_by_label("Its ground").select_option("none")
    assert parts() == ("none", [*said, "/attention?"])
    page.get_by_label("Under it").select_option("nothing")
    page.get_by_label("Its ground").select_option("white")
    assert parts()[0] == "#fff" and said[0] not in parts()[1]
    follow(page, "/attention?view=compare")
    appears(page, "canvas.cells")
    settle(page)
    svg = ElementTree.fromstring(saved(page, "Picture as SVG", tmp_path))
    assert svg.find(f".//{SVG}image") is None and len(list(svg.iter(f"{SVG}rect"))) > 3 * 15, (
        "cells are shapes"
    )


# A browser without a screen does not print: what the frame would print is kept.
PRINTS = """() => new MutationObserver((changes) => {
  for (const frame of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    const keep = () => (window.printed = frame.contentDocument.documentElement.outerHTML);
    const hold = () => (frame.contentWindow.print = keep);
    if (frame.tagName === "IFRAME") frame.addEventListener("load", hold, { capture: true });
  }
}).observe(document.body, { childList: true })"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pdf_is_one_page_of_the_picture_with_words_as_words(open_page, tmp_path, scheme):
    page = open_page("/attention?view=layers", scheme, wait_for=".st-key-picture svg")
    svg = ElementTree.fromstring(saved(page, "Picture as SVG", tmp_path))
    page.evaluate(PRINTS)
    page.get_by_label("Its ground").select_option("white")
    page.get_by_role("button", name="Picture as PDF").click()
    if scheme == "dark":
        expect(page.get_by_text("White paper needs the light look")).to_be_visible()
        return
    expect(page.get_by_text("Choose “Save as PDF”")).to_be_visible()
    page.wait_for_function("window.printed")
    sheet = page.context.new_page()
    sheet.set_content(page.evaluate("window.printed"))
    pdf = sheet.pdf(prefer_css_page_size=True)
    sheet.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = list(map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0]))
    assert box == pytest.approx([0.75 * float(svg.get(side)) for side in ("width", "height")], abs=1.5)
    assert b"/ToUnicode" in pdf and b"/Subtype /Image" not in pdf


BOX = """<style>
  .box { border-left: 3px dashed rgb(1, 2, 3); background: rgb(0, 0, 255, 0.5) }
  .box { width: 90px; font: 16px monospace }
  .turned { transform: rotate(-90deg) }
  circle { fill: color-mix(in srgb, rgb(200, 0, 0), rgb(0, 0, 200)) }
</style>
<div class="box">two   words <b>wrap
over lines</b> á</div><p data-save="no">not this</p><p style="display:none">nor this</p>
<div class="turned">turned</div><p style="writing-mode: vertical-rl">down</p>
<canvas width="4" height="3"></canvas>
<svg width="40" height="20"><clipPath id="c"><rect width="9" height="9"/></clipPath>
<circle cx="5" cy="5" r="5" clip-path="url(#c)"/></svg><div id="host"></div>"""
DRAW = """(html) => {
  const root = document.querySelector('.root');
  root.innerHTML = html;
  root.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<i>in the shadow</i>';
  const before = root.innerHTML;
  const { svg } = picture(root, 'A box', ['one line', 'x'.repeat(500)]);
  return [new XMLSerializer().serializeToString(svg), root.innerHTML.replace(' style=""', '') === before];
}"""


def test_a_picture_of_html_is_shapes_and_lines_of_words(bare):
    script = module("frame/saving/saver_picture.js")
    bare.add_script_tag(type="module", content=f"{script}\nwindow.picture = drawPicture;")
    bare.wait_for_function("Boolean(window.picture)")
    text, untouched = bare.evaluate(DRAW, BOX)
    svg = ElementTree.fromstring(text)
    words = [element.text for element in svg.iter(f"{SVG}text")]
    assert untouched and words[:6] == ["two words", "wrap over", "lines", "á", "turned", "down"]
    assert words[6:8] == ["in the shadow", "one line"] and "".join(words[8:]) == "x" * 500 and len(words) > 9
    downward = [text.text for text in svg.iter(f"{SVG}text") if text.get("transform") == "rotate(90)"]
    assert downward == ["down"]
    (turned,) = [g for g in svg.iter(f"{SVG}g") if "matrix(0, -1, 1, 0," in g.get("transform", "")]
    assert [element.text for element in turned.iter(f"{SVG}text")] == ["turned"]
    (border,) = svg.iter(f"{SVG}line")
    assert (border.get("stroke"), border.get("stroke-width")) == ("rgb(1, 2, 3)", "3")
    assert border.get("x1") == border.get("x2") and border.get("stroke-dasharray") == "9 6"
    (circle,), (clip,) = svg.iter(f"{SVG}circle"), svg.iter(f"{SVG}clipPath")
    assert circle.get("fill") == "rgb(100, 0, 100)" and circle.get("clip-path") == f"url(#{clip.get('id')})"
    fills = [(rect.get("fill"), rect.get("fill-opacity")) for rect in svg.iter(f"{SVG}rect")]
    assert ("rgb(0, 0, 255)", "0.502") in fills
    (image,) = svg.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/png") and (image.get("width"), image.get("height")) == (
        "4",
        "3",
    )


WIDE = """<div id="frame" style="width: 200px; overflow-x: auto">
<p style="width: 700px; text-align: right">the end</p></div>"""
SCROLLED = """(html) => {
  const root = document.querySelector('.root');
  root.innerHTML = html;
  const frame = root.querySelector('#frame');
  frame.scrollLeft = 90;
  const { svg, width } = picture(root, 'A frame');
  return [width, Number(svg.querySelector('text').getAttribute('x')), frame.scrollLeft];
}"""


def test_what_scrolls_in_a_frame_is_saved_whole_on_a_phone(bare):
    bare.set_viewport_size({"width": 390, "height": 800})
    bare.add_script_tag(
        type="module", content=f"{module('frame/saving/saver_picture.js')}\nwindow.picture = drawPicture;"
    )
    bare.wait_for_function("Boolean(window.picture)")
    width, end, scrolled = bare.evaluate(SCROLLED, WIDE)
    assert 600 < end < 720 <= width and scrolled == 90


@pytest.mark.slow
def test_a_picture_is_kept_with_a_sentence_and_handed_in_as_a_page(open_page, tmp_path):
    page = open_page("/senses", wait_for=".dot")
    appears(page, IDLE)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Keep").first.click()
    expect(page.get_by_text("Kept. Your notebook")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="My notebook (1)").click()
    box = page.get_by_label("What you see in it, in your own words")
    box.fill("Money & <b>river</b> lie apart.")
    box.blur()
    expect(page.get_by_text("Pictures with a sentence: 1 of 1.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as one page · HTML").click()
    download.value.save_as(tmp_path / "notebook.html")
    page.set_content((tmp_path / "notebook.html").read_text(encoding="utf-8"))
    expect(page.get_by_text("Money & <b>river</b> lie apart.")).to_be_visible()
    assert page.locator("img").evaluate("image => image.naturalWidth") > 600
