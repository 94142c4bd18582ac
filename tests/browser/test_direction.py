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


def test_two_texts_of_a_lecture_stand_in_the_order_of_reading(bare):
    load(bare, "attention/compare")
    for words in (ARABIC, HEBREW, ENGLISH):
        weights = [[0.2] * len(words)] * len(words)
        names = [{"text": w, "name": w, "first": w, "second": w, "alike": True} for w in words]
        told = {
            "titles": dict.fromkeys(("first", "second", "difference"), ""),
            "notes": ["", ""],
            "summary": "",
        }
        shown = {
            "words": names,
            "first": weights,
            "second": weights,
            "heads": [],
            "locked": None,
            "most": [0, 1],
        }
        draw(bare, {**told, **shown, "presenting": True})
        for text in bare.locator(".text").all():
            places = text.locator(".token").evaluate_all(PLACES)
            assert len(places) == sum(word not in ("[CLS]", "[SEP]") for word in words)
            assert places == sorted(places, reverse=words is not ENGLISH)


def test_pieces_that_are_learnt_stand_in_the_order_of_reading(bare):
    letters = ["ا", "ل", "ب"]
    load(bare, "tokens/learning")
    shown = {
        **{"run": "1", "names": [*letters, "ال"], "single": 3, "pairs": [[0, 1]], "step": 0, "by": "count"},
        **{
            "candidates": [[[0, 1, 2, 2]], []],
            "text": [[0, 1, 2]],
            "more": False,
            "word": [[0, 1, 2], [0, 2]],
        },
        **{"spaced": True, "curve": [1.0, 1.5]},
    }
    draw(bare, shown)
    for part in (".text .piece", ".both .piece", ".words .piece"):
        places = bare.locator(part).evaluate_all(PLACES)
        assert len(places) > 1
        assert places == sorted(places, reverse=True)
    draw(bare, shown | {"run": "2", "step": 1})
    left, right, merged = bare.locator(".says b").evaluate_all(PLACES)
    assert left < right < merged, "a line of the page runs from the left, as its arrow does"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("في␣2019.", ".2019␣يف"),
        ("قرأ␣John␣(3.5)", "John␣(3.5)␣أرق"),
        ("We␣saw␣הבנק!", "We␣saw␣קנבה!"),
    ],
)
def test_a_number_and_a_name_run_their_own_way_in_a_cut_text(bare, text, seen):
    at = text.find("2019") if "2019" in text else text.find("saw")
    # The space before it, and two of its characters.
    box = {"from": at - 1, "to": at + 2, "state": "", "tip": ""}
    row = {"name": "BERT", "kind": "", "count": 1, "size": 9, "boxes": [box] * (at > 0), "lost": []}
    load(bare, "tokens/cut")
    draw(bare, {"lines": 1, "cells": [*text], "widths": [18] * len(text), "rows": [row], "question": ""})
    cells = bare.locator(".cell")
    places = cells.evaluate_all(PLACES)
    by_place = sorted(zip(places, cells.all_text_contents()))
    assert "".join(letter for _, letter in by_place) == seen
    boxes = bare.locator(".box").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert sorted(boxes) == ([16, 34] if "2019" in text else [52] if at > 0 else [])


def test_a_long_sentence_is_scrolled_from_its_first_word(bare):
    load(bare, "heads/arcs")
    arc = {"from": 1, "to": 0, "weight": 0.9, "kind": ""}
    draw(bare, given(ARABIC * 8) | {"arcs": [arc]})
    room = bare.locator(".scroller").bounding_box()
    first = bare.locator(".word").first.bounding_box()
    assert room["x"] < first["x"] and first["x"] + first["width"] <= room["x"] + room["width"]
    arrow = bare.locator(".arrow").bounding_box()
    middles = [box["x"] + box["width"] / 2 for box in (arrow, first)]
    assert middles[0] == pytest.approx(middles[1], abs=2), "an arc ends over its word"
