"""The heads page: every view runs, on models that ship and on others, and does what its parts say."""

import itertools
from dataclasses import replace
from functools import partial

import pytest
import torch

import explorer
from explorer.analysis import heads
from explorer.analysis.attention.weights import between_words
from explorer.analysis.heads import ablation, loss
from explorer.analysis.heads.relations import library
from explorer.catalogue.ability import Ability
from explorer.errors import TextError
from explorer.server import kept, memory
from explorer.views.heads import report
from explorer.views.heads.page import VIEWS
from explorer.views.widgets.layer_names import head_name
from tests.views import opening
from tests.views.opening import sent, told

TEXT = "We saw the old river by the bank."
HOSTILE = "</script><b>x</b> bank"
KINDS = ("hit", "miss", "wanted")


run = partial(opening.opened, "heads")


@pytest.fixture
def tiny(bert_folder, monkeypatch) -> str:
    """The tiny BERT, whose heads nobody has measured; the corpus is short."""
    from explorer.analysis.heads import storing

    monkeypatch.setattr(storing, "library", lambda half: library(half)[:5])
    monkeypatch.setattr(loss, "sentences", lambda languages: [TEXT, "The water was deep."])
    monkeypatch.setattr(report, "_reports", kept.Kept(of="models"))
    monkeypatch.setattr(report, "_runs", kept.Kept(of="models"))
    kept.forget_models()
    yield f"folder:{bert_folder}"
    kept.forget_models()


def test_a_relation_shows_the_stored_figures_and_one_of_our_sentences():
    at = run(what="obj", sentence=3)
    answers = heads.stored("bert").halves["written"].relations["obj"]["to_head"]
    (data,) = sent(at, "layer_map")
    assert [cell["text"] for cell in data["cells"]] == [f"{100 * v:.0f}" for v in answers.accuracy.flatten()]
    (rows,) = sent(at, "ranking")
    assert rows["rows"][0]["name"] == head_name(*answers.best) and rows["rows"][0]["chosen"]
    assert rows["tick"] == pytest.approx(answers.baseline.accuracy)
    (picture,) = sent(at, "arcs")
    asking = [parse for parse in library("written") if "obj" in parse.relations]
    assert [token["text"] for token in picture["tokens"]] == list(asking[3].words)
    assert {arc["kind"] for arc in picture["arcs"]} <= set(KINDS) and not picture["drawing"]


def test_a_missed_answer_is_drawn_as_a_wanted_arc_beside_the_wrong_one():
    at = run(what="obj", sentence=0, head=[0, 2])  # a head that attends to the token before: never the verb
    (picture,) = sent(at, "arcs")
    parse = next(parse for parse in library("written") if "obj" in parse.relations)
    objects = [i for i, relation in enumerate(parse.relations) if relation == "obj"]
    arcs = {kind: [(a["from"], a["to"]) for a in picture["arcs"] if a["kind"] == kind] for kind in KINDS}
    assert arcs["wanted"] == [(word, parse.heads[word]) for word in objects]
    assert arcs["miss"] == [(word, word - 1) for word in objects] and not arcs["hit"]
    assert "Dotted: the right answer." in picture["caption"]
    best = run(what="obj", sentence=0)
    (picture,) = sent(best, "arcs")
    assert [arc["kind"] for arc in picture["arcs"]] == ["hit"] * len(objects), "nothing is missed"


def test_a_behaviour_on_the_visitors_sentence():
    at = run(of="live", what="previous", text=TEXT, head=[1, 3])
    trace = explorer.load("bert").trace(TEXT)
    live = heads.behaviours(trace)["previous"]
    (data,) = sent(at, "layer_map")
    assert [cell["text"] for cell in data["cells"]] == [f"{100 * v:.0f}" for v in live.flatten()]
    assert "chosen" in data["cells"][1 * 12 + 3]["state"]
    (picture,) = sent(at, "arcs")
    pattern = trace.attention.pattern[1, 3]
    for arc in picture["arcs"]:
        assert arc["weight"] == pytest.approx(float(pattern[arc["from"], arc["to"]]), abs=1e-5)
        ordinary = 0 < arc["from"] < len(pattern) - 1 and arc["to"] > 0
        assert (arc["kind"] == "") == (ordinary and arc["from"] - arc["to"] == 1)


def test_grammar_is_not_asked_of_a_typed_sentence():
    at = run(of="live", what="obj")
    assert at.selectbox[1].value == "previous"
    assert not any("obj" in option for option in at.selectbox[1].options)


def test_heads_that_nobody_has_measured_are_measured_on_demand(tiny):
    at = run(model=tiny)
    assert "Nobody has measured" in told(at) and not sent(at, "layer_map")
    at.button(key="heads/measure").click().run()
    assert not at.exception
    (data,) = sent(at, "layer_map")
    assert (data["layers"], data["heads"]) == (3, 5)
    assert report.find(tiny).halves["grammar"].sentences <= 5


def test_the_loss_of_each_head_is_measured_on_demand_and_goes_on_where_it_was_left(tiny, monkeypatch):
    at = run(model=tiny, view="off", text=TEXT, off=[[0, 1]])
    (data,) = sent(at, "layer_map")
    assert all(cell["text"] in ("", "×") for cell in data["cells"]) and data["legend"] is None
    real, measured = loss.without, []

    def stops(model, exam, layer, head, way):
        measured.append((layer, head))
        if len(measured) == 4:
            raise TextError("Somebody has clicked elsewhere.")
        return real(model, exam, layer, head, way)

    monkeypatch.setattr(loss, "without", stops)
    at.button(key="heads/losses").click().run()
    assert not at.exception and "clicked elsewhere" in told(at)
    monkeypatch.setattr(loss, "without", real)
    assert list(report._runs.look_up((tiny, "zero")).after) == [(0, 0), (0, 1), (0, 2)]
    part = report.losses(explorer.load(tiny), "zero")
    assert int(part.change.isnan().sum()) == 12
    at = run(model=tiny, view="off", text=TEXT)
    assert "Continue: 12 heads" in at.button(key="heads/losses").label
    at.button(key="heads/losses").click().run()
    assert not at.exception and not report.losses(explorer.load(tiny), "zero").change.isnan().any()
    (data,) = sent(at, "layer_map")
    assert data["legend"] and "nats" in data["cells"][0]["tip"]


def test_along_ones_own_arcs_heads_are_ranked_as_the_analysis_does():
    arcs = [(5, 1), (7, 2)]
    at = run(what="arcs", of="written", text=TEXT, arcs=[list(arc) for arc in arcs])
    _, pattern = between_words(explorer.load("bert").trace(TEXT))
    matches = heads.find(pattern, arcs)
    order = matches.ranking()
    (rows,) = sent(at, "ranking")
    assert [row["name"] for row in rows["rows"]] == [head_name(c.layer, c.head) for c in order[:5]]
    (data,) = sent(at, "layer_map")
    assert [cell["text"] for cell in data["cells"]] == [f"{100 * v:.0f}" for v in matches.attention.flatten()]
    assert [i for i, cell in enumerate(data["cells"]) if "best" in cell["state"]] == [
        order[0].layer * 12 + order[0].head
    ]
    (picture,) = sent(at, "arcs")
    assert picture["drawn"] == [list(arc) for arc in arcs]
    by_distance = round(100 * (order[0].attention - order[0].margin))
    assert f"{head_name(order[0].layer, order[0].head)} gives {by_distance}% on average" in told(at)


def test_without_arcs_it_says_what_to_do_and_says_what_figures_cannot_tell():
    at = run(what="arcs", arcs=[])
    assert "a noun and its verb" in told(at) and not sent(at, "ranking")[0]["rows"]
    assert sent(at, "arcs")[0]["arcs"] == []
    at = run(what="arcs", model="gpt", text=TEXT, arcs=[[0, 3]])
    assert "looks ahead" in told(at)
    at = run(what="arcs", text="We saw", arcs=[[1, 0]])
    assert "these arcs cannot be told from distance" in told(at)


def test_switching_off_shows_both_guesses():
    off = [[5, 8], [2, 8]]
    at = run(view="off", text=TEXT, blank=4, off=off, how="uniform")
    model = explorer.load("bert")
    question = ablation.ask(model, "We saw the old [MASK] by the bank.")
    before = ablation.answer(model, question)
    edit = ablation.switch_off([tuple(one) for one in off], "uniform")
    after = ablation.answer(model, question, edit)
    (data,) = sent(at, "before_after")
    best = int(before.argmax())
    assert data["rows"][0]["before"] == pytest.approx(float(before[best]), abs=1e-5)
    assert data["rows"][0]["after"] == pytest.approx(float(after[best]), abs=1e-5)
    assert data["after"] == "without L6H9, L3H9"
    assert [row["token"] for row in data["rows"] if "wanted" in row["state"]] == ["river"]
    (picture,) = sent(at, "layer_map")
    assert [i for i, cell in enumerate(picture["cells"]) if "off" in cell["state"]] == [
        2 * 12 + 8,
        5 * 12 + 8,
    ]


def test_with_every_head_on_nothing_changes():
    at = run(view="off", off=[])
    (data,) = sent(at, "before_after")
    assert data["after"] == "no head is off" and not any(row["change"] for row in data["rows"])
    assert "Press a head on the map" in told(at)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["", HOSTILE, "bank", "river " * 400])
def test_odd_texts(view, text, gpt_folder, tiny):
    for model, what in itertools.product((tiny, f"folder:{gpt_folder}"), ("previous", "arcs")):
        at = run(view=view, model=model, of="live", what=what, text=text, arcs=[[1, 0]])
        assert not at.text, at.text
    assert all("<b>x</b>" not in part.proto.body for part in at.get("html"))


def test_a_model_without_heads_says_so(tiny_bert, monkeypatch):
    monkeypatch.setitem(memory._models, "folder:/no/heads", replace(tiny_bert, abilities=Ability.CONTEXT))
    assert "has no heads" in told(run(model="folder:/no/heads"))


def test_nan_scores_draw_empty_cells():
    at = run(of="live", what="repeat", text="We saw the bank.")
    (data,) = sent(at, "layer_map")
    assert {cell["state"].split()[0] for cell in data["cells"]} == {"empty"}
    assert "No word occurs twice" in told(at)
    assert torch.isnan(heads.behaviours(explorer.load("bert").trace("We saw the bank."))["repeat"]).all()


@pytest.mark.parametrize(
    ("view", "names"),
    [("kinds", ["Every head’s score"]), ("off", ["Guesses before and after", "Loss without each head"])],
)
def test_every_view_offers_its_numbers(view, names):
    labels = [button.proto.label for button in run(view=view).get("download_button")]
    assert [label.partition(" · ")[0] for label in labels] == [*names, "Web page", "This session"]


def test_a_space_at_the_end_is_told_where_a_model_goes_on_from_the_text():
    boxes = [sent(run(view="off", model=name, text="The bank "), "text_box") for name in ("gpt", "bert")]
    assert ["ends in a space" in box["notice"] for (box,) in boxes] == [True, False]
