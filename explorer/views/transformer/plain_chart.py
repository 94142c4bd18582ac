"""Plotly charts side by side."""

from typing import TYPE_CHECKING

from explorer.views.frame.theme import Palette
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look

if TYPE_CHECKING:
    import plotly.graph_objects as go

MARGIN = {"l": 56, "r": 12, "t": 44, "b": 48}


def side_by_side(palette: Palette, height: int, widths: list[float], between: float = 0.08) -> "go.Figure":
    """An empty figure with a picture for each width, in a row."""
    made = blank(rows=1, cols=len(widths), column_widths=widths, horizontal_spacing=between)
    look(made, palette, height, margin=MARGIN, hoverdistance=REACH_PX)
    axes(made, palette)
    return made
