"""The right side of a head's view: Train and Stop, the progress, the curves, and the map."""

from collections import Counter
from math import log
from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.finetuning import head_map, train_row, trainings
from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.train_row import axis_top, curve, thin
from explorer.views.finetuning.trainings import HeadTraining

SCORES = {"classes": "accuracy", "pairs": "accuracy", "tags": "F1", "answers": "F1"}


@st.fragment
def training_panel(state: HeadState) -> None:
    """All that changes during the training."""
    spec, model = state.training_spec, state.model
    train_row.update(spec, model)
    training = trainings.find_head(spec)
    curves = loss_and_score(state, training)
    train_row.train_row("finetuning/trainer", spec, model, note(state, training), curves)
    kit.component("finetuning/dots")(
        key=f"finetuning/dots/{state.spec.name}", data=head_map.data(state, training)
    )


def note(state: HeadState, training: HeadTraining | None) -> str:
    """How far it is, in words."""
    learns = state.training_spec.how != "frozen"
    if training is None or training.job.place:
        count = len(state.training_spec.parts()[0])
        parts = "trains the head and the layers" if learns else "trains the head alone"
        return train_row.progress_note(training, f"{count:,} examples, {parts}")
    if training.job.state == "stopped" and not training.going:
        return "Stopped: the last head answers" if training.head else "Stopped before there was a head"
    progress = training.last
    if progress is None:
        return "Getting ready"
    if progress.stage == "done":
        return "Loading the head" if training.going else f"Done in {progress.seconds:.1f} s"
    if progress.stage == "reading":
        return f"The frozen layers read {progress.step:,} of {progress.of:,} examples"
    epoch = f"epoch {progress.epoch}, " if learns else ""
    return f"{epoch}step {progress.step:,} of {progress.of:,}, {progress.seconds:.0f} s"


def loss_and_score(state: HeadState, training: HeadTraining | None) -> list[dict[str, Any]]:
    """The two curves, each with the level that guessing reaches."""
    task = state.task
    losses, scores = (training.losses, training.scores) if training else ([], [])
    # Of answers there is no such level: passages differ in length.
    uniform = None if task.kind == "answers" else log(len(task.labels))
    labels = Counter(getattr(example, "label", "") for example in state.training_spec.examples)
    majority = labels.most_common(1)[0][1] / labels.total() if task.whole_text else None
    loss = curve(
        "loss, nats", thin(losses), axis_top([losses], uniform or 1.0), level=uniform, caption="pure guessing"
    )
    score = curve(
        f"{SCORES[task.kind]} on {len(state.training_spec.parts()[1]):,} held-out examples",
        scores,
        1.0,
        level=majority,
        caption="the most frequent class",
        percent=True,
    )
    return [score | {"alone": True}] if kit.presenting() else [loss, score]


def saves(training: HeadTraining | None) -> list[kit.Export]:
    """The losses and scores of a training."""
    if training is None or not training.losses:
        return []
    scores = dict(training.scores)
    rows = [(step, loss, scores.get(step, "")) for step, loss in training.losses]
    heads = ["step", "loss in nats", "score on held-out examples"]
    return [kit.Export("Loss of each step", "loss.csv", lambda: kit.table(heads, rows))]
