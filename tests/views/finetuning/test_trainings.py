"""The training of a head on the page: what an update takes over, and when the head has come."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import torch

from explorer.errors import ExplorerError
from explorer.finetuning import Progress, jobs, library
from explorer.finetuning.training_specs import HeadSpec
from explorer.views.finetuning import trainings
from explorer.views.finetuning.head_map import frames
from explorer.views.finetuning.trainings import HeadTraining

FILMS = library.examples("films")[:12]


def job(**changes) -> SimpleNamespace:
    """A job of the queue, as a training knows it."""
    records = [Progress("training", step, 2, 1.0, step, 0.5, {"accuracy": 0.75}) for step in (1, 2)]
    attributes = {"over": False, "state": "running", "place": 0, "error": None, "watched": []}
    return SimpleNamespace(**attributes | {"records": records} | {"head": lambda model: None} | changes)


def test_a_look_takes_over_what_has_come(tiny_bert):
    run = HeadTraining(job())
    assert not run.update(tiny_bert)
    assert (run.losses, run.scores, *run.position) == ([(1, 0.5), (2, 0.5)], [(1, 0.75), (2, 0.75)], 2, 2)
    assert not run.update(tiny_bert) and len(run.losses) == 2 and run.updates == 2


def test_a_head_that_comes_after_the_last_moment_is_told_once(tiny_bert):
    run = HeadTraining(job())
    run.update(tiny_bert)
    run.job.over, run.job.head = True, lambda model: "the head"
    assert run.update(tiny_bert) and run.head == "the head" and not run.going
    assert not run.update(tiny_bert)


def test_a_job_without_a_head_ends_without_one(tiny_bert):
    run = HeadTraining(job(over=True, state="stopped"))
    assert not run.update(tiny_bert) and run.head is None and not run.going


def test_a_short_training_stops_and_keeps_its_best_head(tiny_bert, monkeypatch):
    monkeypatch.setattr(trainings, "MOST_SECONDS", 0.0)
    local = trainings.LocalJob(HeadSpec("tiny", FILMS), tiny_bert)
    run = HeadTraining(local)
    while len(run.scores) < 2:  # the first is of a head that has learnt nothing
        run.update(tiny_bert)
    assert run.going and run.head is None
    local.stop()
    assert run.update(tiny_bert) and run.head.predict(["A joy."])
    steps = len(local.records)
    local.advance()
    assert len(local.records) == steps, "nothing goes on after Stop"


def test_two_runs_of_the_page_do_not_train_at_the_same_moment(tiny_bert):
    """One that was interrupted may compute while the next has begun."""
    run = HeadTraining(trainings.LocalJob(HeadSpec("tiny", FILMS), tiny_bert))
    with ThreadPoolExecutor(4) as runs:
        ends = [runs.submit(run.update, tiny_bert) for _ in range(8)]
        runs.submit(run.job.stop).result()
        for end in ends:
            end.result()
    assert run.updates == 8 and run.job.state in ("stopped", "done")
    assert run.taken_over <= len(run.job.records)


def test_a_short_training_gives_what_fit_gives(tiny_bert):
    local = trainings.LocalJob(HeadSpec("tiny", FILMS, seed=3), tiny_bert)
    while not local.over:
        local.advance()
    head = HeadSpec("tiny", FILMS, seed=3).run(tiny_bert).finish()
    one, other = local.head(tiny_bert).predict(["A joy."])[0], head.predict(["A joy."])[0]
    assert one.probabilities == other.probabilities


def test_maps_are_played_on_one_scale_and_only_where_something_has_moved():
    before, after = torch.tensor([[1.0, 0.5], [-1.0, 0.0]]), torch.tensor([[4.0, 1.0], [-2.0, -1.0]])
    reach = torch.tensor([4.0, 1.0])
    assert frames([before], reach) == []
    assert frames([before, after], reach) == [[[0.25, 0.5], [-0.25, 0.0]], [[1.0, 1.0], [-0.5, -1.0]]]


def test_an_error_that_is_not_ours_ends_a_training_with_a_reason(tiny_bert):
    local = trainings.LocalJob(HeadSpec("tiny", FILMS), tiny_bert)
    local._steps = iter(lambda: 1 / 0, None)
    local.advance()
    assert local.over and "ZeroDivisionError" in local.error.message
    local.advance()


@pytest.fixture
def session(monkeypatch):
    """This visitor's trainings, whose jobs of the queue wait until they are stopped; what was left to do."""
    kept, leaving = {}, {}
    monkeypatch.setattr("streamlit.session_state", {trainings.TRAININGS: kept})
    monkeypatch.setattr(trainings.visitors, "on_session_end", leaving.__setitem__)

    def submit(spec):
        waiting = job(state="waiting")
        waiting.stop = lambda: setattr(waiting, "state", "stopped")
        return waiting

    monkeypatch.setattr(jobs, "queue", lambda: SimpleNamespace(submit=submit))
    return kept, leaving


def specs(count):
    return [HeadSpec("tiny", FILMS, how="whole", seed=seed) for seed in range(count)]


def test_a_visitor_has_a_share_of_the_queue_and_leaves_nothing_in_it(session, tiny_bert):
    kept, leaving = session
    for spec in (few := specs(trainings.MOST_WAITING)):
        trainings.start(spec, tiny_bert)
    with pytest.raises(ExplorerError, match="waiting already"):
        trainings.start(specs(trainings.MOST_WAITING + 1)[-1], tiny_bert)
    assert list(kept) == few and len(leaving) == len(few)
    for leave in leaving.values():
        leave()
    assert {training.job.state for training in kept.values()} == {"stopped"}


def test_a_training_that_gives_way_to_newer_ones_is_stopped(session, tiny_bert):
    kept, _ = session
    first, *others = specs(trainings.MOST + 1)
    trainings.start(first, tiny_bert)
    dropped = kept[first].job
    for spec in others:
        for training in kept.values():
            training.job.state = "running"
        trainings.start(spec, tiny_bert)
    assert first not in kept and dropped.state == "stopped"
