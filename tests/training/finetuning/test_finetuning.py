"""The heads that ship: how sets are read, and that what is stored is what the command makes."""

import json
import random
from pathlib import Path

import pytest

import explorer
from explorer.finetuning import Labelled, Question, library, store
from explorer.finetuning.learning_curves import curve_score
from explorer.finetuning.sampling import draw
from training.finetuning import data, features, ready

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
    return tmp_path


@pytest.mark.slow
def test_a_ready_head_is_stored_and_measured(small, tiny_bert):
    ready.make("small", small)
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
    monkeypatch.setattr(features, "COMPARED", ("small",))
    monkeypatch.setattr(features, "FINETUNING", small)
    features.compare(small, ["bert-mini"])
    scores = json.loads((small / "features.json").read_text())["scores"]["small"]
    assert [*scores] == ["bert-mini", "random body", "bag of words", "majority"]
    assert scores["majority"] == 0.5 and scores["bag of words"] == 1.0
    assert scores["bert-mini"] in {0.0, 0.25, 0.5, 0.75, 1.0}


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


@pytest.mark.weights
@pytest.mark.parametrize("size", ["10", "50"])
@pytest.mark.parametrize("way", ["random body", "frozen", "bag of words"])
def test_a_stored_cell_of_our_own_sentences_is_what_is_measured(way, size, shared_models):
    stored = library.curve("films")
    sets = data.films(Path("nowhere"))
    test = ready.draw(sets.test, stored["test"])
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


BOAT = "Ann came to the shore in May. Her boat was blue. She named it after her aunt."


def test_the_sentences_that_hold_the_answer_are_left_out():
    gone = data.left_out(Question(BOAT, "When did she come?", "May"))
    assert gone == Question("Her boat was blue. She named it after her aunt.", "When did she come?")
    assert data.left_out(Question("Ann came in May. She sang.", "When?", "May")) is None, "too short"
    across = Question(BOAT, "What?", "May. Her boat")
    assert data.left_out(across) is None, "no sentence holds it, so none can be left out"


def test_a_share_of_the_questions_has_no_answer():
    asked = [Question(f"{BOAT} It cost {i} coins. Bo paid.", "How much?", f"{i} coins") for i in range(400)]
    assert data.mixed(asked, 0.0, random.Random(0)) == asked
    made = data.mixed(asked, 0.3, random.Random(0))
    assert [one.question for one in made] == [one.question for one in asked]
    without = [(old, new) for old, new in zip(asked, made) if not new.answer]
    assert 80 < len(without) < 160
    own = sum("coins" not in new.passage for _, new in without)
    assert 0.3 < own / len(without) < 0.7, "half without their sentence, half on another passage"
    assert all(old.answer not in new.passage for old, new in without)
