"""The chart beside the curves of “Layer by layer”: at which layers each kind of fact sits."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.types import go
from explorer.views.widgets.chart_look import say, title

RIGHT = {"row": 1, "col": 2}
IN_RIGHT = {"xref": "x2", "yref": "y2", "xanchor": "left", "yanchor": "middle"}  # a text in it


@dataclass(frozen=True)
class Place:
    """The layers at which a model knows a kind of fact: centre of gravity, expected layer, layers' shares.

    `mark` is the number of the model's shape, which is in colour if the model is `chosen`.
    """

    fact: str
    model: str
    mark: int
    chosen: bool
    centre: float
    expected: float | None
    shares: Sequence[float]


def draw_places(fig: "go.Figure", places: Sequence[Place], palette: Palette) -> None:
    """Draw each fact's centre of gravity and expected layer in each model, in rows below the fact's name."""
    y, fact = 0.0, places[0].fact
    say(fig, escape(fact), palette, x=-0.1, y=0.95, font={"color": palette.ink}, **IN_RIGHT)
    for place in places:
        if place.fact != fact:
            y, fact = y - 1.4, place.fact
            say(fig, escape(fact), palette, x=-0.1, y=y + 0.95, font={"color": palette.ink}, **IN_RIGHT)
        _draw(fig, place, y, palette)
        y -= 1
    last = max(len(place.shares) for place in places) - 1
    fig.update_xaxes(range=[-0.3, last + 0.3], tickvals=list(range(last + 1)), **RIGHT)
    fig.update_yaxes(showticklabels=False, showgrid=False, zeroline=False, range=[y + 0.3, 1.6], **RIGHT)
    for layer in range(last + 1):
        fig.add_vline(x=layer, line={"color": palette.hairline, "width": 1}, layer="below", **RIGHT)
    title(fig, "● centre, ○ expected layer", palette, column=2)


def _draw(fig: "go.Figure", place: Place, y: float, palette: Palette) -> None:
    colour = palette.accent if place.chosen else palette.quiet
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
