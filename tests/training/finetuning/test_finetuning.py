"""The heads that ship: how sets are read, and that what is stored is what the command makes."""

import json
import os
from pathlib import Path

import pytest

import explorer
from explorer.finetuning import Labelled, Question, Tagged, gained, library
from explorer.training.finetuning import curves, data, ready

LABELLED = Path(os.environ.get(data.FOLDER, "labelled"))
WATER = [Labelled(f"{a} {b}", "water") for a in ("the", "old", "deep") for b in ("river", "water", "light")]
MONEY = [Labelled(f"{a} {b}", "money") for a in ("the", "old", "saw") for b in ("money", "bank", "is")]


@pytest.fixture
def small(monkeypatch, tiny_bert, tmp_path):
    """A small set, a tiny body, and a folder of its own."""
    sets = data.Sets(WATER[:6] + MONEY[:6], WATER[6:7] + MONEY[6:7], WATER[7:] + MONEY[7:])
    monkeypatch.setitem(data.SETS, "small", lambda folder: sets)
    monkeypatch.setitem(ready.PLANS, "small", ready.Plan(12, 2, 4, 1e-3, rank=2, limit=16, frozen=12))
    monkeypatch.setattr(explorer, "load", lambda name: tiny_bert)
    monkeypatch.setattr(ready, "HEADS", tmp_path / "heads")
    monkeypatch.setattr(curves, "CURVES", tmp_path / "curves")
    return tmp_path


def test_a_ready_head_is_stored_and_measured(small, tiny_bert):
    ready.make("small", small, small / "state")
    from explorer.finetuning import store

    head = store.load(small / "heads" / "small.safetensors", tiny_bert)
    found = json.loads((small / "heads" / "small.json").read_text())
    assert set(found["scores"]) == {"tuned", "frozen", "bag of words", "majority"}
    assert found["scores"]["majority"] == {"accuracy": 0.5} and found["test"] == 4
    said = head.predict(data.SETS["small"](small).test)
    right = sum(a.label == e.label for a, e in zip(said, data.SETS["small"](small).test)) / 4
    assert found["scores"]["tuned"]["accuracy"] == right


def test_curves_go_on_where_they_were_left(small):
    curves.make("small", small, sizes=(4,), seeds=1)
    file = small / "curves" / "small.json"
    once = json.loads(file.read_text())
    file.write_text(json.dumps(once | {"cells": {"frozen": {"4": [0.123]}}}))
    curves.make("small", small, sizes=(4,), seeds=2)
    again = json.loads(file.read_text())["cells"]
    assert again["frozen"]["4"][0] == 0.123, "what is known is not made again"
    assert again["random body"]["4"][0] == once["cells"]["random body"]["4"][0], "and the rest is the same"
    assert {way: len(sizes["4"]) for way, sizes in again.items()} == dict.fromkeys(gained.WAYS, 2)


def test_live_curves_leave_out_sizes_that_are_too_large(tiny_bert):
    from explorer.finetuning import task_of

    learn, test = WATER[:5] + MONEY[:5], WATER[5:] + MONEY[5:]
    cells = list(gained.gained(tiny_bert, task_of(learn), learn, test, sizes=(4, 10, 50), seeds=1))
    assert [(c.way, c.size) for c in cells[-2:]] == [("fine-tuned", 4), ("fine-tuned", 10)]
    assert {c.size for c in cells} == {4, 10} and all(0 <= c.score <= 1 for c in cells)


@pytest.mark.skipif(not LABELLED.is_dir(), reason=f"{data.FOLDER} names no folder with the sets")
@pytest.mark.parametrize("name", library.curves())
@pytest.mark.parametrize("way", ["frozen", "bag of words"])
def test_a_stored_cell_is_what_the_command_makes(name, way, shared_models):
    stored = library.curve(name)
    sets = data.SETS[name](LABELLED)
    test = ready.drawn(sets.test, stored["test"])
    task = explorer.finetuning.task_of([*sets.train, *test])
    made = gained.cell(way, explorer.load("bert"), task, gained.drawn(sets.train, 10, 0), test, 0)
    assert made == pytest.approx(stored["cells"][way]["10"][0], abs=0.01)


@pytest.mark.skipif(not LABELLED.is_dir(), reason=f"{data.FOLDER} names no folder with the sets")
def test_the_sets_are_as_they_are_said_to_be():
    answers = data.answers(LABELLED)
    assert len(answers.test) == 1185
    passages = {e.passage for e in answers.train}
    assert not passages & {e.passage for e in answers.test} and not passages & {
        e.passage for e in answers.dev
    }
    empty = sum(not e.answer for e in answers.train if isinstance(e, Question)) / len(answers.train)
    assert 0.1 < empty < 0.25
    names = data.names(LABELLED)
    assert all(isinstance(e, Tagged) for e in names.train) and len(names.test) > 150
