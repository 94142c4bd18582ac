"""The charts of “Layer by layer”: curves of all models, beside the layers of facts or the scores by rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor
from typing import TYPE_CHECKING

from explorer.views.look.theme import SENSE_SHAPES, Palette, mix
from explorer.views.widgets.chart_look import REACH_PX, axes, below, blank, look, say, title
from explorer.views.widgets.curves import GLYPHS, LABEL_PX, spread

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 390
MARGIN = {"l": 62, "r": 14, "t": 66, "b": 52}
RIGHT = {"row": 1, "col": 2}  # the chart beside the curves
IN_RIGHT = {"xref": "x2", "yref": "y2", "xanchor": "left"}  # a text in it


@dataclass(frozen=True)
class Left:
    """The left chart: curves by model, each model's mark, the chosen model, dashed levels, the axis title."""

    curves: Mapping[str, Sequence[float]]
    marks: Mapping[str, int]
    chosen: str
    levels: Mapping[str, float]
    axis: str


@dataclass(frozen=True)
class Place:
    """The layers at which a model knows a kind of fact: centre of gravity, expected layer, layers' shares."""

    fact: str
    model: str
    mark: int
    centre: float
    expected: float | None
    shares: Sequence[float]


def facts(left: Left, places: Sequence[Place], palette: Palette) -> "go.Figure":
    """The curves, and beside them each fact's centre of gravity and expected layer."""
    if not places:
        return _curves_figure(palette, left, [1.0])
    fig = _curves_figure(palette, left, [0.58, 0.42])
    rows = {
        (place.fact, place.model): -float(i + _room_for_names(places, i)) for i, place in enumerate(places)
    }
    for place in places:
        y, colour = rows[place.fact, place.model], palette.senses[place.mark]
        shape = SENSE_SHAPES[place.mark]
        name = f"{escape(place.fact)}, {escape(place.model)}"
        if place.expected is not None:
            fig.add_scatter(
                x=[place.centre, place.expected],
                y=[y, y],
                mode="lines",
                hoverinfo="skip",
                line={"color": colour, "width": 1.5},
                **RIGHT,
            )
            fig.add_scatter(
                x=[place.expected],
                y=[y],
                mode="markers",
                marker={"symbol": f"{shape}-open", "size": 11, "color": colour, "line": {"width": 2}},
                hovertemplate=f"{name}<br>expected layer <b>%{{x:.2f}}</b><extra></extra>",
                **RIGHT,
            )
        shares = ", ".join(f"{share:.2f}" for share in place.shares)
        fig.add_scatter(
            x=[place.centre],
            y=[y],
            mode="markers",
            marker={"symbol": shape, "size": 12, "color": colour},
            hovertemplate=f"{name}<br>centre of gravity <b>%{{x:.2f}}</b><br>shares {shares}<extra></extra>",
            **RIGHT,
        )
    for fact in dict.fromkeys(place.fact for place in places):
        ys = [rows[place.fact, place.model] for place in places if place.fact == fact]
        where = IN_RIGHT | {"yanchor": "middle", "font": {"color": palette.ink}}
        say(fig, escape(fact), palette, x=-0.1, y=max(ys) + 0.95, **where)
    last = max((len(place.shares) for place in places), default=2) - 1
    fig.update_xaxes(range=[-0.3, last + 0.3], tickvals=list(range(last + 1)), **RIGHT)
    lowest = min(rows.values(), default=0)
    fig.update_yaxes(showticklabels=False, showgrid=False, range=[lowest - 0.7, 1.6], **RIGHT)
    for layer in range(last + 1):
        fig.add_vline(x=layer, line={"color": palette.hairline, "width": 1}, layer="below", **RIGHT)
    title(fig, "filled: centre of gravity;<br>open: expected layer", palette, column=2, yshift=8)
    below(fig, "layer", palette, column=2)
    return fig


def _room_for_names(places: Sequence[Place], at: int) -> float:
    """The rows left free above a place, so that each kind of fact has room for its name."""
    return 1.4 * sum(places[i].fact != places[i - 1].fact for i in range(1, at + 1))


def arcs(left: Left, ranks: Mapping[str, Sequence[float]], palette: Palette) -> "go.Figure":
    """The curves, and beside them the chosen model's score by rank, a line for each layer."""
    if len(ranks) < 2:
        return _curves_figure(palette, left, [1.0])
    fig = _curves_figure(palette, left, [0.58, 0.42])
    depth = len(next(iter(ranks.values())))
    names = list(ranks)
    ends = list(ranks[names[-1]])
    span = max(map(max, ranks.values())) - min(map(min, ranks.values()))
    room = LABEL_PX * span / (HEIGHT - MARGIN["t"] - MARGIN["b"])
    places = spread(ends, room, min(ends) - room, max(ends) + room)
    for layer in range(depth):
        colour = mix(palette.layers, 0.25 + 0.75 * layer / max(depth - 1, 1))
        values = [ranks[rank][layer] for rank in names]
        fig.add_scatter(
            x=list(range(len(names))),
            y=values,
            customdata=names,
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"color": colour, "size": 7},
            hovertemplate=f"layer {layer}, rank %{{customdata}}<br><b>%{{y:.3f}}</b><extra></extra>",
            **RIGHT,
        )
        where = IN_RIGHT | {"xshift": 8, "font": {"color": palette.ink}}
        say(fig, str(layer), palette, x=len(names) - 1, y=places[layer], **where)
    fig.update_xaxes(
        tickvals=list(range(len(names))), ticktext=names, range=[-0.3, len(names) - 0.3], **RIGHT
    )
    title(fig, f"{escape(left.chosen)} by rank, a line for each layer", palette, column=2, yshift=8)
    below(fig, "rank of the probe", palette, column=2)
    return fig


def _curves_figure(palette: Palette, left: Left, widths: list[float]) -> "go.Figure":
    """The curves in the first of several charts with these widths."""
    fig = blank(rows=1, cols=len(widths), column_widths=widths, horizontal_spacing=0.08)
    look(fig, palette, HEIGHT, margin=MARGIN, hoverdistance=REACH_PX)
    axes(fig, palette)
    deepest = max(map(len, left.curves.values()))
    for name, values in left.curves.items():
        mark = left.marks[name]
        colour = palette.senses[mark]
        fig.add_scatter(
            x=list(range(len(values))),
            y=list(values),
            mode="lines+markers",
            line={"color": colour, "width": 4 if name == left.chosen else 2},
            marker={"symbol": SENSE_SHAPES[mark], "size": 12 if name == left.chosen else 9, "color": colour},
            hovertemplate=f"{escape(name)}, layer %{{x}}<br><b>%{{y:.3f}}</b><extra></extra>",
            row=1,
            col=1,
        )
    for label, value in left.levels.items():
        fig.add_hline(y=value, line={"color": palette.quiet, "width": 2, "dash": "dash"}, row=1, col=1)
        where = {"xref": "x", "yref": "y", "xanchor": "right", "yanchor": "top"}
        say(fig, f"{escape(label)}: {value:.3f}", palette, x=deepest - 1, y=value, **where)
    lowest = min([*(value for values in left.curves.values() for value in values), *left.levels.values()])
    start = floor(20 * lowest) / 20
    highest = max([*(value for values in left.curves.values() for value in values), *left.levels.values()])
    fig.update_yaxes(range=[start, highest + 0.05 * (highest - start)], row=1, col=1)
    fig.update_xaxes(tickvals=list(range(deepest)), range=[-0.35, deepest - 0.75], row=1, col=1)
    names = "  ".join(
        f'<span style="color:{palette.senses[left.marks[name]]}">{GLYPHS[left.marks[name]]} '
        f"{escape(name)}</span>"
        for name in left.curves
    )
    axis = f"{left.axis}; the axis starts at {start:g}" if start > 0 else left.axis
    title(fig, f"{names}<br>{escape(axis)}", palette, yshift=8)
    below(fig, "layer (0 is the embedding)", palette)
    return fig
