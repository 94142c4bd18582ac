"""The ways of learning that are compared, each with its colour and mark; a chart's frame, a line's band."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from explorer.views.frame.theme import Palette
from explorer.views.widgets.chart_look import axes, blank, look

if TYPE_CHECKING:
    import plotly.graph_objects as go

# What the sets are called on screen, and in words what they were made of.
SETS = {
    "sst2": "Film reviews (SST-2)",
    "intents": "What a request is for (SNIPS)",
    "slots": "Slots of a request (SNIPS)",
    "names": "Names (wikigold)",
    "rte": "Entailment (RTE)",
    "answers": "Answers (XQuAD)",
    "films": "Film sentences (ours)",
}
MEASURES = {"accuracy": "accuracy", "f1": "F1"}


class Style(NamedTuple):
    """How one way of learning is drawn."""

    colour: str
    symbol: str


def drawn(palette: Palette) -> dict[str, Style]:
    """Colours and marks by the names that the stored figures have for the ways."""
    return {
        "majority": Style(palette.quiet, "line-ns-open"),
        "random body": Style(palette.quiet, "cross"),
        "bag of words": Style(palette.senses[3], "diamond"),
        "frozen": Style(palette.senses[0], "circle"),
        "fine-tuned": Style(palette.accent, "square"),
        "tuned": Style(palette.accent, "square"),
    }


NAMES = {
    "majority": "most frequent class",
    "random body": "layers at random",
    "bag of words": "bag of words",
    "frozen": "frozen layers",
    "fine-tuned": "fine-tuned",
    "tuned": "fine-tuned",
}


def framed(palette: Palette, height: int, margin: dict[str, int]) -> "go.Figure":
    """An empty chart."""
    made = blank()
    look(made, palette, height, margin=margin)
    axes(made, palette)
    return made


def band(made: "go.Figure", xs: Sequence[float], ends: Sequence[tuple[float, float]], colour: str) -> None:
    """The pale band of a line, from the lower to the upper end at each x."""
    made.add_scatter(
        x=[*xs, *reversed(xs)],
        y=[*(high for _, high in ends), *(low for low, _ in reversed(ends))],
        mode="lines",
        fill="toself",
        fillcolor=pale(colour),
        line={"width": 0},
        hoverinfo="skip",
    )


def pale(colour: str) -> str:
    """A colour that lets what is behind it be seen.

    >>> pale("#0F766E")
    'rgba(15,118,110,0.15)'
    """
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({','.join(map(str, channels))},0.15)"


def known(names: Sequence[str]) -> list[str]:
    """The sets that have figures, in the order of the page."""
    return [name for name in SETS if name in names]
