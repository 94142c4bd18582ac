"""The heads that ship: how sets are read, and that what is stored is what the command makes."""

import json
import os
from pathlib import Path

import pytest

import explorer
from explorer.finetuning import Labelled, Question, Tagged, library, store
from explorer.finetuning.learning_curves import WAYS, curve_score
from explorer.finetuning.sampling import draw
from training.finetuning import comparisons, data, ready

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
    monkeypatch.setattr(comparisons, "CURVES", tmp_path / "curves")
    return tmp_path


@pytest.mark.slow
def test_a_ready_head_is_stored_and_measured(small, tiny_bert):
    ready.make("small", small, small / "state")
    head = store.load(small / "heads" / "small.safetensors", tiny_bert)
    found = json.loads((small / "heads" / "small.json").read_text())
    assert set(found["scores"]) == {"tuned", "frozen", "bag of words", "majority"}
    assert found["scores"]["majority"] == {"accuracy": 0.5} and found["test"] == 4
    assert [step for step, _ in found["course"]] == [1, 2, 3, 4, 5, 6], "two looks an epoch of three steps"
    assert found["chosen"]["accuracy"] == max(scores["accuracy"] for _, scores in found["course"])
    said = head.predict(data.SETS["small"](small).test)
    right = sum(a.label == e.label for a, e in zip(said, data.SETS["small"](small).test)) / 4
    assert found["scores"]["tuned"]["accuracy"] == right


def test_frozen_vectors_of_several_bodies(small, monkeypatch):
    monkeypatch.setattr(comparisons, "FEATURE_SETS", ("small",))
    monkeypatch.setattr(comparisons, "FINETUNING", small)
    comparisons.features(small, ["bert-mini"])
    scores = json.loads((small / "features.json").read_text())["scores"]["small"]
    assert [*scores] == ["bert-mini", "random body", "bag of words", "majority"]
    assert scores["majority"] == 0.5 and scores["bag of words"] == 1.0
    assert scores["bert-mini"] in {0.0, 0.25, 0.5, 0.75, 1.0}


@pytest.mark.long
@pytest.mark.slow
def test_curves_go_on_where_they_were_left(small):
    comparisons.curves("small", small, sizes=(4,), seeds=1)
    file = small / "curves" / "small.json"
    once = json.loads(file.read_text())
    file.write_text(json.dumps(once | {"cells": {"frozen": {"4": [0.123]}}}))
    comparisons.curves("small", small, sizes=(4,), seeds=2)
    again = json.loads(file.read_text())["cells"]
    assert again["frozen"]["4"][0] == 0.123, "what is known is not made again"
    assert again["random body"]["4"][0] == once["cells"]["random body"]["4"][0], "and the rest is the same"
    assert {way: len(sizes["4"]) for way, sizes in again.items()} == dict.fromkeys(WAYS, 2)


@pytest.mark.long
@pytest.mark.slow
def test_with_other_weights_curves_measure_the_body_again_and_keep_the_rest(small):
    comparisons.curves("small", small, sizes=(4,), seeds=1)
    file = small / "curves" / "small.json"
    once = json.loads(file.read_text())
    marked = {way: {"4": [0.123]} for way in WAYS}
    file.write_text(json.dumps(once | {"cells": marked, "fingerprint": "of others"}))
    comparisons.curves("small", small, sizes=(4,), seeds=1)
    again = json.loads(file.read_text())
    assert again["fingerprint"] == once["fingerprint"]
    for way in WAYS:
        kept = way in ("random body", "bag of words")
        assert again["cells"][way] == (marked if kept else once["cells"])[way]


def test_what_ships_was_measured_with_the_weights_that_ship(shared_models):
    body = store.fingerprint(explorer.load(ready.BODY))
    told = [library.compared("choices"), *map(library.curve, library.curves())]
    assert len(told) > 5 and {one["fingerprint"] for one in told} == {body}


def test_short_sentences_are_left_out_where_the_plan_says_so(small):
    sets = data.SETS["small"](small)
    every, longer = (ready.Plan(12, 1, 4, 1e-3, shortest=words) for words in (1, 3))
    assert (
        len(ready.training_examples(every, sets, 5)) == 5
        and len(ready.training_examples(every, sets, 99)) == 12
    )
    assert ready.training_examples(longer, sets, 99) == [], "these have two words each"


def test_curves_leave_out_sizes_that_a_set_does_not_have(small):
    comparisons.curves("small", small, sizes=(4, 200), seeds=1, ways=["bag of words"])
    cells = json.loads((small / "curves" / "small.json").read_text())["cells"]
    assert list(cells["bag of words"]) == ["4"]


@pytest.mark.weights
@pytest.mark.parametrize("size", ["10", "50"])
@pytest.mark.parametrize("way", ["random body", "frozen", "bag of words"])
def test_a_stored_cell_of_our_own_sentences_is_what_the_command_makes(way, size, shared_models):
    stored = library.curve("films")
    sets = data.films(Path("nowhere"))
    test = ready.draw(sets.test, comparisons.TEST)
    assert len(test) == stored["test"]
    task = explorer.finetuning.task_of([*sets.train, *test])
    made = curve_score(way, explorer.load("bert"), task, draw(sets.train, int(size), 3), test, 3)
    assert made == pytest.approx(stored["cells"][way][size][3], abs=1.01 / len(test)), "but for one sentence"


def row(number: int, source: str, context: str) -> dict[str, object]:
    answer = context.split()[1]
    return {
        "id": str(number),
        "source": source,
        "context": context,
        "question": f"What is number {number}?",
        "answer": answer,
        "answer_start": context.index(answer),
    }


def test_no_passage_of_the_test_set_is_learnt_from(tmp_path):
    folder = tmp_path / "qa_en" / "qa_en"
    folder.mkdir(parents=True)
    asked = [
        row(0, "xquad", "The river froze in May. Boats lay still."),
        row(1, "squad_part", "the river FROZE in May"),
    ]
    asked += [row(i, "squad_part", f"Town{i} has{i} a bridge") for i in range(2, 12)]
    asked += [row(i, "qamr", f"Ship{i} carries{i} salt") for i in range(12, 40)]
    held = [
        row(40, "squad_part", "Rome fell slowly"),
        row(41, "qamr", "Rain fell"),
        row(42, "xquad", "Ice melts"),
    ]
    for name, rows in (("train", asked), ("dev", held)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    sets = data.answers(tmp_path, unanswerable=0.0)
    assert {e.question[-3:-1].strip() for e in sets.test} == {"0", "42"}
    assert [e.passage for e in sets.dev] == ["Rome fell slowly"], "whole passages, as the test set has"
    passages = [e.passage for e in sets.train]
    assert sum(passage.startswith("Town") for passage in passages) == 10
    assert sum(passage.startswith("Ship") for passage in passages) == 5, "a third are single sentences"
    assert len(passages) == 15
    strange = data.answers(tmp_path, unanswerable=1.0).train
    assert not any(e.answer for e in strange) and len({e.passage for e in strange}) > 1


@pytest.mark.skipif(not LABELLED.is_dir(), reason=f"{data.FOLDER} names no folder with the sets")
@pytest.mark.parametrize("name", library.curves())
@pytest.mark.parametrize("way", ["frozen", "bag of words"])
def test_a_stored_cell_is_what_the_command_makes(name, way, shared_models):
    stored = library.curve(name)
    sets = data.SETS[name](LABELLED)
    test = ready.draw(sets.test, stored["test"])
    task = explorer.finetuning.task_of([*sets.train, *test])
    made = curve_score(way, explorer.load("bert"), task, draw(sets.train, 10, 0), test, 0)
    assert made == pytest.approx(stored["cells"][way]["10"][0], abs=0.01)


@pytest.mark.skipif(not LABELLED.is_dir(), reason=f"{data.FOLDER} names no folder with the sets")
def test_the_sets_are_as_they_are_said_to_be():
    answers = data.answers(LABELLED)
    assert len(answers.test) == 1185
    assert 500 < len(answers.dev) < 1000
    passages = {e.passage for e in answers.train}
    assert not passages & {e.passage for e in answers.test} and not passages & {
        e.passage for e in answers.dev
    }
    empty = sum(not e.answer for e in answers.train if isinstance(e, Question)) / len(answers.train)
    assert 0.12 < empty < 0.18
    names = data.names(LABELLED)
    assert all(isinstance(e, Tagged) for e in names.train) and len(names.test) > 150
