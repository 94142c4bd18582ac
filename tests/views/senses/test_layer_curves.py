"""The Map by layer: every model on one chart, readers of the topic beside it."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from explorer.server import memory
from explorer.views.senses import by_model, layer_curves
from tests.views.opening import defaults, opened, page_settings, told

DEFAULTS = defaults("senses")


def run(**settings) -> AppTest:
    return opened("senses", **{"view": "map", "shown": "layers", **settings})


def drawn(at: AppTest) -> list[dict]:
    """The traces of the page's figures."""
    return [json.loads(chart.proto.spec)["data"] for chart in at.get("plotly_chart")]


@pytest.mark.weights
def test_every_bundled_model_is_a_line_beside_three_of_those_who_know_less():
    at = run()
    (traces,) = drawn(at)
    assert sorted(trace["name"] for trace in traces if "name" in trace) == ["BERT", "ELMo", "GPT"]
    assert len([trace for trace in traces if "name" not in trace]) == 3
    assert "BERT is best at" in told(at) and "12 occurrences of 3 senses" in told(at)
    assert "Curves · CSV" in [button.label for button in at.get("download_button")]


@pytest.mark.slow
def test_a_second_model_of_a_kind_is_drawn_where_it_is_chosen():
    (judged,) = drawn(run(model="bert-mini"))
    assert sorted(trace["name"] for trace in judged if "name" in trace) == [
        "BERT",
        "BERT mini",
        "ELMo",
        "GPT",
    ]


@pytest.mark.slow
def test_without_senses_there_is_nothing_to_judge():
    at = run(text="A bank.\nThe bank was old.\nOur bank.")
    assert "Tag sentences of two senses" in told(at) and not drawn(at)


@pytest.mark.slow
def test_a_word_that_word2vec_lacks_leaves_its_lines_out():
    at = run(word="zorple", text="A zorple sat. #a\nThe zorple ran. #b\nMy zorple sat. #a\nNo zorple ran. #b")
    assert "Left out, since they lack one of these words: word2vec" in told(at)
    assert len([trace for trace in drawn(at)[0] if "name" not in trace]) == 1


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
    layer_curves.model_scores(settings, bert, place)
    assert place.told[-1] == "done"
    monkeypatch.setattr(by_model, "PATIENCE_S", -1)
    place = Place()
    layer_curves.model_scores(settings, bert, place)
    assert [text for _, text in place.told[:-1]] == [
        f"{n} reads, {i} of 3…" for i, n in enumerate(("ELMo", "BERT", "GPT"), 1)
    ]


@pytest.mark.slow
def test_layers_that_tie_are_all_named_and_a_sense_with_one_sentence_is_said_to_be_left_out():
    text = "The bank lent money. #money\nA bank took the coins. #money\nWe sat on the bank. #river"
    at = run(text=text)
    assert "2 occurrences of 1 sense, 1 with a single sentence left out." in told(at)
