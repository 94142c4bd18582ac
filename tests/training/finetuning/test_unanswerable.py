"""Questions without an answer: how they are made, and when "no answer" is given."""

import random
from dataclasses import replace

import pytest

from explorer.finetuning import Question, fit
from explorer.finetuning.tasks import Answers
from explorer.training.finetuning import ready, threshold, unanswerable

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


def test_a_head_gets_the_threshold_that_serves_the_dev_set_best(tiny_bert):
    passage = "We saw the river. The old money. Deep water in light."
    asked = [Question(passage, "the bank", answer) for answer in ("river", "old", "light")]
    run = fit(tiny_bert, Answers(), asked * 2, held_out=0.0)
    list(run)
    made = threshold.with_threshold(run.head, asked)
    told = ready.no_answers(made, asked)
    assert told["threshold"] == made.task.threshold
    assert told["no answer"]["answer left out"]["of"] == 3
    high = replace(made, task=Answers(threshold=99.0))
    assert ready.no_answers(high, asked)["no answer"]["answer there"] == {"of": 3, "said": 3}
