"""Learning curves: the loss, or what was measured in another unit, against the amount of text read."""

from collections.abc import Mapping, Sequence

from explorer.server import memory
from explorer.views.about import curves, record
from explorer.views.about.choice import Training
from explorer.views.about.saves import curves_csv, record_csv
from explorer.views.about.settings import MEASURE
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.page import palette
from explorer.views.frame.polls.poll import Poll, Question
from explorer.views.frame.presenter import for_class
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.sizes import sizes
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.widgets.controls import menu

VIEW_TEXT = view_text("models", "curves")
FEWEST, MOST = 0.1, 100_000  # million parameters that a class may guess


def pictures_of(training: Training) -> Mapping[str, Sequence[curves.Line]]:
    """The curves of a training, by their unit."""
    return curves.pictures(training.record, training.card)


def controls(page: OpenPage[Training]) -> None:
    """A box for the measure, if there are several."""
    pictures = pictures_of(page.data)
    if page.settings[MEASURE] not in pictures:
        page.settings.show_instead(MEASURE.to(next(iter(pictures))))
    if len(pictures) > 1:
        titles = {name: curves.title(name) for name in pictures}
        menu(page.settings, MEASURE, "Measure", titles, label_visibility="collapsed")


def draw(page: OpenPage[Training]) -> Saves:
    """The chart."""
    training, name = page.data, page.settings[MEASURE]
    lines = pictures_of(training)[name]
    tokens = [snapshot.tokens for snapshot in training.record.snapshots]
    fig = curves.figure(name, lines, tokens, palette(), for_class())
    chart(fig, f"models/curves/{name}", least=820)
    file = f"{training.name}-{name}"
    return [
        Picture("picture", file),
        Export("Curves", f"{file}.csv", lambda: curves_csv(lines)),
        Export("All measurements", f"{training.name}-training.csv", lambda: record_csv(training.record)),
    ]


def values_by_curve(name: str, picture: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of one picture of a bundled model's training: for each its (tokens read, value)."""
    from explorer.views.about import curves, record

    training = record.read(name)
    lines = curves.pictures(training)[picture] if training else []
    return {line.name: line.values for line in lines}


def asks(page: OpenPage[Training]) -> list[Poll]:
    """How many parameters the model has."""
    name = page.data.name
    text = f"How many million parameters does {memory.short_label(name)} have?"
    millions = sizes(record.folder(name)).parameters / 1e6
    return [Poll(Question("number", text, low=FEWEST, high=MOST, unit=1e6), truth=f"{millions:.3g}")]


VIEW = View(
    text=VIEW_TEXT,
    settings=(MEASURE,),
    controls=controls,
    draw=draw,
    reading=lambda page: VIEW_TEXT.readings.get(page.settings[MEASURE], VIEW_TEXT.reading),
    example=lambda page: Example(values_by_curve, name=page.data.name, picture=page.settings[MEASURE]),
    asks=asks,
)
