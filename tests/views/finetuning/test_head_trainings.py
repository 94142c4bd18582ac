"""A training on the screen: what one look takes over, and when its head has come."""

from types import SimpleNamespace

import torch

from explorer.finetuning import Progress, fit, library, task_of
from explorer.finetuning.training_specs import HeadSpec
from explorer.views.finetuning import here
from explorer.views.finetuning.head_trainings import Asked, HeadTraining
from explorer.views.finetuning.plane import frames

ASKED = Asked("tiny", "classes", "frozen", 0, "films")
FILMS = library.examples("films")[:12]


def job(**changes) -> SimpleNamespace:
    """A job of the queue, as far as a run knows it."""
    moments = [Progress("training", step, 2, 1.0, step, 0.5, {"accuracy": 0.75}) for step in (1, 2)]
    known = {"over": False, "state": "running", "place": 0, "error": None, "watched": [], "records": moments}
    return SimpleNamespace(**known | {"head": lambda model: None} | changes)


def test_a_look_takes_over_what_has_come(tiny_bert):
    run = HeadTraining(job(), asked=ASKED)
    assert not run.look(tiny_bert)
    assert (run.losses, run.scores, run.step, run.of) == ([(1, 0.5), (2, 0.5)], [(1, 0.75), (2, 0.75)], 2, 2)
    assert not run.look(tiny_bert) and len(run.losses) == 2 and run.looks == 2


def test_a_head_that_comes_after_the_last_moment_is_told_once(tiny_bert):
    run = HeadTraining(job(), asked=ASKED)
    run.look(tiny_bert)
    run.job.over, run.job.head = True, lambda model: "the head"
    assert run.look(tiny_bert) and run.head == "the head" and not run.going
    assert not run.look(tiny_bert)


def test_a_job_without_a_head_ends_without_one(tiny_bert):
    run = HeadTraining(job(over=True, state="stopped"), asked=ASKED)
    assert not run.look(tiny_bert) and run.head is None and not run.going


def test_a_short_training_stops_and_keeps_its_best_head(tiny_bert, monkeypatch):
    monkeypatch.setattr(here, "MOST_SECONDS", 0.0)
    made = here.Here(HeadSpec("tiny", FILMS), tiny_bert)
    run = HeadTraining(made, asked=ASKED)
    while not run.scores:
        run.look(tiny_bert)
    assert run.going and run.head is None
    made.stop()
    assert run.look(tiny_bert) and run.head.predict(["A joy."])
    steps = len(made.records)
    made.advance()
    assert len(made.records) == steps, "nothing goes on after Stop"


def test_a_short_training_gives_what_fit_gives(tiny_bert):
    made = here.Here(HeadSpec("tiny", FILMS, seed=3), tiny_bert)
    while not made.over:
        made.advance()
    run = fit(tiny_bert, task_of(FILMS), FILMS, seed=3)
    for _ in run:
        pass
    (one,), (other,) = (head.predict(["A joy."]) for head in (made.head(tiny_bert), run.head))
    assert one.probabilities == other.probabilities


def test_maps_are_played_on_one_scale_and_only_where_something_has_moved():
    before, after = torch.tensor([[1.0, 0.5], [-1.0, 0.0]]), torch.tensor([[4.0, 1.0], [-2.0, -1.0]])
    reach = torch.tensor([4.0, 1.0])
    assert frames([before], reach) == []
    assert frames([before, after], reach) == [[[0.25, 0.5], [-0.25, 0.0]], [[1.0, 1.0], [-0.5, -1.0]]]
