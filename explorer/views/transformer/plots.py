"""What the charts of this page have in common: axes, colours, letters, legends, maps and lines."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from explorer.views.look.theme import SMALLEST, Palette
from explorer.views.types import Tensor, go
from explorer.views.widgets.chart_look import REACH_PX, axes, blank, look

LETTER_PX = 8.6  # about the width of a letter at 16 px
LONGEST = 14  # letters of a word beside or under a chart


def figure(palette: Palette, height: int, titles: Sequence[str] = (), **grid: Any) -> "go.Figure":
    """An empty chart; `grid` is what plotly's `make_subplots` takes, `titles` (HTML) one for each cell."""
    chart = blank(subplot_titles=[f"<b>{title}</b>" for title in titles] or None, **grid)
    look(chart, palette, height, margin={"l": 56, "r": 12, "t": 34 if titles else 12, "b": 48})
    chart.update_annotations(font={"size": SMALLEST, "color": palette.ink})
    axis = {
        "title_font_size": SMALLEST,
        "fixedrange": True,
        "zeroline": False,
        "linecolor": palette.quiet,
        "title_font_color": palette.quiet,
    }
    chart.update_xaxes(showgrid=False, tickangle=0, title_standoff=6, **axis)
    chart.update_yaxes(gridcolor=palette.hairline, title_standoff=8, **axis)
    return chart


def side_by_side(
    palette: Palette, height: int, widths: Sequence[float], between: float = 0.08
) -> "go.Figure":
    """An empty chart with a part of each of these widths, in a row."""
    chart = blank(rows=1, cols=len(widths), column_widths=list(widths), horizontal_spacing=between)
    look(chart, palette, height, margin={"l": 56, "r": 12, "t": 44, "b": 48}, hoverdistance=REACH_PX)
    axes(chart, palette)
    return chart


def name(text: str) -> str:
    """What a person typed, as a chart writes it: no longer than fits, and never as HTML.

    >>> name("bank"), name("incomprehensible"), name("<b>")
    ('bank', 'incomprehensi…', '&lt;b&gt;')
    """
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """Texts in their colours, for a chart's title; an entry is a colour and a text (HTML)."""
    return "  ".join(f'<span style="color:{colour}">{text}</span>' for colour, text in entries)


def add_map(chart: "go.Figure", numbers: "Tensor", palette: Palette, hover: str, col: int) -> None:
    """Add numbers from -1 to 1 as a map, with the first row at the top; `hover` describes a cell."""
    chart.add_heatmap(
        z=numbers.float().numpy(),
        zmin=-1,
        zmax=1,
        colorscale=list(palette.difference),
        showscale=False,
        hovertemplate=f"{hover}<extra></extra>",
        row=1,
        col=col,
    )
    chart.update_yaxes(autorange="reversed", showgrid=False, row=1, col=col)


def add_line(
    chart: "go.Figure", values: Sequence[float], line: dict[str, Any], hover: str, col: int, row: int = 1
) -> None:
    """Add values at 0, 1, 2, ... as a line; `hover` describes a point."""
    chart.add_scatter(
        x=list(range(len(values))),
        y=values,
        mode="lines",
        line={"width": 3} | line,
        hovertemplate=f"{hover}<extra></extra>",
        row=row,
        col=col,
    )
