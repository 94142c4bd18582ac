"""A row for each run, a column for each task: a small dot for each draw, a large one for their mean."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.analysis import ablations
from explorer.views.look.theme import Palette
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look, say

if TYPE_CHECKING:
    import plotly.graph_objects as go

NAMES = {
    ablations.WHOLE: "as usual",
    ablations.WITHOUT_NEXT: "without next sentence",
    ablations.ALWAYS_MASK: "always [MASK]",
    ablations.LEFT_TO_RIGHT: "left to right,<br>no next sentence",
    ablations.RANDOM: "random weights",
}
TASKS = {
    "sst2": "sentiment, accuracy",
    "intents": "requests, accuracy",
    "slots": "slots of requests, F1",
    "names": "names, F1",
}
HEIGHT, TOP, BOTTOM, LEFT, RIGHT = 376, 48, 40, 190, 24
BELOW = 0.22  # rows between a mean and its draws
MARGIN = 0.12  # margin beside the lowest and the highest score, as a share of their distance


def label(kind: str) -> str:
    """The name of a run, in one line.

    >>> label(ablations.LEFT_TO_RIGHT)
    'left to right, no next sentence'
    """
    return NAMES[kind].replace("<br>", " ")


def figure(results: ablations.Ablations, palette: Palette) -> "go.Figure":
    """All runs that were measured, in the order of `NAMES`."""
    kinds = list(NAMES)
    chart = blank(rows=1, cols=len(TASKS), shared_yaxes=True, horizontal_spacing=0.04)
    for column, (task, title) in enumerate(TASKS.items(), 1):
        for kind in kinds:
            _row(chart, column, kind, title, results.rows[kind].heads[task], palette)
        _measure(chart, column, [score for kind in kinds for score in results.rows[kind].heads[task]])
        level = ablations.spread(results.rows[ablations.WHOLE].heads[task])[0]
        line = {"color": palette.quiet, "width": 1.5, "dash": "dot"}
        chart.add_vline(x=level, line=line, row=1, col=column, layer="below")
        here = "" if column == 1 else str(column)
        where = {"xref": f"x{here} domain", "yref": "paper", "x": 0, "y": 1, "xanchor": "left"}
        say(chart, f"<b>{title}</b>", palette, yanchor="bottom", yshift=12, **where)
    look(chart, palette, HEIGHT, hoverdistance=REACH_PX)
    axes(chart, palette, showline=False)
    chart.update_yaxes(
        tickvals=list(range(len(kinds))),
        ticktext=[NAMES[kind] for kind in kinds],
        range=[len(kinds) - 0.5, -0.5],
    )
    chart.update_xaxes(tickformat=".0%", nticks=4)
    chart.update_layout(margin={"l": LEFT, "r": RIGHT, "t": TOP, "b": BOTTOM})
    return chart


def _row(
    chart: "go.Figure", column: int, kind: str, title: str, scores: Sequence[float], palette: Palette
) -> None:
    """Draw the scores of a run on a task."""
    place = list(NAMES).index(kind)
    mean, deviation = ablations.spread(scores)
    colour = palette.quiet if kind == ablations.RANDOM else palette.ink
    chart.add_scatter(
        x=scores,
        y=[place + BELOW] * len(scores),
        mode="markers",
        marker={"size": 7, "color": palette.accent, "opacity": 0.55},
        hoverinfo="skip",
        row=1,
        col=column,
    )
    chart.add_scatter(
        x=[mean],
        y=[place],
        error_x={"array": [deviation], "color": colour, "thickness": 2, "width": 6},
        mode="markers+text",
        text=[f"<b>{mean * 100:.1f}</b>"],
        textposition="top center",
        textfont={"color": colour},
        marker={
            "size": 11,
            "color": colour,
            "symbol": "circle-open" if kind == ablations.RANDOM else "circle",
            "line": {"width": 2},
        },
        name=label(kind),
        hovertemplate=f"{label(kind)}<br>{title}: <b>{mean:.1%}</b> ± {deviation:.1%}<extra></extra>",
        row=1,
        col=column,
    )


def _measure(chart: "go.Figure", column: int, scores: Sequence[float]) -> None:
    """The axis of a task, from a little below its lowest score to a little above its highest."""
    low, high = min(scores), max(scores)
    margin = (high - low or 0.1) * MARGIN
    chart.update_xaxes(range=[low - margin, high + margin], row=1, col=column)
