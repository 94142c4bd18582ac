"""How far back two models remember: the mean of the stored sentences, and one sentence, side by side."""

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from explorer.views.frame.theme import SENSE_SHAPES, Palette
from explorer.views.transformer.plots import legend, side_by_side
from explorer.views.widgets.chart_look import below, title
from explorer.views.widgets.curves import GLYPHS

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 350
LONGEST = 12  # letters of a word below the axis
TICKS = {1: "1", 0.5: "0.5", 0.2: "0.2", 0.1: "0.1", 0.05: "0.05", 0.02: "0.02"}


def figure(
    means: Mapping[str, Sequence[float]],
    own: Mapping[str, Sequence[float]],
    words: Sequence[str],
    palette: Palette,
) -> "go.Figure":
    """Moves by places back, the watched word at the right end as in the sentence; a log axis upwards.

    `means` and `own` have a curve for each model, in parts of the move at 0 places back.
    """
    figure = side_by_side(palette, HEIGHT, [0.42, 0.58], between=0.07)
    for column, curves in ((1, means), (2, own)):
        for number, (name, values) in enumerate(curves.items()):
            figure.add_scatter(
                x=[-k for k in range(len(values))],
                y=[value if isfinite(value) and value > 0 else None for value in values],
                customdata=[[k, escape(words[k]) if column == 2 else ""] for k in range(len(values))],
                mode="lines+markers",
                connectgaps=True,
                line={"color": palette.senses[number], "width": 2.5},
                marker={"symbol": SENSE_SHAPES[number], "size": 10, "color": palette.senses[number]},
                hovertemplate=f"{escape(name)}, %{{customdata[0]}} back %{{customdata[1]}}<br>"
                "<b>%{y:.3f}</b><extra></extra>",
                row=1,
                col=column,
            )
    figure.update_yaxes(type="log", tickvals=list(TICKS), ticktext=list(TICKS.values()), range=[-1.75, 0.15])
    last = max((len(values) for values in means.values()), default=1) - 1
    marked = list(range(0, last + 1, 5))
    figure.update_xaxes(
        tickvals=[-k for k in marked],
        ticktext=[str(k) for k in marked],
        row=1,
        col=1,
    )
    figure.update_xaxes(
        tickvals=[-k for k in range(len(words))],
        ticktext=[escape(word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…") for word in words],
        tickangle=-50,
        row=1,
        col=2,
    )
    names = legend((palette.senses[i], f"{GLYPHS[i]} {escape(name)}") for i, name in enumerate(means))
    title(figure, f"the mean of 50 sentences  {names}", palette)
    title(figure, "your sentence: the word that is changed", palette, column=2)
    below(figure, "places back", palette)
    figure.update_layout(margin_b=84)
    return figure
