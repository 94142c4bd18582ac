"""A Plotly figure in the page's colours, with axes and nothing else; and words written onto it."""

from typing import TYPE_CHECKING, Any

from explorer.views.frame.theme import SANS, SMALLEST, Palette

if TYPE_CHECKING:
    import plotly.graph_objects as go

MARGIN = {"l": 56, "r": 12, "t": 44, "b": 48}


def side_by_side(palette: Palette, height: int, widths: list[float], between: float = 0.08) -> "go.Figure":
    """An empty figure with a picture for each width, in a row."""
    from plotly.subplots import make_subplots  # nobody waits for it before a picture is asked for

    made = make_subplots(rows=1, cols=len(widths), column_widths=widths, horizontal_spacing=between)
    told = {"family": SANS, "size": SMALLEST, "color": palette.ink}
    made.update_layout(
        template="none",
        height=height,
        font=told,
        margin=MARGIN,
        hovermode="closest",
        hoverdistance=48,
        dragmode=False,
        showlegend=False,
        paper_bgcolor=palette.ground,
        plot_bgcolor=palette.ground,
        hoverlabel={"font": told, "bgcolor": palette.panel, "bordercolor": palette.hairline},
    )
    made.update_yaxes(gridcolor=palette.hairline, zeroline=False, fixedrange=True)
    made.update_xaxes(
        showgrid=False,
        zeroline=False,
        linecolor=palette.quiet,
        ticks="outside",
        tickcolor=palette.quiet,
        ticklen=6,
        tickangle=0,
        fixedrange=True,
    )
    return made


def title(made: "go.Figure", text: str, palette: Palette, column: int = 1, lift: int = 20) -> None:
    """What a picture shows, above its left end; the text may have Plotly's own marks, such as <b>."""
    left = made.layout["xaxis" if column == 1 else f"xaxis{column}"].domain[0]
    write(
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
    write(
        made, text, palette, x=(left + right) / 2, xref="paper", y=0, yref="paper", yanchor="top", yshift=-28
    )


def write(made: "go.Figure", text: str, palette: Palette, **where: Any) -> None:
    """Words at a place of the figure, in quiet ink unless `font` says otherwise."""
    made.add_annotation(text=text, showarrow=False, **({"font": {"color": palette.quiet}} | where))
