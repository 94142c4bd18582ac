"""What ships can be read, is of our own making, and is small."""

import pytest

import explorer
from explorer.assets import FINETUNING
from explorer.errors import NotFoundError
from explorer.finetuning import Question, library, store, task_of

SIZES = {
    "films": 100, "spam": 80, "requests": 28, "slots": 66, "names": 30, "home": 40, "pairs": 60,
    "passages": 66,
}  # fmt: skip
MOST_BYTES = 3_000_000


@pytest.mark.parametrize("one", library.COLLECTIONS, ids=lambda one: one.name)
def test_our_own_examples(one):
    found = library.examples(one.name)
    assert len(found) == len(set(found)) >= SIZES[one.name]
    assert task_of(found).kind == one.kind


def test_some_of_our_questions_have_no_answer():
    questions = [e for e in library.examples("passages") if isinstance(e, Question)]
    assert len({e.passage for e in questions}) >= 10
    assert sum(not e.answer for e in questions) >= 5


def test_slots_are_those_that_the_ready_head_knows(shared_models):
    known = library.head("slots", explorer.load("bert")).task.labels
    assert set(task_of(library.examples("slots")).labels) <= set(known)


def test_what_ships_is_small():
    assert sum(file.stat().st_size for file in FINETUNING.rglob("*") if file.is_file()) < MOST_BYTES


@pytest.mark.parametrize("name", library.heads())
def test_each_ready_head_works_and_was_measured(name, shared_models):
    head = library.head(name, explorer.load("bert"))
    inputs = {
        "classes": "The film was a joy.",
        "tags": "Clara Wynn lives in London.",
        "pairs": ("The shop is open.", "The shop is closed."),
        "answers": ("Clara Wynn built the lighthouse.", "Who built the lighthouse?"),
    }
    (said,) = head.predict([inputs[head.task.kind]])
    assert said
    scores = library.measured(name)["scores"]
    assert set(scores) == {"tuned", "frozen", "bag of words", "majority"}
    assert name in library.measured(name)["command"]


def test_names_that_there_are_not():
    for call in (library.examples, library.measured):
        with pytest.raises(NotFoundError):
            call("nothing")


def test_what_ships_was_measured_with_the_weights_that_ship(shared_models):
    body = store.fingerprint(explorer.load("bert"))
    assert library.compared("choices")["fingerprint"] == body
