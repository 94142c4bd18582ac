"""Sentences that run from the right: laid out, walked and saved as they are read. On a bare page."""

from typing import Any

import pytest

from explorer.views.widgets.registry import module
from tests.browser.alone import draw, load

ARABIC = ["ذهب", "الولد", "إلى", "البنك", "."]
HEBREW = ["[CLS]", "הילד", "קרא", "BERT", "(", "3", ")", "[SEP]"]
ENGLISH = ["[CLS]", "We", "saw", "הבנק", ".", "[SEP]"]


# A component, and where its words stand.
LINES = {
    "widgets/token_strip": "button",
    "masked/word_columns": ".text",
    "masked/real_or_replaced": ".text",
    "heads/arcs": ".word",
    "probing/grid": ".word",
    "finetuning/tagged": "button",
    "finetuning/answer": ".text",
}
SILENT = dict.fromkeys("label says caption title reads hint name message ask".split(), "")


def given(words: list[str]) -> dict[str, Any]:
    """What these components are given of a sentence: all of it in one, each takes its own."""
    judged = {"tip": "", "was": "", "replaced": False, "suspected": False, "selected": False, "bars": []}
    shown = [
        {"text": word, "at": i, "space": True, "start": 0, "end": 0, "note": "", "chosen": False, **judged}
        for i, word in enumerate(words)
    ]
    return {
        **SILENT,
        **dict.fromkeys(("tokens", "words", "columns"), shown),
        **{name: [] for name in ("arcs", "rows", "answers", "captions")},
        **dict.fromkeys(("drawn", "layer")),
        "groups": [{"words": [word], "tag": "", "mark": None} for word in shown],
        "active": True,
        "drawing": False,
        "tall": 40,
        "above": 40,
        "below": 40,
    }


PLACES = "(all) => all.map((one) => one.getBoundingClientRect().left)"


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_words_stands_in_the_order_of_reading(bare, name):
    load(bare, name)
    for words in (ARABIC, HEBREW, ENGLISH):
        draw(bare, given(words))
        places = bare.locator(LINES[name]).evaluate_all(PLACES)
        assert len(places) == len(words)
        assert places == sorted(places, reverse=words is not ENGLISH)


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("[MASK] الولد", "rtl"),
        ("<mask> הבנק", "rtl"),
        ("3 کتاب", "rtl"),
        ("«שלום» BERT", "rtl"),
        ("𞤀𞤣𞤤𞤢𞤥", "rtl"),
        ("BERT قرأ الجملة", "ltr"),
        ("we saw הבנק.", "ltr"),
        ("[MASK]!", "ltr"),
        ("银行", "ltr"),
    ],
)
def test_a_text_runs_as_its_first_letter(bare, text, direction):
    box = {"text": text, "label": "", "placeholder": "", "lines": 1, "notice": ""}
    load(bare, "widgets/text_box")
    draw(bare, box)
    assert bare.locator("textarea").get_attribute("dir") == direction
    bare.locator("textarea").fill("A line")
    assert bare.locator("textarea").get_attribute("dir") == "ltr", "as soon as something else is typed"


def test_arrow_keys_go_where_they_point(bare):
    load(bare, "widgets/token_strip")
    draw(bare, given(ARABIC))
    words = bare.get_by_role("button")
    words.nth(1).focus()
    bare.keyboard.press("ArrowLeft")
    assert words.nth(2).evaluate("(word) => word.matches(':focus')")
    bare.keyboard.press("ArrowRight")
    bare.keyboard.press("ArrowRight")
    assert words.nth(0).evaluate("(word) => word.matches(':focus')")


def test_a_saved_picture_says_from_where_each_word_runs(bare):
    load(bare, "widgets/token_strip")
    draw(bare, given(["הבנק", "U.S.", ")"]))
    saver = module("frame/saving/saver_picture.js")
    bare.add_script_tag(type="module", content=f"{saver}\nwindow.picture = drawPicture;")
    bare.wait_for_function("Boolean(window.picture)")
    read = """() => [...picture(document.querySelector('.root'), 'Words').svg.querySelectorAll('text')]
      .map((text) => [text.textContent, text.getAttribute('direction'), Number(text.getAttribute('x'))])"""
    (first, second, last) = bare.evaluate(read)
    assert [one[:2] for one in (first, second, last)] == [["הבנק", "rtl"], ["U.S.", None], [")", "rtl"]]
    assert first[2] > second[2] > last[2]
