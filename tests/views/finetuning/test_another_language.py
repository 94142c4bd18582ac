"""Another language: what is drawn is what is stored, and what the code gives."""

import json

import pytest

import explorer
from explorer.errors import TextError
from explorer.finetuning import transfer
from explorer.views.finetuning import another_language
from explorer.views.finetuning.another_language import in_words
from tests import tiny
from tests.views.opening import opened, told, unmarked

DEPTH = tiny.BERT["num_hidden_layers"] + 1


@pytest.mark.parametrize("task", list(another_language.TASKS))
@pytest.mark.parametrize("means", [False, True])
def test_the_lines_are_the_stored_ones(task, means):
    at = opened("finetuning", view="other", way="language", other_task=task, other_means=means)
    stored = transfer.by_layer(task, means)
    drawn = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
    lines = {
        line["hovertemplate"].split(",")[0]: line["y"] for line in drawn if line["mode"] == "lines+markers"
    }
    assert lines == {line["name"]: line["values"] for line in stored["lines"]}
    dashed = [line["y"][0] for line in drawn if "dash" in line.get("line", {})]
    assert dashed == [level["value"] for level in stored["levels"]]
    assert unmarked(another_language.sentences(task)) in told(at)


def test_the_code_gives_a_row_for_each_layer(tiny_bilingual):
    rows = another_language.asked_in_chinese(tiny_bilingual, "bank", True)
    assert len(rows) == DEPTH and all(low <= share <= high for share, low, high, _ in rows)
    found = another_language.translations_found(tiny_bilingual, False)
    assert len(found) == DEPTH and all(0 <= share <= 1 for row in found for share in row)


@pytest.mark.weights
@pytest.mark.parametrize("means", [False, True])
def test_the_code_gives_what_is_drawn(means):
    model = explorer.load(another_language.MODEL)
    (chinese, english) = transfer.by_layer("bank", means)["lines"]
    for layer, row in enumerate(another_language.asked_in_chinese(model, "bank", means)):
        stored = [chinese["values"][layer], *chinese["ends"][layer], english["values"][layer]]
        assert row == pytest.approx(stored, abs=0.05), "one sentence of 24 is 0.04"
    (there, back) = transfer.by_layer("pairs", means)["lines"]
    for layer, row in enumerate(another_language.translations_found(model, means)):
        assert row == pytest.approx((there["values"][layer], back["values"][layer]), abs=0.03)


def test_a_link_from_when_there_was_a_map_opens():
    at = opened(
        "finetuning", view="other", way="language", other_task="colours", other_colour="label", other_layer=99
    )
    assert len(at.get("plotly_chart")) == 1 and "The soup" in told(at)


def test_another_task_is_refused():
    with pytest.raises(TextError, match="colours"):
        transfer.by_layer("colours", False)


def test_the_chart_in_words_says_every_figure():
    figures = transfer.by_layer("bank", False)
    line = in_words("classified correctly", **figures)
    depth = len(figures["lines"][0]["values"])
    assert line.count("%") == 2 * depth + 2 and "Chinese, from the embedding up" in line
