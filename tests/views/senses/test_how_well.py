"""Senses by layer: every model on one chart, readers of the topic beside it."""

import json

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.server import memory
from explorer.views.senses import by_model, curves
from tests.views.opening import defaults, opened, page_settings, told

DEFAULTS = defaults("senses")


def run(**settings) -> AppTest:
    return opened("senses", **{"view": "well", "more": "true", **settings})


def drawn(at: AppTest) -> list[dict]:
    """The traces of the page's figures."""
    return [json.loads(chart.proto.spec)["data"] for chart in at.get("plotly_chart")]


@pytest.mark.weights
def test_every_bundled_model_is_on_both_charts():
    at = run()
    judged, alike = drawn(at)
    assert sorted(trace["name"] for trace in judged if "name" in trace) == ["BERT", "ELMo", "GPT"]
    assert len([trace for trace in judged if "name" not in trace]) == 3, "three lines of those who know less"
    assert len([trace for trace in alike if trace.get("name") == "BERT"]) == 3
    assert "BERT is best at" in told(at) and "12 occurrences of 3 senses" in told(at)
    at.segmented_control(key="senses.measure").set_value("silhouette").run(timeout=60)
    assert not at.exception and drawn(at)[0] != judged and drawn(at)[1] == alike
    assert {"Curves · CSV", "Likeness · CSV"} <= {button.label for button in at.get("download_button")}
    at.toggle(key="senses.adjusted").set_value(False).run(timeout=60)
    assert drawn(at)[1] != alike


@pytest.mark.slow
def test_a_second_model_of_a_kind_is_drawn_where_it_is_chosen():
    judged, _ = drawn(run(model="bert-mini"))
    assert sorted(trace["name"] for trace in judged if "name" in trace) == [
        "BERT",
        "BERT mini",
        "ELMo",
        "GPT",
    ]


@pytest.mark.slow
def test_without_senses_there_is_nothing_to_judge_but_likeness():
    at = run(text="A bank.\nThe bank was old.\nOur bank.")
    assert "Tag sentences of two senses" in told(at) and len(drawn(at)) == 1


@pytest.mark.slow
def test_a_word_that_word2vec_lacks_leaves_its_lines_out():
    at = run(word="zorple", text="A zorple sat. #a\nThe zorple ran. #b\nMy zorple sat. #a\nNo zorple ran. #b")
    assert "Left out, since they lack one of these words: word2vec" in told(at)
    assert len([trace for trace in drawn(at)[0] if "name" not in trace]) == 1


@pytest.mark.slow
def test_one_measure_and_one_chart_until_more_is_asked_for():
    at = run(more="false")
    assert len(drawn(at)) == 1 and not [one for one in at.segmented_control if one.label == "Measure"]
    at.toggle(key="senses.more").set_value(True).run(timeout=60)
    assert not at.exception and len(drawn(at)) == 2
    assert at.segmented_control(key="senses.measure").options == ["Macro-F1", "Silhouette", "Rand index"]
    at.toggle(key="senses.more").set_value(False).run(timeout=60)
    assert not at.exception and len(drawn(at)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["nonsense", "rand"])
def test_a_link_is_taken(measure):
    assert run(measure=measure, model="word2vec").segmented_control(key="senses.measure").value in (
        "macro_f1",
        "rand",
    )


class Place:
    """A place on the page that remembers what was said in it."""

    def __init__(self) -> None:
        self.told = []

    def progress(self, share: float, text: str) -> None:
        self.told.append((round(share, 2), text))

    def empty(self) -> None:
        self.told.append("done")


def test_it_says_which_model_reads(monkeypatch):
    settings = page_settings("senses", **DEFAULTS | {"own": False})
    bert, place = memory.get("bert"), Place()
    curves.model_curves(settings, bert, place)
    assert place.told[-1] == "done"
    monkeypatch.setattr(by_model, "PATIENCE_S", -1)
    place = Place()
    curves.model_curves(settings, bert, place)
    assert [text for _, text in place.told[:-1]] == [
        f"{n} reads, {i} of 3…" for i, n in enumerate(("ELMo", "BERT", "GPT"), 1)
    ]


def test_of_an_edited_text_only_the_new_sentence_is_read_again(monkeypatch, tiny):
    from explorer.analysis.senses import contextuality

    read, real = [], contextuality.sentence_similarities
    monkeypatch.setattr(
        contextuality,
        "sentence_similarities",
        lambda model, texts: read.append(list(texts)) or real(model, texts),
    )
    for text in ("Quite a bank.\nThe wide bank.", "Quite a bank.\nThe wider bank."):
        occurrences = by_model.read(
            page_settings("senses", **DEFAULTS | {"own": False, "text": text}), memory.fetch(tiny)
        )
        similarities = by_model.sentence_similarities(memory.fetch(tiny), occurrences)
    assert read == [["Quite a bank.", "The wide bank."], ["The wider bank."]]
    expected = list(real(memory.fetch(tiny), ["Quite a bank.", "The wider bank."]))
    for found, wanted in zip(similarities, expected, strict=True):
        torch.testing.assert_close(found, wanted)


@pytest.mark.slow
def test_layers_that_tie_are_all_named_and_a_sense_with_one_sentence_is_said_to_be_left_out():
    text = "The bank lent money. #money\nA bank took the coins. #money\nWe sat on the bank. #river"
    at = run(text=text)
    assert "2 occurrences of 1 sense, 1 with a single sentence left out." in told(at)
