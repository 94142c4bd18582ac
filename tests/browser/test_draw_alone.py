"""A component draws on a bare page: without Streamlit, without a server, from data and one function alone."""

import re
from collections.abc import Sequence

from explorer.views.look.theme import LIGHT, css_variables
from explorer.views.widgets.registry import VIEWS, module
from tests.browser.alone import draw, load, sent
from tests.browser.waiting import expect
from tests.test_contributing import TALLY

HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_tokens_are_told_clicked_and_walked(bare):
    load(bare, "widgets/token_strip")
    tokens = [{"text": "The", "title": "rare <b>"}, {"text": HOSTILE, "selected": True}, {"text": "end"}]
    draw(bare, {"tokens": tokens, "label": "Tokens", "active": True})
    expect(bare.get_by_role("button")).to_have_text(["The", HOSTILE, "end"])
    assert bare.locator("img").count() == 0
    bare.get_by_text("The").hover()
    expect(bare.locator(".tip.on")).to_have_text("rare <b>")
    bare.get_by_text("end").click()
    assert sent(bare) == [["click", 2]]
    bare.keyboard.press("ArrowRight")
    expect(bare.get_by_text("The")).to_be_focused()
    bare.keyboard.press("ArrowLeft")
    expect(bare.get_by_text("end")).to_be_focused()


def test_the_component_of_contributing_draws_letters_and_tells_which_was_clicked(bare, tmp_path):
    (tmp_path / "widgets").symlink_to(VIEWS / "widgets")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "tally.js").write_text(TALLY, encoding="utf-8")
    load(bare, "letters/tally", tmp_path)
    draw(bare, {"letters": ["a", HOSTILE, "c"]})
    expect(bare.get_by_role("button")).to_have_text(["a", HOSTILE, "c"])
    bare.get_by_text(HOSTILE).click()
    assert sent(bare) == [["pick", 1]]


def rows(*probabilities: float) -> dict:
    return {
        "rows": [
            {
                "rank": str(i + 1),
                "token": f"word{i}",
                "probability": p,
                "number": f"{p:.2f}",
                "tip": f"{p} in all",
                "said": f"about {p:.0%}",
                "covered": False,
            }
            for i, p in enumerate(probabilities)
        ],
        "headings": [],
        "label": "Guesses",
        "visible": 5,
        "active": True,
        "cosines": False,
    }


def test_bars_keep_their_rows_from_one_drawing_to_the_next(bare):
    load(bare, "widgets/bars")
    draw(bare, rows(0.5, 0.25))
    first = bare.locator(".row").first
    first.evaluate("(row) => (row.mine = true)")
    assert first.locator(".solid").evaluate("(bar) => bar.style.width") == "50%"
    draw(bare, rows(0.75, 0.1, 0.05))
    assert bare.locator(".row").count() == 3
    assert first.evaluate("(row) => row.mine")
    assert first.locator(".solid").evaluate("(bar) => bar.style.width") == "75%"
    first.focus()
    for key, row in (("ArrowDown", 1), ("End", 2), ("ArrowDown", 2), ("Home", 0)):
        bare.keyboard.press(key)
        expect(bare.locator(".row").nth(row)).to_be_focused()
        assert [each.get_attribute("tabindex") for each in bare.locator(".row").all()].count("0") == 1
    expect(bare.locator(".tip.on")).to_have_text("0.75 in all")
    expect(first).to_have_accessible_name("1 word0, about 75%")


def test_two_patterns_are_compared(bare):
    load(bare, "attention/compare")
    words = [{"text": w, "name": w, "first": w, "second": w, "alike": True} for w in ("bank", HOSTILE)]
    data = {
        "words": words,
        "first": [[1.0, 0.0], [0.5, 0.5]],
        "second": [[1.0, 0.0], [0.2, 0.8]],
        "titles": {"first": "One", "difference": "Change", "second": "Other"},
        "notes": ["a", "b"],
        "heads": [{"layer": 1, "head": 2, "moved": 0.3, "chosen": False}],
        "presenting": False,
        "locked": None,
        "summary": "They differ.",
    }
    draw(bare, data)
    expect(bare.locator(".says")).to_have_text("They differ.")
    stage = bare.locator(".map.difference .stage")
    stage.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        bare.keyboard.press(key)
    expect(bare.locator(".says")).to_contain_text("0.500, then 0.800: +0.300")
    bare.get_by_text("L2H3").click()  # counted from 1 on the screen
    assert sent(bare) == [["lock", {"cell": [1, 1]}], ["head", {"layer": 1, "head": 2}]]
    # What was chosen here counts until it has been answered.
    draw(bare, data)
    expect(bare.locator(".says")).to_contain_text("+0.300")
    draw(bare, data | {"locked": [1, 1]})
    draw(bare, data | {"locked": None})
    expect(bare.locator(".says")).to_have_text("They differ.")


def comparison(words: str, first: list[list[float]], second: list[list[float]]) -> dict:
    """Two patterns over words of a letter each."""
    return {
        "words": [{"text": w, "name": w, "first": w, "second": w, "alike": True} for w in words],
        "first": first,
        "second": second,
        "titles": {"first": "One", "difference": "Change", "second": "Other"},
        "notes": ["a", "b"],
        "heads": [],
        "presenting": False,
        "locked": None,
        "summary": "They differ.",
    }


def test_a_click_locks_the_cell_under_it_until_escape(bare):
    load(bare, "attention/compare")
    weights = [[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.1, 0.2, 0.7]]
    draw(bare, comparison("abc", weights, weights))
    stage, says = bare.locator(".map.first .stage"), bare.locator(".says")
    box = stage.bounding_box()
    stage.click(position={"x": 0.6 * box["width"], "y": 0.9 * box["height"]})
    bare.mouse.move(0, 0)
    expect(says).to_contain_text("“c” attends to “b”: 0.200")
    bare.keyboard.press("Escape")
    expect(says).to_have_text("They differ.")
    assert sent(bare) == [["lock", {"cell": [2, 1]}], ["lock", {"cell": None}]]


def test_on_stage_the_texts_say_what_the_word_that_differs_most_reads(bare):
    load(bare, "attention/compare")
    data = comparison("ab", [[1.0, 0.0], [0.98, 0.02]], [[1.0, 0.0], [0.3, 0.7]])
    draw(bare, data | {"presenting": True, "most": [1, 1]})
    assert bare.locator(".text").all_inner_texts() == ["a\n98%\nb", "a\n30%\nb\n70%"]
    bare.locator(".token").first.click()
    assert sent(bare) == [["lock", {"cell": [0, 0]}]]


def test_more_weight_is_more_colour_and_a_change_has_its_sides(bare):
    load(bare, "attention/compare")
    draw(bare, comparison("ab", [[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.3, 0.7]]))
    pixel = """(canvas, [row, column]) => {
        const side = canvas.width / 2;
        const place = [(column + 0.5) * side, (row + 0.5) * side];
        const [red, green, blue] = canvas.getContext("2d").getImageData(...place, 1, 1).data;
        return "#" + ((red << 16) + (green << 8) + blue).toString(16).padStart(6, "0").toUpperCase();
    }"""
    cells = {kind: bare.locator(f".map.{kind} .cells") for kind in ("first", "difference")}
    assert [cells["first"].evaluate(pixel, [0, column]) for column in (0, 1)] == [*LIGHT.attention[::-1]]
    less, same, more = (cells["difference"].evaluate(pixel, at) for at in ([1, 0], [0, 0], [1, 1]))
    assert (less, same, more) == LIGHT.difference


def test_the_word_of_the_second_sentence_has_room_over_its_column(bare):
    load(bare, "attention/compare")
    bare.add_style_tag(content=":root { --st-code-font: monospace }")
    pair = {
        "text": "tired / overcrowded",
        "name": "tired / overcrowded",
        "first": "tired",
        "second": "overcrowded",
        "alike": False,
    }
    titles = {"first": "One", "difference": "Change", "second": "Other"}
    one = {"first": [[1.0]], "second": [[1.0]], "titles": titles, "notes": ["a", "b"], "heads": []}
    draw(bare, one | {"words": [pair], "presenting": False, "locked": None, "summary": ""})
    name = bare.locator(".difference .slot i")
    expect(name).to_have_text("overcrowded")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), "it is cut"
    top, below = (bare.locator(f".difference {part}").bounding_box() for part in (".title", ".slot i"))
    assert top["y"] + top["height"] <= below["y"] + 1, "it runs into the title"


def test_a_lens_asks_for_the_layers_below_and_cells_are_pressed_by_key(bare):
    load(bare, "why/lens")
    cell = {"text": "w", "tip": "t", "share": 0.5, "look": "settled"}
    rows = [{"layer": layer, "cells": [cell, cell]} for layer in (6, 5)]
    scale = {"name": "Rank", "low": "last", "high": "first"}
    data = {"label": "Words", "tokens": ["a", "b"], "columns": [1, 2], "tone": "--rb-accent", "scale": scale}
    draw(bare, data | {"rows": rows, "outlined": "", "run": 3, "count": 1})
    bare.locator(".cell").first.focus()
    bare.keyboard.press("ArrowDown")
    bare.keyboard.press("ArrowRight")
    bare.keyboard.press("Enter")
    assert sent(bare) == [["more", {"run": 3, "count": 1}], ["pick", {"layer": 5, "column": 2}]]


def test_a_cell_is_dragged_onto_the_second_text_or_pressed_there(bare):
    load(bare, "why/lens")
    cell = {"text": "w", "tip": HOSTILE, "share": 0.5, "look": ""}
    rows = [{"layer": layer, "cells": [cell, cell]} for layer in (6, 5)]
    one = {"label": "Words", "tokens": ["a", HOSTILE], "columns": [1, 2], "rows": rows}
    data = {"tone": "--rb-accent", "scale": {"name": "Rank", "low": "last", "high": "first"}, "outlined": ""}
    draw(bare, one | data | {"run": 0, "count": 0, "beside": [one], "chosen": [6, 1]})
    cells = [bare.locator(".rb-wide").nth(i).locator(".cell") for i in range(2)]
    cells[0].nth(3).hover()
    bare.mouse.down()
    box = cells[1].first.bounding_box()
    bare.mouse.move(box["x"] + 9, box["y"] + 9, steps=5)
    expect(cells[1].nth(2)).to_have_class(re.compile("target"))  # it stays in its layer
    bare.mouse.up()
    assert sent(bare) == [["put", {"layer": 5, "from": 2, "to": 1}]], "the click that ends a drag chooses too"
    expect(bare.locator(".ghost, .target, img")).to_have_count(0)
    cells[0].nth(3).hover()
    bare.mouse.down()
    bare.mouse.move(2, 2, steps=5)
    bare.mouse.up()  # beside both
    cells[0].nth(1).click()
    cells[1].nth(3).focus()
    bare.keyboard.press("Enter")
    put = ["put", {"layer": 6, "from": 1, "to": 2}]
    assert sent(bare)[1:] == [["pick", {"layer": 6, "column": 2}], put]


def test_a_picture_waits_for_its_colours(browser):
    page = browser.new_page()
    page.set_content('<div id="home"><div class="root"></div></div>')
    page.add_script_tag(
        type="module",
        content=re.sub(
            r"export const \{ (\w+) \} = (\w+);", r"const \1 = \2.\1;", module("widgets/connect.js")
        )
        + """
        window.seen = [];
        const mounted = connect((root) => {
          seen.push(getComputedStyle(root).getPropertyValue("--rb-ink"));
          return () => seen.push("end");
        });
        window.end = mounted({ parentElement: document.querySelector("#home"), data: {} });
        """,
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.seen") == [], "nothing is painted without colours"
    page.add_style_tag(content=f":root {{ {css_variables(LIGHT)} }}")
    page.wait_for_function("seen.length === 1")
    page.evaluate("end()")
    assert page.evaluate("seen") == [LIGHT.ink, "end"]
    page.close()


def test_a_text_box_waits_for_an_input_method(bare):
    """Letters on their way to a Chinese character are nobody's text yet, however long the choice takes."""
    load(bare, "widgets/text_box")
    data = {"text": "他在", "sent": "", "label": "Text", "placeholder": "", "lines": 1, "notice": ""}
    draw(bare, data)
    bare.locator("textarea").focus()
    bare.keyboard.press("End")
    keys = bare.context.new_cdp_session(bare)
    for letters in ("d", "da", "dax"):
        keys.send("Input.imeSetComposition", {"text": letters, "selectionStart": 3, "selectionEnd": 3})
    bare.wait_for_timeout(700)
    assert sent(bare) == [] and bare.locator("textarea").input_value() == "他在dax"
    draw(bare, data | {"text": "a preset"})
    assert bare.locator("textarea").input_value() == "他在dax", "what is being typed stays"
    keys.send("Input.insertText", {"text": "大學"})
    bare.wait_for_function("sent.length > 0")
    assert sent(bare) == [["text", "他在大學"]]


def test_a_text_that_was_typed_before_a_preset_took_its_place_can_be_typed_again(bare):
    """A component's state that is as it was runs no callback: the second time the text was lost."""
    load(bare, "widgets/text_box")
    data = {"text": "a preset", "sent": "mine", "label": "Text", "placeholder": "", "lines": 1, "notice": ""}
    draw(bare, data)
    for text in ("mine", "mine too"):
        bare.locator("textarea").fill(text)
        bare.locator("textarea").press("Enter")
    assert sent(bare) == [["again", "mine"], ["text", "mine too"]]


STEPS = ["temperature", "top_k", "min_p"]


def bench(bare, steps: Sequence[str] = STEPS) -> None:
    two = len(steps) == 2
    load(bare, "continuations/bench")
    step = {"value": "1", "bars": [0.7, 0.3], "cut": [0, 0.2], "left": "80% in 1"}
    draw(
        bare,
        {
            "names": ["mat", HOSTILE],
            "text": f"{HOSTILE} …",
            "strips": [step | {"name": name, "label": name or "The model"} for name in ("", *steps)],
            "order": ["grammar", *steps],
            "off": [{"name": "grammar", "label": "Grammar"}],
            "orders": [["Top-k → Min-p", "3 tokens left"], ["Min-p → Top-k", "5 tokens left"]] if two else [],
            "swapped": [step | {"name": name, "label": name} for name in steps[::-1]] if two else [],
            "counts": [70, 30],
            "ruler": [{"id": 1, "name": "mat", "from": 0, "to": 1, "wide": True, "hit": True}],
            "draw": 0.4,
            "hit": "mat",
            "says": "It lands on “mat”.",
        },
    )


def test_a_press_takes_the_other_order_of_two_steps(bare):
    bench(bare, STEPS[1:])
    bare.get_by_role("button", name="Min-p → Top-k 5 tokens left").click()
    assert sent(bare) == [["order", ["grammar", "min_p", "top_k"]]]


def test_a_step_of_the_bench_is_dragged_pressed_and_moved_by_keys(bare):
    bench(bare)
    assert bare.locator("img").count() == 0
    grips = bare.locator(".grip")
    to = bare.locator(".step").nth(2).bounding_box()
    grips.first.hover()
    bare.mouse.down()
    bare.mouse.move(to["x"] + to["width"] - 4, to["y"] + 10, steps=5)
    bare.mouse.up()
    grips.nth(2).focus()
    bare.keyboard.press("ArrowLeft")
    bare.get_by_role("button", name="top_k earlier").click()
    bare.get_by_role("checkbox", name="top_k on").click()
    bare.get_by_text("More steps").click()
    bare.get_by_role("checkbox", name="Grammar").click()
    assert sent(bare) == [
        ["order", ["grammar", "top_k", "min_p", "temperature"]],
        ["order", ["grammar", "temperature", "min_p", "top_k"]],
        ["order", ["grammar", "top_k", "temperature", "min_p"]],
        ["on", ["temperature", "min_p"]],
        ["on", ["grammar", "temperature", "top_k", "min_p"]],
    ]
