"""Trainings of their own process: in line, stopped, found again; and the same result as here."""

import json

import pytest
import torch

from explorer.errors import ExplorerError
from explorer.finetuning import Progress, fit, jobs, task_of
from explorer.finetuning.messages import progress_from_json, progress_to_json
from explorer.finetuning.training_specs import HeadSpec, spec_from_json, spec_to_json
from tests.waiting import until


@pytest.fixture
def spec_of(bert_folder, labelled):
    def spec(**settings):
        return HeadSpec(f"folder:{bert_folder}", tuple(labelled), **{"how": "whole", "threads": 1} | settings)

    return spec


def test_a_spec_goes_through_json(every):
    for examples in every.values():
        spec = HeadSpec("bert", tuple(examples), how="low rank", epochs=2)
        assert spec_from_json(json.loads(json.dumps(spec_to_json(spec)))) == spec


def test_a_report_goes_through_json():
    report = Progress("training", 1, 2, 0.5, 1, 0.7, {"f1": 0.5}, torch.randn(3, 5))
    back = progress_from_json(progress_to_json(report))
    assert torch.allclose(back.vectors, report.vectors, atol=2e-3)
    assert (back.step, back.loss, back.scores) == (1, 0.7, {"f1": 0.5})


@pytest.mark.slow
def test_one_whole_body_at_a_time_and_the_result_is_that_of_fit(tiny_bert, labelled, spec_of):
    queue = jobs.Queue()
    # The second does not end by itself, however late it is looked at.
    first, second, third = (queue.submit(spec_of(epochs=n)) for n in (3, 50_000, 500))
    assert [job.place for job in (first, second, third)] == [0, 1, 2]
    third.stop()
    assert third.state == "stopped" and third.head(tiny_bert) is None
    until(lambda: second.records, 300)
    assert first.state == "done"
    second.stop()
    until(lambda: second.over, 300)
    assert second.state == "stopped" and second.records[-1].step < second.records[-1].of
    assert second.head(tiny_bert).predict(["the river"])[0].label in ("water", "money")

    run = fit(tiny_bert, task_of(labelled), labelled, how="whole", epochs=3)
    list(run)
    there, here = (h.predict(["the old river"])[0].probabilities for h in (first.head(tiny_bert), run.head))
    assert there == pytest.approx(here, abs=0.02), "except for float16"
    assert [dot.text for dot in first.watched] == [dot.text for dot in run.watched]


@pytest.mark.slow
def test_a_training_that_fails_says_why(labelled, spec_of):
    queue = jobs.Queue()
    job = queue.submit(HeadSpec("no-such-model", tuple(labelled)))
    until(lambda: job.over, 300)
    assert job.state == "failed" and "no-such-model" in job.error.message and job.error.hint
    with pytest.raises(ExplorerError, match="too few"):
        queue.submit(HeadSpec("bert", (labelled[0], labelled[-1])))


def test_a_full_queue_says_so(monkeypatch, spec_of):
    monkeypatch.setattr(jobs.Job, "run", lambda self, ended: None)
    queue = jobs.Queue()
    for _ in range(jobs.MAX_WAITING + 1):
        queue.submit(spec_of())
    with pytest.raises(ExplorerError, match="Too many"):
        queue.submit(spec_of())


def test_a_process_that_dies_in_the_middle_of_a_line_has_failed(monkeypatch, spec_of):
    job = jobs.Job(spec_of(), jobs.Queue())
    monkeypatch.setattr(job, "_run", lambda: json.loads('{"progress": [0, '))
    job.run(lambda: None)
    assert job.state == "failed" and "ended early" in job.error.message
