"""Trainings of their own process: in line, stopped, found again; and the same result as here."""

import json
import threading
import time

import pytest
import torch

from explorer.errors import ExplorerError
from explorer.finetuning import Features, fit, jobs, task_of
from explorer.finetuning.messages import Request, progress_in, progress_out, request_in, request_out
from explorer.finetuning.progress import Progress

PATIENCE = 60


def wait(until):
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


@pytest.fixture
def request_of(bert_folder, labelled):
    def made(**settings):
        fields = {"how": "whole", "threads": 1} | settings
        return Request(f"folder:{bert_folder}", task_of(labelled), tuple(labelled), **fields)

    return made


def test_a_request_goes_through_json(every, request_of):
    for examples in every.values():
        one = Request("bert", task_of(examples), tuple(examples), held_out=tuple(examples[:2]))
        assert request_in(request_out(one)) == one
    one = request_of(features=Features("mix"), held_out=0.3)
    assert request_in(request_out(one)) == one


def test_a_moment_goes_through_json():
    one = Progress("training", 1, 2, 0.5, 1, 0.7, {"f1": 0.5}, torch.randn(3, 5))
    back = progress_in(progress_out(one))
    assert torch.allclose(back.vectors, one.vectors, atol=2e-3)
    assert (back.step, back.loss, back.scores) == (1, 0.7, {"f1": 0.5})


@pytest.mark.slow
def test_one_whole_body_at_a_time_and_the_result_is_that_of_fit(tiny_bert, labelled, request_of):
    room = jobs.Room()
    first, second, third = (room.submit(request_of(epochs=n)) for n in (3, 500, 500))
    assert [job.place for job in (first, second, third)] == [0, 1, 2]
    third.stop()
    assert third.state == "stopped" and third.head(tiny_bert) is None
    wait(lambda: second.progress)
    assert first.state == "done" and room.find(first.id) is first
    second.stop()
    wait(lambda: second.over)
    assert second.state == "stopped" and second.progress[-1].step < second.progress[-1].of
    assert second.head(tiny_bert).predict(["the river"])[0].label in ("water", "money")

    run = fit(tiny_bert, task_of(labelled), labelled, how="whole", epochs=3)
    list(run)
    said, here = (h.predict(["the old river"])[0].probabilities for h in (first.head(tiny_bert), run.head))
    assert said == pytest.approx(here, abs=0.02), "but for float16"
    assert [dot.text for dot in first.watched] == [dot.text for dot in run.watched]


@pytest.mark.slow
def test_a_training_that_fails_says_why(labelled, request_of):
    room = jobs.Room()
    job = room.submit(Request("no-such-model", task_of(labelled), tuple(labelled)))
    wait(lambda: job.over)
    assert job.state == "failed" and "no-such-model" in job.error.message and job.error.hint
    with pytest.raises(ExplorerError, match="too few"):
        room.submit(Request("bert", task_of(labelled), tuple(labelled[:2])))


def test_old_jobs_are_forgotten_and_a_full_queue_is_said(monkeypatch, request_of):
    monkeypatch.setattr(jobs.Job, "run", lambda self, ended: None)
    room = jobs.Room()
    for _ in range(jobs.MOST_WAITING + 1):
        room.submit(request_of())
    with pytest.raises(ExplorerError, match="Too many"):
        room.submit(request_of())
    kept = jobs.Room()
    monkeypatch.setattr(jobs.Job, "run", lambda self, ended: setattr(self, "state", "done"))
    made = [kept.submit(request_of(how="frozen")) for _ in range(2)]
    wait(lambda: all(job.over for job in made))
    for job in made:
        job.state = "done"
    assert threading.active_count() < 20


def test_a_process_that_dies_in_the_middle_of_a_line_has_failed(monkeypatch, request_of):
    job = jobs.Job(request_of(), jobs.Room())
    monkeypatch.setattr(job, "_run", lambda place: json.loads('{"progress": [0, '))
    job.run(lambda job: None)
    assert job.state == "failed" and "ended early" in job.error.message
