"""The right side of a view: Train and Stop, how far it is, the curves, and the map of what the head reads."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning import curves, head_trainings, plane, train_row
from explorer.views.finetuning.bench import Bench
from explorer.views.frame.page import show_error
from explorer.views.frame.saving import Export, table
from explorer.views.frame.view import Page
from explorer.views.widgets.registry import component
from explorer.views.widgets.steps import ordinal

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case


@st.fragment
def stage(page: Page[Bench], case: "Case") -> None:
    """All that changes while it trains."""
    bench = page.data
    run = head_trainings.find(bench.asked)
    if run is not None and run.look(bench.model):
        st.rerun()  # the head answers now, beside
    _trainer(page, run)
    if run is not None and run.job.error is not None:
        show_error(run.job.error)
    component("finetuning/dots")(key=f"finetuning/dots/{case.name}", data=plane.data(bench, run, case))


def _trainer(page: Page[Bench], run: head_trainings.HeadTraining | None) -> None:
    bench = page.data
    train_row.row(
        "finetuning/trainer",
        lambda: head_trainings.find(bench.asked),
        lambda: head_trainings.start(bench),
        done=run.step if run else 0,
        of=run.of if run else 1,
        note=note(bench, run),
        curves=curves.data(bench, run),
    )


def note(bench: Bench, run: head_trainings.HeadTraining | None) -> str:
    """How far it is, in words."""
    if run is None:
        count = len(bench.examples.examples)
        return f"{count:,} examples, {'head and layers' if bench.tunes else 'the head alone'}"
    if run.job.place:
        return f"Another training is running: you are {ordinal(run.job.place)} in line"
    if run.job.state == "stopped" and not run.going:
        return "Stopped: the best head so far answers" if run.head else "Stopped before there was a head"
    if run.now is None:
        return "Getting ready"
    if run.now.stage == "done" and run.going:
        return "Loading the head"
    if run.now.stage == "done":
        return f"Done in {run.now.seconds:.1f} s"
    if run.now.stage == "reading":
        return f"The frozen layers read {run.step:,} of {run.of:,} examples"
    epoch = f"epoch {run.now.epoch}, " if bench.tunes else ""
    return f"{epoch}step {run.step:,} of {run.of:,}, {run.now.seconds:.0f} s"


def saves(bench: Bench) -> list[Export]:
    """The loss and the scores of the training on the screen."""
    run = bench.training
    if run is None or not run.losses:
        return []
    scores = dict(run.scores)
    rows = [(step, loss, scores.get(step, "")) for step, loss in run.losses]
    return [
        Export(
            "Loss of each step", "loss.csv", lambda: table(["step", "loss in nats", "score kept aside"], rows)
        )
    ]
