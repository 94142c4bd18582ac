"""The row of a training: Train or Stop, its progress, and its curves as plain data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.locale import _, format_number
from explorer.text.ordinals import ordinal
from explorer.views import kit
from explorer.views.finetuning import trainings
from explorer.views.finetuning.trainings import Training

if TYPE_CHECKING:
    from explorer.finetuning.training_specs import TrainingSpec
    from explorer.models import LanguageModel
MOST_POINTS = 160  # of a curve
PROBLEM = kit.Session[ExplorerError | None]("problem", None)


def update(spec: "TrainingSpec", model: "LanguageModel") -> Training | None:
    """The training with its latest records; at its end the whole page runs again, to draw the result."""
    training = trainings.find(spec)
    if training is not None and training.update(model):
        st.rerun()
    return training


def train_row(
    key: str, spec: "TrainingSpec", model: "LanguageModel", note: str, curves: Sequence[dict[str, Any]] = ()
) -> None:
    """Draw it. A press starts the training of `spec`, or stops it; `note` says how far it is."""
    problem = PROBLEM.at(key)
    training = trainings.find(spec)

    def more() -> None:
        """Rerun the page; training continues on its own.: the training goes on by itself."""

    def turn() -> None:
        latest = trainings.find(spec)
        if not kit.component_value(key, "turn", button(latest)):
            return  # it ended before the click arrived
        if latest is not None and latest.going:
            latest.job.stop()
            return
        try:
            trainings.start(spec, model)
        except ExplorerError as error:
            problem.set(error)

    step, of = training.position if training else (0, 1)
    kit.component("widgets/train_row")(
        key=key,
        data={
            "run": f"{training.number if training else -1}",
            "at": training.updates if training else 0,
            "going": bool(training and training.going),
            "button": button(training),
            "step": step,
            "of": of,
            "note": note,
            "curves": list(curves),
        },
        on_more_change=more,
        on_turn_change=turn,
    )
    if error := problem.take() or (training.job.error if training else None):
        kit.show_error(error)


def button(training: Training | None) -> str:
    """The label of the button."""
    if training is None:
        return _("Train")
    return _("Stop") if training.going else _("Train again")


def progress_note(training: Training | None, about: str) -> str:
    """How far a training is, in words; before there is one, `about`, which says what it trains on."""
    if training is None:
        return about
    if training.job.place:
        return _("Another training is running: you are {place} in line", place=ordinal(training.job.place))
    if not training.taken_over:
        return _("Getting ready") if training.going else _("Stopped before it began")
    step, of = map(format_number, training.position)
    if training.going:
        return _("step {step} of {all}", step=step, all=of)
    if training.job.state == "stopped":
        return _("Stopped at step {step} of {all}", step=step, all=of)
    return _("Done, {step} of {all} steps", step=step, all=of)


def curve(title: str, points: Sequence[tuple[float, float]], most: float, **more: Any) -> dict[str, Any]:
    """One curve on an axis from 0 to `most`; `more` may have a `level` to compare with, and its `caption`."""
    defaults: dict[str, Any] = {"percent": False, "level": None, "caption": ""}
    return {"title": title, "points": list(points), "most": most, **defaults, **more}


def axis_top(lines: Sequence[Sequence[tuple[float, float]]], least: float) -> float:
    """The top of an axis from 0: a little above all lines, and above `least`."""
    return 1.12 * max([least, *(value for line in lines for _, value in line)])


def thin(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """No more points than a small curve can show, the last one among them."""
    every = max(1, len(points) // MOST_POINTS)
    return [*points[:-1:every], *points[-1:]]
