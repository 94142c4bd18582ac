"""What layers know on the page: what is drawn is what the analysis gives, and what cannot be read is said."""

import json
from functools import partial

import pytest

import explorer
from explorer.analysis import probing
from explorer.analysis.probing import figures, own_sentences
from explorer.server import memory
from explorer.server.memory import short_label
from explorer.views.frame.presets import presets_in_row
from explorer.views.probing import by_layer, words
from tests.views import opening
from tests.views.opening import preset, printed_result, said, sent, told

opened = partial(opening.opened, "probing")
CASES = [
    (view, one.values) for view in ("layers", "sentence", "tree") for one in presets_in_row("probing", view)
]


@pytest.mark.parametrize(("view", "values"), CASES, ids=lambda case: str(case)[:40])
def test_a_preset_opens(view, values):
    assert not list((at := opened(**{"view": view, **values})).text), told(at)


@pytest.mark.parametrize(
    "link", [{"view": "layers"}, {"view": "layers", "task": "arcs"}, {"view": "sentence"}, {"view": "tree"}]
)
def test_the_code_runs_as_it_is_printed(link, monkeypatch):
    monkeypatch.setattr(explorer, "load", memory.get)
    assert printed_result(opened(**link))


@pytest.mark.parametrize("task", ["tag", "entity", "arcs"])
def test_the_curves_are_the_stored_figures(task):
    at = opened(view="layers", task=task)
    (chart,) = at.get("plotly_chart")
    drawn = {t["name"]: t["y"] for t in json.loads(chart.proto.spec)["data"] if "name" in t}
    stored = figures()["models"]
    wanted = {
        short_label(name): of["arcs"]["32"] if task == "arcs" else of[task]["linear"]
        for name, of in stored.items()
    }
    if task == "arcs":
        wanted |= {f"rank {rank}": values for rank, values in stored["bert"]["arcs"].items()}
    assert drawn == wanted
    assert f"{max(figures()['models']['bert'][task]['32' if task == 'arcs' else 'linear']):.3f}" in said(at)


def test_selectivity_is_the_score_minus_that_of_the_control():
    found, of = by_layer.shown_curves("linear", "selectivity", "tag"), figures()["models"]["gpt"]["tag"]
    assert found["gpt"] == [a - b for a, b in zip(of["linear"], of["linear-control"], strict=True)]


def test_the_line_says_between_which_scores_other_seeds_end(monkeypatch):
    stored = {"models": {"bert": {"tag": {"mlp-seeds": [[0.9, 0.91, 0.89], [0.95, 0.93, 0.94]]}}}}
    monkeypatch.setattr("explorer.analysis.probing.figures", lambda: stored)
    settings = {"model": "bert", "probe": "mlp", "shown": "score"}
    said = by_layer._best_layer_note(settings, {"bert": [0.9, 0.95]}, "tag")
    assert "0.950" in said and said.endswith("from 3 seeds there, 0.930 to 0.950.")
    for other in ({"probe": "linear"}, {"shown": "control"}):
        assert "seeds" not in by_layer._best_layer_note(settings | other, {"bert": [0.9, 0.95]}, "tag")


def test_each_cell_is_what_its_probe_says():
    at = opened(view="sentence")
    (grid,) = sent(at, "grid")
    bert, one = explorer.load("bert"), own_sentences()[0]
    found = probing.labels_by_layer(bert, probing.states_of(bert, one), "tag")
    for layer, row in enumerate(grid["rows"][:-1]):
        assert [cell["chips"][0]["text"] for cell in row["cells"]] == [
            found.best(layer, place)[0] for place in range(len(one))
        ]
    assert [c["chips"][0]["text"] for c in grid["rows"][-1]["cells"]] == list(one.tags), "by hand"
    assert f"{found.best(0, 3)[1]:.3f}" in grid["rows"][0]["cells"][3]["tip"]
    assert [column["text"] for column in grid["columns"]] == one.words


def test_a_click_lets_the_other_words_hang_on_one():
    at = opened(view="sentence", task="relation", text="The boats rocked all night.")
    (grid,) = sent(at, "grid")
    (chosen,) = (c["text"] for c in grid["columns"] if c["chosen"])
    assert chosen == "rocked", "the surest verb, until a word is clicked"
    at = opened(view="sentence", task="relation", text="The boats rocked all night.", arc_head=2)
    (grid,) = sent(at, "grid")
    assert [c["chosen"] for c in grid["columns"]].index(True) == 1
    assert grid["rows"][3]["cells"][0]["chips"][0]["text"] == "det"
    assert grid["rows"][3]["cells"][1]["chips"] == []


def test_relations_of_our_own_sentences_are_those_of_their_trees():
    at = opened(view="sentence", task="relation")
    (grid,) = sent(at, "grid")
    assert grid["columns"][0]["note"] == "← wants" and "we marked" in said(at)


def test_the_trees_are_drawn_layer_by_layer():
    at = opened(view="tree", text=preset("probing", "More than neighbours").values["text"])
    (data,) = sent(at, "two_trees")
    bert, one = explorer.load("bert"), own_sentences()[1]
    found = probing.trees_by_layer(bert, probing.states_of(bert, one), one)
    assert [[tuple(arc) for arc in layer["arcs"]] for layer in data["layers"]] == found
    gold = {tuple(arc) for arc in data["gold"]}
    assert (1, 7) in gold and len(gold) == 9
    assert data["layers"][3]["right"] == pytest.approx(len(gold & set(found[3])) / 9)
    assert data["layer"] == words.best_layer("bert", "arcs")


def test_a_visitors_sentence_has_a_tree_and_none_beside_it():
    (data,) = sent(opened(view="tree", text="Nine boats rocked."), "two_trees")
    assert data["gold"] is None and all(len(layer["arcs"]) == 2 for layer in data["layers"])


@pytest.mark.parametrize(
    ("model", "view"),
    [("word2vec", "tree"), ("elmo", "sentence"), ("bert-mini", "sentence"), ("gpt", "tree")],
)
def test_every_model_has_its_probes(model, view):
    at = opened(view=view, model=model)
    assert not list(at.text), told(at)


@pytest.mark.parametrize(
    ("view", "model", "text"),
    [
        ("sentence", "bert", ""),
        ("tree", "bert", "?!"),
        ("tree", "gpt", "one"),
        ("sentence", "bert", "🙂 🙂"),
        ("sentence", "word2vec", "xqzzt wvvk"),
        ("tree", "bert", "water " * 300),
    ],
)
def test_any_text_may_be_read(view, model, text):
    at = opened(view=view, text=text, model=model)
    assert ("There is no text" in told(at)) == (not text)
    assert ("first 60 words" in said(at)) == (len(text) > 1000)


def test_a_list_of_our_sentences_stands_beside_the_box():
    at = opened()
    at.button(key="probing/own/6").click().run()
    assert not at.exception
    (grid,) = sent(at, "grid")
    assert [column["text"] for column in grid["columns"]] == own_sentences()[6].words
