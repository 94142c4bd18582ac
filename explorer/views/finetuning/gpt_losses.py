"""GPT's two losses as it learns a task: the lower half of GPT's way."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import trainings
from explorer.views.finetuning.settings import GPT_KIND, GPT_LAMBDA, SEED
from explorer.views.finetuning.train_row import curve, progress_note, train_row, update
from explorer.views.finetuning.trainings import Training
from explorer.views.frame.example import Example, Load
from explorer.views.frame.saving.saving import Export, table
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.gpt1 import Transformation
    from explorer.finetuning.training_specs import GptSpec, Record
    from explorer.models import LanguageModel

MODEL = "gpt"
MOST_LAMBDA = 2.0
LEARNT: "Transformation" = "classification"  # the one kind that so few examples teach this GPT
TITLES = {
    "task": "L2, the task, nats",
    "language": "L1, the next token, nats",
    "right": "accuracy, held out",
}


def training_spec(settings: Settings) -> "GptSpec":
    """The training for the present settings."""
    from explorer.finetuning import library
    from explorer.finetuning.gpt1_examples import SETS
    from explorer.finetuning.training_specs import GptSpec

    kind = settings[GPT_KIND]
    return GptSpec(
        MODEL,
        library.examples(SETS[kind]),
        settings[SEED],
        trainings.threads(),
        kind=kind,
        lambda_=settings[GPT_LAMBDA],
    )


def untrained_kind(kind: "Transformation") -> str:
    """Why there is no training for a kind of task, with what was measured."""
    from explorer.finetuning import library

    values = library.compared("ways")["kinds"][kind]
    mean = sum(values) / len(values)
    return (
        f"Only classification can be trained here. Our few examples do not teach this small GPT {kind}: it "
        f"gets {mean:.0%} of the held-out ones right (mean of {len(values)} runs), and guessing gets 50%."
    )


@st.fragment
def panel(spec: "GptSpec", model: "LanguageModel") -> None:
    """Train, and the two losses on held-out examples, beside those with other values of λ."""
    training = update(spec, model)
    others = trainings.beside(spec, "lambda_")
    note = progress_note(training, f"{len(spec.examples)} messages, spam or not")
    curves = [_curve(name, spec, training, others) for name in TITLES]
    train_row("finetuning/gpt-trainer", spec, model, note, curves, columns=3)


def _curve(
    name: str, spec: "GptSpec", training: Training | None, others: "list[tuple[GptSpec, Training]]"
) -> dict[str, Any]:
    points = _points(trainings.records(spec), name)
    lines = [{"name": _name(other), "points": _points(past.records, name)} for other, past in others]
    percent = name == "right"
    least, most = (0.0, 1.0) if percent else _axis([points, *(line["points"] for line in lines)])
    every = [training, *(past for _, past in others)]
    return curve(
        TITLES[name],
        points,
        most,
        least,
        others=lines,
        name=_name(spec),
        percent=percent,
        of=max([1, *(past.position[1] for past in every if past)]),
    )


def _axis(lines: "list[Any]") -> tuple[float, float]:
    """The ends of an axis, at halves of a nat, around all lines."""
    values = [value for line in lines for _, value in line]
    if not values:
        return 0.0, 1.0
    return int(2 * min(values)) / 2, (int(2 * max(values)) + 1) / 2


def _points(records: "list[Record]", name: str) -> list[tuple[int, float]]:
    return [(record["step"], record[name]) for record in records if name in record]


def _name(spec: "GptSpec") -> str:
    return f"λ {spec.lambda_:g}"


def saves(spec: "GptSpec") -> list[Export]:
    """The losses of this training and of those beside it."""
    training = trainings.find(spec)
    rows = [
        (other.lambda_, record["step"], *(record[name] for name in TITLES))
        for other, past in [*trainings.beside(spec, "lambda_"), *([(spec, training)] if training else [])]
        for record in past.records
        if "task" in record
    ]
    heads = ["lambda", "step", "task loss in nats", "language loss in nats", "share right"]
    return [Export("Both losses", "gpt-losses.csv", lambda: table(heads, rows))] if rows else []


def example(spec: "GptSpec") -> Example | None:
    """The training on the screen from Python; None before it has ended."""
    from explorer.finetuning.gpt1_examples import SETS

    training = trainings.find(spec)
    if training is None or training.going:
        return None
    return Example(
        both_losses,
        model=Load(MODEL),
        name=SETS[spec.kind],
        kind=spec.kind,
        lambda_=spec.lambda_,
        seed=spec.seed,
    )


def both_losses(
    model: "LanguageModel", name: str, kind: "Transformation", lambda_: float, seed: int
) -> "list[Record]":
    """L2 (`task`), L1 (`language`) and the accuracy on held-out examples, at each evaluation."""
    from explorer.finetuning import library
    from explorer.finetuning.training_specs import GptSpec

    spec = GptSpec(str(model.checkpoint), library.examples(name), seed, kind=kind, lambda_=lambda_)
    return [record for record in spec.records(model) if "task" in record]
