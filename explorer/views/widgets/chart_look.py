"""How every Plotly chart looks: its type and colours, and axes with a quiet grid."""

from typing import TYPE_CHECKING, Any

from explorer.views.frame.theme import SANS, SMALLEST, Palette

if TYPE_CHECKING:
    import plotly.graph_objects as go

REACH_PX = 48  # from a point, within which its numbers are shown


def blank(**grid: Any) -> "go.Figure":
    """A chart with nothing in it; `grid` is what Plotly's `make_subplots` takes, for several side by side."""
    # Plotly asks whether values are pandas' own as soon as another thread has begun to import pandas
    # (scikit-learn does), and fails on what is not there yet. With this, it has ended.
    import pandas  # noqa: F401
    import plotly.graph_objects as go  # nobody waits for it before a chart is asked for
    from plotly.subplots import make_subplots

    return make_subplots(**grid) if grid else go.Figure()


def look(made: "go.Figure", palette: Palette, height: int, **layout: Any) -> None:
    """Type and colours of a chart; `layout` is what else Plotly's `update_layout` is to take."""
    told = {"family": SANS, "size": SMALLEST, "color": palette.ink}
    made.update_layout(
        template="none",
        height=height,
        font=told,
        hovermode="closest",
        dragmode=False,
        showlegend=False,
        paper_bgcolor=palette.ground,
        plot_bgcolor=palette.ground,
        hoverlabel={"font": told, "bgcolor": palette.panel, "bordercolor": palette.hairline},
        **layout,
    )


def axes(made: "go.Figure", palette: Palette, **upright: Any) -> None:
    """A grid across and ticks below; `upright` is what else the vertical axes are to take."""
    made.update_yaxes(**({"gridcolor": palette.hairline, "zeroline": False, "fixedrange": True} | upright))
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


def say(made: "go.Figure", text: str, palette: Palette, **where: Any) -> None:
    """Words in a chart, in quiet ink unless `font` says otherwise; `where` is what an annotation takes."""
    made.add_annotation(**words(text, palette, **where))


def words(text: str, palette: Palette, **where: Any) -> dict[str, Any]:
    """What `say` says, for a chart with many: `update_layout(annotations=[...])` takes all of them at once.

    Plotly looks through all annotations that are there each time that one is added: two hundred take 1 s.
    """
    return {"text": text, "showarrow": False, "font": {"color": palette.quiet}} | where
