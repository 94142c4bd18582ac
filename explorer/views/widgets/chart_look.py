"""The common look of Plotly charts: type, colours, and axes with a quiet grid."""

from collections.abc import Sequence
from typing import Any

from explorer.views.look.theme import SANS, SMALLEST, Palette
from explorer.views.types import go

REACH_PX = 48  # distance from a point within which its numbers are shown


def blank(**grid: Any) -> "go.Figure":
    """An empty chart; `grid` is passed to Plotly's `make_subplots`, for several charts in one."""
    # If another thread is importing pandas (as scikit-learn does), Plotly uses the half-imported module and
    # fails. This import waits for the other one.
    import pandas  # noqa: F401
    import plotly.graph_objects as go  # slow to import
    from plotly.subplots import make_subplots

    return make_subplots(**grid) if grid else go.Figure()


def look(figure: "go.Figure", palette: Palette, height: int, **layout: Any) -> None:
    """Set type and colours of a chart; `layout` is passed on to Plotly's `update_layout`."""
    font = {"family": SANS, "size": SMALLEST, "color": palette.ink}
    figure.update_layout(
        template="none",
        height=height,
        font=font,
        hovermode="closest",
        dragmode=False,
        showlegend=False,
        paper_bgcolor=palette.ground,
        plot_bgcolor=palette.ground,
        hoverlabel={"font": font, "bgcolor": palette.panel, "bordercolor": palette.hairline},
        **layout,
    )


def axes(figure: "go.Figure", palette: Palette, **upright: Any) -> None:
    """Set horizontal grid lines and ticks below; `upright` is passed on to the vertical axes."""
    figure.update_yaxes(**({"gridcolor": palette.hairline, "zeroline": False, "fixedrange": True} | upright))
    figure.update_xaxes(
        showgrid=False,
        zeroline=False,
        linecolor=palette.quiet,
        ticks="outside",
        tickcolor=palette.quiet,
        ticklen=6,
        tickangle=0,
        fixedrange=True,
    )


def say(figure: "go.Figure", text: str, palette: Palette, **where: Any) -> None:
    """Add a text to a chart, in quiet ink unless `font` is given; `where` is passed on to the annotation."""
    figure.add_annotation(**words(text, palette, **where))


def words(text: str, palette: Palette, **where: Any) -> dict[str, Any]:
    """The annotation that `say` adds, for `update_layout(annotations=[...])` with many at once.

    Plotly goes through all existing annotations each time that one is added, which is slow for hundreds.
    """
    return {"text": text, "showarrow": False, "font": {"color": palette.quiet}} | where


def title(figure: "go.Figure", text: str, palette: Palette, column: int = 1, yshift: int = 6) -> None:
    """Add what a chart shows, `yshift` px above its left end; Plotly's marks, such as <b>, may be used."""
    left = _domain(figure, column)[0]
    place = {"x": left, "xref": "paper", "y": 1, "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    say(figure, text, palette, yshift=yshift, align="left", **place)


def below(figure: "go.Figure", text: str, palette: Palette, column: int = 1, yshift: int = -28) -> None:
    """Add what a chart's horizontal axis counts. (Plotly's own title does not grow with the letters.)"""
    middle = sum(_domain(figure, column)) / 2
    say(figure, text, palette, x=middle, xref="paper", y=0, yref="paper", yanchor="top", yshift=yshift)


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


def pale(colour: str) -> str:
    """The same colour, nearly transparent.

    >>> pale("#0F766E")
    'rgba(15,118,110,0.15)'
    """
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({','.join(map(str, channels))},0.15)"


def _domain(figure: "go.Figure", column: int) -> tuple[float, float]:
    """The left and right end of a column of charts, as shares of the figure's width."""
    domain: tuple[float, float] | None = figure.layout["xaxis" if column == 1 else f"xaxis{column}"].domain
    return domain or (0, 1)
