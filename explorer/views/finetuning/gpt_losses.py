"""GPT's two losses while it learns a task: the right side of GPT's way."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import lessons
from explorer.views.finetuning.lessons import Lesson
from explorer.views.finetuning.settings import GPT_KIND, GPT_LAMBDA, SEED
from explorer.views.finetuning.train_row import threads
from explorer.views.frame.example import Example, Load
from explorer.views.frame.saving import Export, table
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.gpt1 import Transformation
    from explorer.finetuning.training_specs import GptSpec, Record
    from explorer.models import LanguageModel

BODY = "gpt"
MOST_LAMBDA = 2.0
# Which of our own examples each kind of task is learnt from, and what is asked of them.
SETS: "dict[Transformation, tuple[str, str]]" = {
    "classification": ("films", "remarks on films: does the writer like it?"),
    "entailment": ("pairs", "pairs: does the second follow?"),
    "similarity": ("films", "remarks on films: do two writers agree?"),
    "multiple choice": ("spam", "messages: which second half is right?"),
}
TITLES = {"task": "L2, the task, nats", "language": "L1, the next token, nats", "right": "right answers"}


def course(settings: Settings) -> "GptSpec":
    """The training of the present settings."""
    from explorer.finetuning import library
    from explorer.finetuning.training_specs import GptSpec

    kind = settings[GPT_KIND]
    return GptSpec(
        BODY,
        library.examples(SETS[kind][0]),
        settings[SEED],
        threads(),
        kind=kind,
        lambda_=settings[GPT_LAMBDA],
    )


@st.fragment
def stage(settings: Settings) -> None:
    """Train, and the two losses on what is kept aside, beside those of other lambdas."""
    asked = course(settings)
    lesson = lessons.look(asked)
    before = lessons.beside(asked, "lambda_")
    about = f"{len(asked.examples)} {SETS[asked.kind][1]}"
    curves = [_curve(name, asked, lesson, before) for name in TITLES]
    lessons.row(asked, about, curves, "finetuning/gpt-trainer", columns=3)


def _curve(name: str, asked: "GptSpec", lesson: Lesson | None, before: "list[Any]") -> dict[str, Any]:
    mine = _line(lesson.moments if lesson else [], name)
    theirs = [_line(one.moments, name) for _, one in before]
    others = [{"name": _name(other), "points": line} for (other, _), line in zip(before, theirs)]
    percent = name == "right"
    least, most = (0.0, 1.0) if percent else _between([mine, *theirs])
    ends = [one.moments[-1]["of"] for one in (lesson, *(one for _, one in before)) if one and one.moments]
    return lessons.curve(
        TITLES[name],
        mine,
        most,
        least,
        others=others,
        named=_name(asked),
        percent=percent,
        of=max(ends, default=1),
    )


def _between(lines: "list[list[tuple[float, float]]]") -> tuple[float, float]:
    """An axis that ends at halves of a nat around all lines."""
    values = [value for line in lines for _, value in line]
    if not values:
        return 0.0, 1.0
    return int(2 * min(values)) / 2, (int(2 * max(values)) + 1) / 2


def _line(moments: "list[Record]", name: str) -> list[tuple[float, float]]:
    return [(moment["step"], moment[name]) for moment in moments if name in moment]


def _name(course: "GptSpec") -> str:
    return f"λ {course.lambda_:g}"


def saves(settings: Settings) -> list[Export]:
    """The losses of this training and of those beside it."""
    asked = course(settings)
    mine = lessons.find(asked)
    every = [*lessons.beside(asked, "lambda_"), *([(asked, mine)] if mine else [])]
    rows = [
        (one.lambda_, moment["step"], *(moment[name] for name in TITLES))
        for one, lesson in every
        for moment in lesson.moments
        if "task" in moment
    ]
    heads = ["lambda", "step", "task loss in nats", "language loss in nats", "share right"]
    return [Export("Both losses", "gpt-losses.csv", lambda: table(heads, rows))] if rows else []


def example(settings: Settings) -> Example | None:
    """The training on the screen from Python; None where there is none."""
    asked = course(settings)
    lesson = lessons.find(asked)
    if lesson is None or lesson.going:
        return None
    return Example(
        both_losses,
        model=Load(BODY),
        name=SETS[asked.kind][0],
        kind=asked.kind,
        lambda_=asked.lambda_,
        seed=asked.seed,
    )


def both_losses(
    model: "LanguageModel", name: str, kind: "Transformation", lambda_: float, seed: int
) -> "list[Record]":
    """L2 (`task`), L1 (`language`) and the share that is right, on examples kept aside, look by look."""
    from explorer.finetuning import library
    from explorer.finetuning.training_specs import GptSpec

    course = GptSpec(str(model.checkpoint), library.examples(name), seed, kind=kind, lambda_=lambda_)
    return [moment for moment in course.records(model) if "task" in moment]
