"""The right side of a head's view: Train and Stop, the progress, the curves, and the map."""

from collections import Counter
from math import log
from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, localised
from explorer.views import kit
from explorer.views.finetuning import head_map, train_row, trainings
from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.train_row import axis_top, curve, thin
from explorer.views.finetuning.trainings import HeadTraining

SCORES = {"classes": N_("accuracy"), "pairs": N_("accuracy"), "tags": "F1", "answers": "F1"}


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
        parts = _("trains the head and the layers") if learns else _("trains the head alone")
        about = _("{count} examples, {trains}", count=format_number(count), trains=parts)
        return train_row.progress_note(training, about)
    if training.job.state == "stopped" and not training.going:
        return _("Stopped: the last head answers") if training.head else _("Stopped before there was a head")
    progress = training.last
    if progress is None:
        return _("Getting ready")
    if progress.stage == "done":
        done = _("Done in {seconds} s", seconds=localised(f"{progress.seconds:.1f}"))
        return _("Loading the head") if training.going else done
    step, of = format_number(progress.step), format_number(progress.of)
    if progress.stage == "reading":
        return _("The frozen layers read {step} of {all} examples", step=step, all=of)
    steps = _("step {step} of {all}, {seconds} s", step=step, all=of, seconds=f"{progress.seconds:.0f}")
    return _("epoch {epoch}, {steps}", epoch=progress.epoch, steps=steps) if learns else steps


def loss_and_score(state: HeadState, training: HeadTraining | None) -> list[dict[str, Any]]:
    """The two curves, each with the level that guessing reaches."""
    task = state.task
    losses, scores = (training.losses, training.scores) if training else ([], [])
    # Of answers there is no such level: passages differ in length.
    uniform = None if task.kind == "answers" else log(len(task.labels))
    labels = Counter(getattr(example, "label", "") for example in state.training_spec.examples)
    majority = labels.most_common(1)[0][1] / labels.total() if task.whole_text else None
    loss = curve(
        _("loss, nats"),
        thin(losses),
        axis_top([losses], uniform or 1.0),
        level=uniform,
        caption=_("pure guessing"),
    )
    score = curve(
        _(
            "{measure} on {count} held-out examples",
            measure=_(SCORES[task.kind]),
            count=format_number(len(state.training_spec.parts()[1])),
        ),
        scores,
        1.0,
        level=majority,
        caption=_("the most frequent class"),
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
    return [kit.Export(N_("Loss of each step"), "loss.csv", lambda: kit.table(heads, rows))]
