"""A visitor's courses: trainings whose moments are drawn as they come. They stay in the session.

The one on the screen is that of the present settings; those before it may stand beside it as pale lines.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from explorer.views.finetuning import train_row
from explorer.views.finetuning.followed import Followed, keep
from explorer.views.frame.page import show_error
from explorer.views.widgets.steps import ordinal

if TYPE_CHECKING:
    from explorer.finetuning.jobs import Job
    from explorer.finetuning.training_specs import Record, TrainingSpec

Kind = TypeVar("Kind", bound="TrainingSpec")
KEPT = 12  # of a session; the oldest goes first
BESIDE = 3  # earlier ones in the same picture
LESSONS = "finetuning/lessons"  # where the session state keeps them


@dataclass(eq=False)
class Lesson(Followed):
    """One training of a course: what its job tells are moments."""

    job: "Job"

    @property
    def told(self) -> "list[Record]":
        """All moments so far."""
        return self.job.records

    @property
    def moments(self) -> "list[Record]":
        """What has been looked at so far."""
        return self.job.records[: self.taken]


def find(course: "TrainingSpec") -> Lesson | None:
    """The session's training of just that, if there is one."""
    return _kept().get(course)


def beside(course: "Kind", *free: str) -> "list[tuple[Kind, Lesson]]":
    """The last ones of the same kind and examples that differ in these settings alone."""
    mine = {name: getattr(course, name) for name in free}
    alike = [
        (other, lesson)
        for other, lesson in _kept().items()
        if isinstance(other, type(course))
        and other != course
        and dataclasses.replace(other, **mine) == course
    ]
    return alike[-BESIDE:]


def look(course: "TrainingSpec") -> Lesson | None:
    """The training, with what has come since; once it is over the whole page is drawn, with what to save."""
    lesson = find(course)
    if lesson is not None and lesson.going:
        lesson.fresh()
        if not lesson.going:
            st.rerun()
    return lesson


def row(
    course: "TrainingSpec", about: str, curves: Sequence[dict[str, Any]], key: str, columns: int = 2
) -> None:
    """Train and Stop, how far it is, and the curves; `about` says what there is to train on."""
    lesson = find(course)
    last = lesson.moments[-1] if lesson and lesson.moments else {}
    refused = train_row.row(
        key,
        lambda: find(course),
        lambda: begin(course),
        done=last.get("step", 0),
        of=last.get("of", 1),
        note=note(lesson, about),
        curves=list(curves),
        columns=columns,
    )
    if lesson and lesson.job.error and not refused:
        show_error(lesson.job.error)


def begin(course: "TrainingSpec") -> None:
    """Begin one, from the beginning where there was one. Raises ExplorerError."""
    from explorer.finetuning.jobs import queue

    keep(_kept(), course, Lesson(queue().submit(course)), KEPT)


def note(lesson: Lesson | None, about: str) -> str:
    """How far it is, in words."""
    if lesson is None:
        return about
    if lesson.job.place:
        return f"Another training is running: you are {ordinal(lesson.job.place)} in line"
    if not lesson.moments:
        return "Getting ready" if lesson.going else "Stopped before it began"
    at = f"{lesson.moments[-1]['step']:,} of {lesson.moments[-1]['of']:,}"
    if lesson.going:
        return f"step {at}"
    return f"Stopped at step {at}" if lesson.job.state == "stopped" else f"Done, {at} steps"


def curve(
    title: str, points: Sequence[tuple[float, float]], most: float, least: float = 0.0, **more: Any
) -> dict[str, Any]:
    """What the component draws of one curve; `others` are pale lines with their names, `named` its own."""
    plain: dict[str, Any] = {
        "line": None,
        "lined": "",
        "percent": False,
        "others": [],
        "named": "",
        "short": 2,
    }
    return {"title": title, "points": list(points), "most": most, "least": least} | plain | more


def reach(lines: Sequence[Sequence[tuple[float, float]]], most: float) -> float:
    """How high an axis from 0 goes: a little above all lines, and `most` at the least."""
    return 1.12 * max([most, *(value for line in lines for _, value in line)])


def _kept() -> "dict[TrainingSpec, Lesson]":
    lessons: dict[TrainingSpec, Lesson] = st.session_state.setdefault(LESSONS, {})
    return lessons
