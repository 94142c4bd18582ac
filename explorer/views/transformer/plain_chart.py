"""Plotly pictures side by side, with what each shows above it and what its axis counts below."""

from typing import TYPE_CHECKING

from explorer.views.frame.theme import Palette
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look, say

if TYPE_CHECKING:
    import plotly.graph_objects as go

MARGIN = {"l": 56, "r": 12, "t": 44, "b": 48}


def side_by_side(palette: Palette, height: int, widths: list[float], between: float = 0.08) -> "go.Figure":
    """An empty figure with a picture for each width, in a row."""
    made = blank(rows=1, cols=len(widths), column_widths=widths, horizontal_spacing=between)
    look(made, palette, height, margin=MARGIN, hoverdistance=REACH_PX)
    axes(made, palette)
    return made


def title(made: "go.Figure", text: str, palette: Palette, column: int = 1, lift: int = 20) -> None:
    """What a picture shows, above its left end; the text may have Plotly's own marks, such as <b>."""
    left = made.layout["xaxis" if column == 1 else f"xaxis{column}"].domain[0]
    say(
        made,
        text,
        palette,
        x=left,
        xref="paper",
        y=1,
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=lift - 14,
        align="left",
    )


def below(made: "go.Figure", text: str, palette: Palette, column: int = 1) -> None:
    """What a picture's horizontal axis counts. (An axis title of Plotly's does not grow with the letters.)"""
    left, right = made.layout["xaxis" if column == 1 else f"xaxis{column}"].domain
    say(made, text, palette, x=(left + right) / 2, xref="paper", y=0, yref="paper", yanchor="top", yshift=-28)
