"""Test sets as rows: a mark for each way of learning, from nothing right to all."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from explorer.views.finetuning import ways
from explorer.views.frame.theme import Palette

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW_PX, SPARE_PX = 58, 98
MARGIN = {"l": 250, "r": 24, "t": 36, "b": 58}
SIZE = {"line-ns-open": 18}


def figure(scores: Mapping[str, Mapping[str, Any]], palette: Palette) -> "go.Figure":
    """The main score of each set, by way; `scores` are the stored figures of each set."""
    chart = ways.empty_figure(palette, ROW_PX * len(scores) + SPARE_PX, MARGIN)
    styles = ways.styles(palette)
    names = list(scores)
    for way in ("majority", "bag of words", "frozen", "tuned"):
        colour, symbol = styles[way]
        points = [(name, *next(iter(scores[name]["scores"][way].items()))) for name in names]
        chart.add_scatter(
            x=[value for _, _, value in points],
            y=[names.index(name) for name, _, _ in points],
            customdata=[
                [escape(ways.MEASURES[measure]), f"{scores[name]['test']:,}"] for name, measure, _ in points
            ],
            mode="markers",
            name=ways.NAMES[way],
            marker={
                "symbol": symbol,
                "size": SIZE.get(symbol, 15),
                "color": colour,
                "line": {"width": 3 if symbol in SIZE else 0, "color": colour},
            },
            hovertemplate=f"{ways.NAMES[way]}: <b>%{{x:.1%}}</b><br>%{{customdata[0]}} on %{{customdata[1]}} "
            "test examples<extra></extra>",
        )
    chart.update_layout(
        showlegend=True,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1,
            "xanchor": "left",
            "yanchor": "bottom",
            "itemclick": False,
        },
    )
    chart.update_xaxes(range=[0, 1.02])
    ways.name_rows(chart, [ways.SETS[name] for name in names], "of the main measure", palette)
    return chart
