"""Trainings of which numbers alone are wanted: their records, and their way through JSON and a process."""

import json
import time

import pytest

from explorer.errors import ExplorerError
from explorer.finetuning import Labelled, jobs, library
from explorer.finetuning.gpt1 import GptTuning
from explorer.finetuning.gpt1_examples import gpt_examples
from explorer.finetuning.training_specs import (
    GptSpec,
    HeadSpec,
    LayerMixSpec,
    UlmfitSpec,
    spec_from_json,
    spec_to_json,
)
from tests.shared_models import model

PATIENCE = 60


@pytest.mark.parametrize("kind", ["classification", "entailment", "similarity", "multiple choice"])
def test_gpts_points_have_both_losses_of_what_is_kept_aside(tiny_gpt, labelled, pairs, kind):
    longer = [Labelled(f"{one.text} and {one.text}", one.label) for one in labelled]
    examples = tuple(pairs if kind == "entailment" else longer)
    records = list(GptSpec("tiny", examples, kind=kind, lambda_=0.5).records(tiny_gpt))
    assert [record["step"] for record in records] == list(range(records[0]["of"] + 1))
    evaluated = [record for record in records if "task" in record]
    assert {0, records[0]["of"]} <= {record["step"] for record in evaluated}
    assert all(record["language"] > 0 and 0 <= record["right"] <= 1 for record in evaluated)


def test_what_is_measured_is_the_loss_that_is_learnt(tiny_gpt, labelled):
    examples, labels = gpt_examples("classification", labelled)
    tuning = GptTuning(tiny_gpt, "classification", examples, labels, batch=len(examples), lambda_=0.5)
    before = tuning.evaluate(examples)
    step = next(tuning)
    assert (before["task"], before["language"]) == pytest.approx((step.task, step.language), abs=1e-4)


def test_the_second_loss_keeps_the_language(tiny_gpt, labelled):
    def last(lambda_):
        return list(GptSpec("t", tuple(labelled), lambda_=lambda_, epochs=8).records(tiny_gpt))[-1]

    assert last(2.0)["language"] < last(0.0)["language"]


def test_a_half_of_a_sentence_belongs_to_it():
    examples, labels = gpt_examples("multiple choice", [Labelled(f"{c} one {c} two", c) for c in "abcd"])
    assert not labels and {example.right for example in examples} == {0, 1}
    for example in examples:
        first, own = example.texts[0].split()[0], example.texts[1 + example.right].split()[0]
        assert first == own != example.texts[2 - example.right].split()[0]


def test_examples_of_another_kind_are_refused(labelled):
    with pytest.raises(ExplorerError, match="no examples for entailment"):
        gpt_examples("entailment", labelled)


def test_ulmfits_points_say_which_layers_learn(tiny_gpt, labelled):
    records = list(UlmfitSpec("tiny", tuple(labelled)).records(tiny_gpt))
    assert [record["step"] for record in records] == list(range(1, records[0]["of"] + 1))
    assert records[0]["stage"] == "language model" and records[-1]["stage"] == "classifier"
    assert records[-1]["learning"] == [0, 1, 2] and [] in [record["learning"] for record in records]
    assert 0 <= records[-1]["right"] <= 1
    plain = UlmfitSpec("tiny", tuple(labelled), language=False, unfreezing=False)
    assert {tuple(record["learning"]) for record in plain.records(tiny_gpt)} == {(0, 1, 2)}


@pytest.mark.long
@pytest.mark.weights
@pytest.mark.parametrize("name", ["slots", "names", "home", "spam"])
def test_elmos_mix_is_about_as_good_as_its_best_layer(name):
    """Within two of the examples, as the page calls no difference."""
    examples = library.examples(name)
    scores = {
        record["layer"]: record["score"]
        for record in LayerMixSpec("elmo", examples).records(model("elmo"))
        if record["stage"] == "compared"
    }
    mix = scores.pop(None)
    assert mix >= max(scores.values()) - 2 / len(examples)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.weights
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name",
    [
        "spam",
        pytest.param(
            "films",
            marks=pytest.mark.xfail(reason="missed: between 12 and 16 of 24 held out, by the seed"),
        ),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_layers_in_training_end_better_than_guessing(name, seed):
    run = HeadSpec("bert", library.examples(name), seed, how="whole").run(model("bert"))
    losses = [progress.loss for progress in run if progress.loss is not None]
    last = losses[-len(losses) // 10 :]
    assert sum(last) / len(last) < 0.1
    accuracy = run.evaluations[-1][1]["accuracy"]
    assert accuracy > 0.5, "both classes are as frequent"
    assert run.head.about["scores"]["accuracy"] == pytest.approx(accuracy, abs=1e-4)


def test_a_mix_is_watched_and_compared_with_each_layer(tiny_bert, tagged):
    records = list(LayerMixSpec("tiny", tuple(tagged)).records(tiny_bert))
    learnt = [record for record in records if record["stage"] == "training"]
    assert all(sum(record["weights"]) == pytest.approx(1, abs=1e-5) for record in learnt)
    assert learnt[-1]["loss"] < learnt[0]["loss"] and len(set(learnt[-1]["weights"])) > 1
    compared = [record["layer"] for record in records if record["stage"] == "compared"]
    assert compared == [None, *range(len(learnt[0]["weights"]))]
    assert records[-1]["step"] == records[-1]["of"] == len(compared)


@pytest.mark.slow
def test_a_spec_goes_through_json_and_a_process_of_its_own(bert_folder, tagged, labelled, tiny_bert):
    spec = LayerMixSpec(f"folder:{bert_folder}", tuple(tagged), seed=2)
    for one in (spec, GptSpec("gpt", tuple(labelled), kind="similarity", lambda_=0.2)):
        assert spec_from_json(json.loads(json.dumps(spec_to_json(one)))) == one
    job = jobs.Queue().submit(spec)  # what is said of one that fails: test_jobs.py
    end = time.monotonic() + PATIENCE
    while not job.over:
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    assert job.state == "done" and job.records[-1]["stage"] == "compared"
    here = list(spec.records(tiny_bert))
    assert len(job.records) == len(here) and job.records[-1]["score"] == here[-1]["score"]
