"""Another language, with a tiny random model of English and Chinese: what is drawn is what the code gives."""

from types import SimpleNamespace

import pytest

from explorer.checkpoints.listed import LISTED
from explorer.finetuning import transfer
from explorer.views.finetuning import another_language, bilingual_map, bilingual_models, bilingual_states
from explorer.views.finetuning.another_language_chart import in_words
from explorer.views.frame import picker
from explorer.views.frame.server import memory
from tests import tiny
from tests.views.opening import opened, printed_result, sent, told

BUSY = SimpleNamespace(progress=lambda share, text: None, empty=lambda: None)
DEPTH = tiny.BERT["num_hidden_layers"] + 1


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> str:
    """The name of a model that reads both, in memory as after a choice by hand."""
    folder = tmp_path_factory.mktemp("both")
    tiny.write_bilingual_bert(folder)
    name = f"folder:{folder}"
    memory.fetch(name)
    return name


@pytest.mark.slow
@pytest.mark.parametrize("means", [False, True])
def test_the_lines_are_what_the_code_gives(both, means):
    result = bilingual_states.compute(memory.fetch(both), "bank", means, BUSY)
    (chinese, english), (chance, _), _ = another_language.by_layer(result)
    figures = another_language.asked_in_chinese(memory.fetch(both), "bank", means)
    rows = [
        (share, *ends, home)
        for share, ends, home in zip(chinese.values, chinese.ends, english.values, strict=True)
    ]
    assert len(rows) == DEPTH
    for row, figure in zip(rows, figures, strict=True):
        assert row == pytest.approx(figure, abs=0.03)  # batches of other sizes round differently
    assert chance.value == 0.5


@pytest.mark.slow
def test_topics_stand_beside_what_both_languages_write(both):
    result = bilingual_states.compute(memory.fetch(both), "topics", False, BUSY)
    _, levels, _ = another_language.by_layer(result)
    known = transfer.read("topics")
    one_language = transfer.monolingual_accuracy("topics", False)
    assert {level.name: level.value for level in levels} == {
        "chance": 0.25,
        "one language": max(map(max, one_language.values())),
        "shared tokens": transfer.shared_tokens_accuracy(known),
    }
    line = another_language.layer_in_words(result, 2)
    asked = result.predictions[2]
    assert len(asked.right) == 240 and "Without the 20 that have digits" in line
    assert f"{sum(asked.right) / 240:.0%} of the Chinese sentences are classified correctly" in line
    assert len(another_language.places(result).splitlines()) == 1 + DEPTH * 440


@pytest.mark.slow
def test_dots_have_colour_by_meaning_shape_by_language_and_are_hollow_where_wrong(both):
    result = bilingual_states.compute(memory.fetch(both), "topics", False, BUSY)
    data = bilingual_map.dots(result, 1, by_label=True)
    known = transfer.read("topics")
    assert len(data["dots"]) == 440 and len(data["marks"]) == 10
    assert max(max(abs(dot["x"]), abs(dot["y"])) for dot in data["dots"]) == 1
    for i, example in enumerate((*known.english, *known.chinese)):
        dot, mark = data["dots"][i], data["marks"][data["dots"][i]["mark"]]
        assert mark["colour"] == known.labels.index(example.label) and example.text in dot["tip"]
        assert mark["path"] == bilingual_map.PATHS["diamond" if i >= 200 else "circle"]
        assert dot["wrong"] == (i >= 200 and not result.predictions[1].right[i - 200])
    names = [name for _, name in data["legend"]]
    assert names == [*known.labels, "English", "Chinese"]
    by_language = bilingual_map.dots(result, 1, by_label=False)
    assert [by_language["marks"][i]["colour"] for i, _ in by_language["legend"]] == [0, 1]
    assert {dot["mark"] for dot in by_language["dots"]} == {0, 1}


def test_translations_are_told_by_both_sides_and_by_the_code(both):
    at = opened("finetuning", view="language", model=both, other_task="pairs", other_layer=1)
    result = bilingual_states.compute(memory.fetch(both), "pairs", False, BUSY)
    (there, back), (chance,), _ = another_language.by_layer(result)
    assert chance.value == 1 / 40
    rows = [*zip(there.values, back.values, strict=True)]
    assert rows == [pytest.approx(row, abs=0.03) for row in printed_result(at)]
    (data,) = sent(at, "dots")
    assert len(data["dots"]) == 80 and "at layer 1" in data["label"]
    assert [dot["wrong"] for dot in data["dots"]] == result.wrong(1)
    assert data["dots"][0]["tip"] == " · ".join(transfer.pairs()[0])
    assert f"Layer 1: {round(there.values[1] * 40)} of 40 English sentences" in told(at)
    assert not [one for one in at.button if one.key.startswith("finetuning/both/")]


def test_a_model_of_one_language_is_told_which_read_both(tiny_chinese):
    at = opened("finetuning", view="language", model=str(tiny_chinese.checkpoint))
    assert "reads Chinese alone." in told(at) and not sent(at, "dots")
    offered = [one for one in at.button if one.key.startswith("finetuning/both/")]
    names = [one.key.removeprefix("finetuning/both/") for one in offered]
    assert [one.label for one in offered] == [picker.label(name) for name in names]
    assert names[0] == bilingual_models.OURS
    assert {name.removeprefix("hub:") for name in names[1:]} == {
        name for name, one in LISTED.items() if one.languages == {"en", "zh"}
    }
    assert "hub:google-bert/bert-base-multilingual-cased" in names


@pytest.mark.slow
def test_the_view_opens_with_the_bundled_model_that_reads_both_and_leaves_the_others_theirs():
    at = opened("finetuning", view="language")
    assert at.session_state["finetuning.model"] == bilingual_models.OURS and len(sent(at, "dots")) == 1
    assert "model" not in at.query_params
    at.query_params["view"] = "sentence"
    at.run()
    assert at.session_state["finetuning.model"] == "bert" and not at.exception


@pytest.mark.slow
def test_an_example_keeps_the_model(both):
    at = opened("finetuning", view="language", model=both)
    at.button(key="finetuning/preset/Find the translation").click().run()
    assert at.session_state["finetuning.model"] == both and len(sent(at, "dots")[0]["dots"]) == 80


def test_a_strange_link_shows_what_there_is(both):
    link = {"other_task": "colours", "other_colour": "x", "other_layer": 99}
    at = opened("finetuning", view="language", model=both, **link)
    (data,) = sent(at, "dots")
    assert len(data["dots"]) == 440 and f"at layer {DEPTH - 1}" in data["label"]


@pytest.mark.slow
def test_the_bar_stands_only_for_one_who_waits(both, monkeypatch):
    shown = []
    busy = SimpleNamespace(progress=lambda share, text: shown.append((share, text)), empty=lambda: None)
    monkeypatch.setattr(bilingual_states, "PATIENCE_S", 1_000)
    bilingual_states.compute(memory.fetch(both), "pairs", False, busy)
    assert not shown
    monkeypatch.setattr(bilingual_states, "PATIENCE_S", -1)
    bilingual_states.compute(memory.fetch(both), "feelings", True, busy)
    shares = [share for share, text in shown if "sentences read" in text]
    assert shares == sorted(shares) and len(shares) == 10
    assert (0.75, f"3 of {DEPTH} classifiers trained") in shown


def test_the_chart_in_words_says_every_figure(both):
    result = bilingual_states.compute(memory.fetch(both), "bank", False, BUSY)
    lines, levels, says = another_language.by_layer(result)
    line = in_words(says, lines, levels)
    assert line.count("%") == 2 * DEPTH + 2 and "Chinese, from the embedding up" in line
