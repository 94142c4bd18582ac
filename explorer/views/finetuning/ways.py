"""The ways of learning that are compared, with their colours and marks; and parts of their charts."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.views.look.theme import Palette
from explorer.views.widgets.chart_look import axes, blank, look, say
from explorer.views.widgets.curves import LABEL_PX, spread

if TYPE_CHECKING:
    import plotly.graph_objects as go

# The sets on screen, with what they were made of.
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


def styles(palette: Palette) -> dict[str, Style]:
    """The style of each way, by its name in the stored figures."""
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
    "random body": "random layers",
    "bag of words": "bag of words",
    "frozen": "frozen layers",
    "fine-tuned": "fine-tuned",
    "tuned": "fine-tuned",
}


def empty_figure(palette: Palette, height: int, margin: dict[str, int]) -> "go.Figure":
    """A figure with axes and nothing else."""
    figure = blank()
    look(figure, palette, height, margin=margin)
    axes(figure, palette)
    return figure


def band(figure: "go.Figure", xs: Sequence[float], ends: Sequence[tuple[float, float]], colour: str) -> None:
    """Draw the pale band around a line, from the lower to the upper end at each x."""
    figure.add_scatter(
        x=[*xs, *reversed(xs)],
        y=[*(high for _, high in ends), *(low for low, _ in reversed(ends))],
        mode="lines",
        fill="toself",
        fillcolor=pale(colour),
        line={"width": 0},
        hoverinfo="skip",
    )


def name_ends(
    figure: "go.Figure", ends: Sequence[tuple[str, float, str]], height: int, palette: Palette, **where: Any
) -> None:
    """Write names at the ends of lines, none on another; each has the line's last value and its colour.

    `height` is that of the plot without its margins, in px; `where` is passed on to the annotations.
    """
    places = spread([value for _, value, _ in ends], LABEL_PX / height, 0, 1)
    for (name, _, colour), place in zip(ends, places):
        say(figure, name, palette, y=place, xanchor="left", font={"color": colour}, **where)


def name_rows(figure: "go.Figure", names: Sequence[str], axis: str, palette: Palette) -> None:
    """Name the rows of a chart of shares, from the top, and its axis."""
    figure.update_xaxes(tickformat=".0%")
    labels = [escape(name) for name in names]
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=labels, range=[len(names) - 0.5, -0.7])
    right = {"x": 1, "xref": "paper", "xanchor": "right"}
    say(figure, axis, palette, y=0, yref="paper", yanchor="top", yshift=-26, **right)


def pale(colour: str) -> str:
    """The same colour, nearly transparent.

    >>> pale("#0F766E")
    'rgba(15,118,110,0.15)'
    """
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({','.join(map(str, channels))},0.15)"


def in_order(names: Sequence[str]) -> list[str]:
    """The same sets in the order of the page."""
    return [name for name in SETS if name in names]
