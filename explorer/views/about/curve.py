"""A picture of curves: the loss, or what was measured in one unit, against the tokens read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.views.about import curves, presets
from explorer.views.about.choice import Training
from explorer.views.about.saves import curves_csv, record_csv
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.first import First
from explorer.views.frame.page import Preset, palette
from explorer.views.frame.saving import Export, Picture
from explorer.views.frame.view import Page, Reading, Saves

AXIS = "The horizontal axis is logarithmic: equal distances multiply the amount of text."


@dataclass(frozen=True)
class Curve:
    """The view of one picture, by its name in `curves.pictures`."""

    name: str
    SETTINGS: ClassVar[Mapping[str, Any]] = presets.settings()
    PRESETS: ClassVar[Sequence[Preset]] = presets.PRESETS

    FIRST: ClassVar[First] = First(
        "From left to right the model has read more text; the curve says how well it does.",
        "Choose another model above: which one was trained longest?",
    )

    @property
    def LABEL(self) -> str:
        """Its name in the row of views."""
        return curves.title(self.name)

    def controls(self, page: Page[Training]) -> None:
        """None."""

    def draw(self, page: Page[Training]) -> Saves:
        """The chart."""
        training = page.data
        lines = curves.pictures(training.record, training.card)[self.name]
        tokens = [snapshot.tokens for snapshot in training.record.snapshots]
        figure = curves.figure(self.name, lines, tokens, palette())
        chart(figure, f"models/curves/{self.name}")
        file = f"{training.name}-{self.name}"
        return [
            Picture("picture", file),
            Export("Curves", f"{file}.csv", lambda: curves_csv(lines)),
            Export("All measurements", f"{training.name}-training.csv", lambda: record_csv(training.record)),
        ]

    def below(self, page: Page[Training]) -> None:
        """None."""

    def reading(self, page: Page[Training]) -> Reading:
        """How to read the chart."""
        if self.name == curves.LOSS:
            return Reading(
                "How wrong the model’s guesses were, against the amount of text it had read. " + AXIS,
                "The training loss is smoothed and may include more than guessing words: see the card.",
            )
        return Reading(
            "Measured at several steps of the training, on text that the model was not trained on. " + AXIS,
            "The card says how each is measured." if self.name == curves.SHARE else "",
        )

    def example(self, page: Page[Training]) -> Example:
        """The curves from Python."""
        return Example(values_by_curve, name=page.data.name, picture=self.name)


def values_by_curve(name: str, picture: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of one picture of a bundled model's training: for each its (tokens read, value)."""
    from explorer.views.about import curves, record

    training = record.read(name)
    lines = curves.pictures(training)[picture] if training else []
    return {line.name: line.values for line in lines}
