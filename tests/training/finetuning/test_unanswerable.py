"""Questions without an answer: how they are made, and when "no answer" is given."""

import random
from dataclasses import replace

import pytest

from explorer.finetuning import Question, fit
from explorer.finetuning.scores import scores
from explorer.finetuning.tasks import Answers
from training.finetuning import threshold, unanswerable

BOAT = "Ann came to the shore in May. Her boat was blue. She named it after her aunt."


def test_the_sentences_that_hold_the_answer_are_left_out():
    gone = unanswerable.left_out(Question(BOAT, "When did she come?", "May"))
    assert gone == Question("Her boat was blue. She named it after her aunt.", "When did she come?")
    assert unanswerable.left_out(Question("Ann came in May. She sang.", "When?", "May")) is None, "too short"
    across = Question(BOAT, "What?", "May. Her boat")
    assert unanswerable.left_out(across) is None, "no sentence holds it, so none can be left out"
    assert unanswerable.twins([across, Question(BOAT, "Which colour?", "blue")])[0].passage.startswith("Ann")


def test_a_share_of_the_questions_has_no_answer():
    asked = [Question(f"{BOAT} It cost {i} coins. Bo paid.", "How much?", f"{i} coins") for i in range(400)]
    assert unanswerable.mixed(asked, 0.0, random.Random(0)) == asked
    made = unanswerable.mixed(asked, 0.3, random.Random(0))
    assert [one.question for one in made] == [one.question for one in asked]
    without = [(old, new) for old, new in zip(asked, made) if not new.answer]
    assert 80 < len(without) < 160
    own = sum("coins" not in new.passage for _, new in without)
    assert 0.3 < own / len(without) < 0.7, "half without their sentence, half on another passage"
    assert all(old.answer not in new.passage for old, new in without)


@pytest.mark.parametrize(
    ("ahead", "given", "withheld", "want"),
    [
        ([4.0, 2.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], 1.5),
        ([4.0, 2.0, -3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], -4.0),
        ([4.0, 2.0, 3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], 0.0),
        ([], [], [], 0.0),
        ([-1.0, -2.0, -4.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], -3.0),
    ],
)
def test_the_threshold_parts_what_is_known_from_what_is_not(ahead, given, withheld, want):
    assert threshold.best_threshold(ahead, given, withheld) == want


def test_no_answer_is_counted_at_no_threshold_and_at_the_dev_sets(tiny_bert):
    passage = "We saw the river. The old money. Deep water in light."
    asked = [Question(passage, "the bank", answer) for answer in ("river", "old", "light")]
    run = fit(tiny_bert, Answers(), asked * 2, held_out=0.0)
    list(run)
    told = threshold.no_answers(run.head, asked, asked)
    assert told["asked"] == told["left_out"] == 3
    plain, dev = told["at"]
    said = run.head.predict(asked)
    assert plain["threshold"] == 0 and plain["said"] == sum(one.answer == "" for one in said)
    assert {measure: plain[measure] for measure in ("f1", "exact")} == pytest.approx(
        scores(asked, said), abs=1e-4
    )
    made = replace(run.head, task=Answers(threshold=dev["threshold"]))
    assert dev["threshold"] == threshold.chosen(made, asked)
    assert dev["said"] == sum(one.answer == "" for one in made.predict(asked))
    gone = [threshold.left_out(one) for one in asked]
    assert dev["said_left_out"] == sum(one.answer == "" for one in made.predict(gone))
