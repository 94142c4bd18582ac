"""Trainings of which numbers alone are wanted: their moments, and their way through JSON and a process."""

import json
import time

import pytest

from explorer.errors import ExplorerError
from explorer.finetuning import Labelled, jobs
from explorer.finetuning.courses import (
    GainedCourse,
    GptCourse,
    MixCourse,
    UlmfitCourse,
    course_in,
    course_out,
)
from explorer.finetuning.gpt1 import GptTuning
from explorer.finetuning.gpt1_cases import cases

PATIENCE = 60


@pytest.mark.parametrize("kind", ["classification", "entailment", "similarity", "multiple choice"])
def test_gpts_points_have_both_losses_of_what_is_kept_aside(tiny_gpt, labelled, pairs, kind):
    longer = [Labelled(f"{one.text} and {one.text}", one.label) for one in labelled]
    examples = tuple(pairs if kind == "entailment" else longer)
    moments = list(GptCourse("tiny", examples, kind=kind, lambda_=0.5).moments(tiny_gpt))
    assert [moment["step"] for moment in moments] == list(range(moments[0]["of"] + 1))
    looked = [moment for moment in moments if "task" in moment]
    assert {0, moments[0]["of"]} <= {moment["step"] for moment in looked}
    assert all(moment["language"] > 0 and 0 <= moment["right"] <= 1 for moment in looked)


def test_what_is_measured_is_the_loss_that_is_learnt(tiny_gpt, labelled):
    made, labels = cases("classification", labelled)
    tuning = GptTuning(tiny_gpt, "classification", made, labels, batch=len(made), lambda_=0.5)
    before = tuning.measured(made)
    step = next(tuning)
    assert (before["task"], before["language"]) == pytest.approx((step.task, step.language), abs=1e-4)


def test_the_second_loss_keeps_the_language(tiny_gpt, labelled):
    def last(lambda_):
        return list(GptCourse("t", tuple(labelled), lambda_=lambda_, epochs=8).moments(tiny_gpt))[-1]

    assert last(2.0)["language"] < last(0.0)["language"]


def test_a_half_of_a_sentence_belongs_to_it():
    made, labels = cases("multiple choice", [Labelled(f"{c} one {c} two", c) for c in "abcd"])
    assert not labels and {case.right for case in made} == {0, 1}
    for case in made:
        first, own = case.texts[0].split()[0], case.texts[1 + case.right].split()[0]
        assert first == own != case.texts[2 - case.right].split()[0]


def test_examples_of_another_kind_are_refused(labelled):
    with pytest.raises(ExplorerError, match="no examples for entailment"):
        cases("entailment", labelled)


def test_ulmfits_points_say_which_layers_learn(tiny_gpt, labelled):
    moments = list(UlmfitCourse("tiny", tuple(labelled)).moments(tiny_gpt))
    assert [moment["step"] for moment in moments] == list(range(1, moments[0]["of"] + 1))
    assert moments[0]["stage"] == "language model" and moments[-1]["stage"] == "classifier"
    assert moments[-1]["learning"] == [0, 1, 2] and [] in [moment["learning"] for moment in moments]
    assert 0 <= moments[-1]["right"] <= 1
    plain = UlmfitCourse("tiny", tuple(labelled), language=False, unfreezing=False)
    assert {tuple(moment["learning"]) for moment in plain.moments(tiny_gpt)} == {(0, 1, 2)}


def test_a_mix_is_watched_and_each_layer_stands_alone(tiny_bert, tagged):
    moments = list(MixCourse("tiny", tuple(tagged)).moments(tiny_bert))
    learnt = [moment for moment in moments if moment["stage"] == "training"]
    assert all(sum(moment["weights"]) == pytest.approx(1, abs=1e-5) for moment in learnt)
    assert learnt[-1]["loss"] < learnt[0]["loss"] and len(set(learnt[-1]["weights"])) > 1
    alone = [moment["layer"] for moment in moments if moment["stage"] == "alone"]
    assert alone == list(range(len(learnt[0]["weights"])))


def test_own_curves_leave_a_third_aside(tiny_bert, labelled):
    course = GainedCourse("tiny", tuple(labelled * 2), tuned=False)
    learn, test = course.parts()
    assert (len(learn), len(test)) == (16, 8)
    moments = list(course.moments(tiny_bert))
    assert {moment["size"] for moment in moments} == {10, 16}
    assert {moment["way"] for moment in moments} == {"frozen", "bag of words", "random body"}
    assert moments[-1]["step"] == moments[-1]["of"] == len(moments) == 2 * 3 * 3
    assert not course.heavy and GainedCourse("tiny", tuple(labelled)).heavy


@pytest.mark.slow
def test_a_course_goes_through_json_and_a_process_of_its_own(bert_folder, tagged, labelled, tiny_bert):
    course = MixCourse(f"folder:{bert_folder}", tuple(tagged), seed=2)
    for one in (course, GptCourse("gpt", tuple(labelled), kind="similarity", lambda_=0.2)):
        assert course_in(json.loads(json.dumps(course_out(one)))) == one
    job = jobs.Room().submit(course)  # what is said of one that fails: test_jobs.py
    end = time.monotonic() + PATIENCE
    while not job.over:
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    assert job.state == "done" and job.moments[-1]["stage"] == "alone"
    here = list(course.moments(tiny_bert))
    assert len(job.moments) == len(here) and job.moments[-1]["score"] == here[-1]["score"]
