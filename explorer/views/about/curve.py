"""A picture of curves: the loss, or what was measured in one unit, against the tokens read."""

from functools import partial

from explorer.views.about import curves, presets
from explorer.views.about.choice import Training
from explorer.views.about.saves import curves_csv, record_csv
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.view import OpenPage, Reading, Saves, View

AXIS = "The horizontal axis is logarithmic: equal distances multiply the amount of text."


IN_SIGHT = (curves.LOSS, curves.F1)  # the other measures are behind “More”


def curve(name: str) -> View[Training]:
    """The view of one picture, by its name in `curves.pictures`."""
    return View(
        label=curves.title(name),
        audience="" if name in IN_SIGHT else "For those who want every measure of the training.",
        first=Hints(
            "From left to right the model has read more text; the curve says how well it does.",
            "Choose another model above: which one was trained longest?",
        ),
        presets=presets.PRESETS,
        draw=partial(_draw, name),
        reading=partial(_reading, name),
        example=partial(_example, name),
    )


def _draw(name: str, page: OpenPage[Training]) -> Saves:
    """The chart."""
    training = page.data
    lines = curves.pictures(training.record, training.card)[name]
    tokens = [snapshot.tokens for snapshot in training.record.snapshots]
    chart(curves.figure(name, lines, tokens, palette()), f"models/curves/{name}")
    file = f"{training.name}-{name}"
    return [
        Picture("picture", file),
        Export("Curves", f"{file}.csv", lambda: curves_csv(lines)),
        Export("All measurements", f"{training.name}-training.csv", lambda: record_csv(training.record)),
    ]


def _reading(name: str, page: OpenPage[Training]) -> Reading:
    """How to read the chart."""
    if name == curves.LOSS:
        return Reading(
            "How wrong the model’s guesses were, against the amount of text it had read. " + AXIS,
            "The training loss is smoothed and may include more than guessing words: see the card.",
        )
    return Reading(
        "Measured at several steps of the training, on text that the model was not trained on. " + AXIS,
        "The card says how each is measured." if name == curves.SHARE else "",
    )


def _example(name: str, page: OpenPage[Training]) -> Example:
    """The curves from Python."""
    return Example(values_by_curve, name=page.data.name, picture=name)


def values_by_curve(name: str, picture: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of one picture of a bundled model's training: for each its (tokens read, value)."""
    from explorer.views.about import curves, record

    training = record.read(name)
    lines = curves.pictures(training)[picture] if training else []
    return {line.name: line.values for line in lines}
