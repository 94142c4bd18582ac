"""Questions without an answer: how they are made."""

import random

from explorer.finetuning import Question
from training.finetuning.data import left_out, mixed

BOAT = "Ann came to the shore in May. Her boat was blue. She named it after her aunt."


def test_the_sentences_that_hold_the_answer_are_left_out():
    gone = left_out(Question(BOAT, "When did she come?", "May"))
    assert gone == Question("Her boat was blue. She named it after her aunt.", "When did she come?")
    assert left_out(Question("Ann came in May. She sang.", "When?", "May")) is None, "too short"
    across = Question(BOAT, "What?", "May. Her boat")
    assert left_out(across) is None, "no sentence holds it, so none can be left out"


def test_a_share_of_the_questions_has_no_answer():
    asked = [Question(f"{BOAT} It cost {i} coins. Bo paid.", "How much?", f"{i} coins") for i in range(400)]
    assert mixed(asked, 0.0, random.Random(0)) == asked
    made = mixed(asked, 0.3, random.Random(0))
    assert [one.question for one in made] == [one.question for one in asked]
    without = [(old, new) for old, new in zip(asked, made) if not new.answer]
    assert 80 < len(without) < 160
    own = sum("coins" not in new.passage for _, new in without)
    assert 0.3 < own / len(without) < 0.7, "half without their sentence, half on another passage"
    assert all(old.answer not in new.passage for old, new in without)
