"""Size against a zero-shot score: a line for each paper, and a lane below for models without a score."""

from collections.abc import Sequence
from math import log10
from typing import TYPE_CHECKING, Any

from explorer.views.about.curves import HEIGHT, dress
from explorer.views.about.families import FamilyMembers, Own
from explorer.views.about.record import count
from explorer.views.look.theme import SENSE_SHAPES, Palette
from explorer.views.widgets.chart_look import blank, say

if TYPE_CHECKING:
    import plotly.graph_objects as go

LANE = -20  # the place of those without a score, below 0 %
AXIS = "last words of LAMBADA guessed right, zero-shot"


def figure(families: Sequence[FamilyMembers], own: Sequence[Own], palette: Palette) -> "go.Figure":
    """The published models by size and score; those that have none, and our own, in the lane."""
    chart = blank()
    for number, family in enumerate(families):
        colour, last = palette.senses[number], family.members[-1]
        chart.add_scatter(
            x=[one.parameters for one in family.members],
            y=[LANE if one.lambada is None else one.lambada for one in family.members],
            customdata=[
                [count(one.parameters), "no score given" if one.lambada is None else f"{one.lambada:g}%"]
                for one in family.members
            ],
            name=family.name,
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": SENSE_SHAPES[number], "size": 12, "color": colour},
            hovertemplate=f"{family.name}, %{{customdata[0]}}: %{{customdata[1]}}<extra></extra>",
        )
        # Above the lane is the room for the names of ours.
        where = {"yanchor": "bottom", "yshift": 8} if last.lambada else {"yanchor": "middle", "xshift": 12}
        name = f"<b>{family.name}</b>"
        _label(chart, last.parameters, last.lambada or LANE, name, palette, colour, **where)
    if own:
        chart.add_scatter(
            x=[one.parameters for one in own],
            y=[LANE] * len(own),
            customdata=[[one.name, count(one.parameters)] for one in own],
            name="ours",
            mode="markers",
            marker={"symbol": "star", "size": 14, "color": palette.ink},
            hovertemplate="%{customdata[0]}, %{customdata[1]}: not tested<extra></extra>",
        )
        middle = (len(own) + 1) // 2
        lines = [", ".join(one.name for one in part) for part in (own[:middle], own[middle:]) if part]
        names = f"<b>ours</b>: {',<br>'.join(lines)}"
        _label(chart, own[0].parameters, LANE, names, palette, palette.ink, yanchor="bottom", yshift=8)
    _axes(chart, palette)
    return chart


def _label(
    chart: "go.Figure", parameters: int, score: float, text: str, palette: Palette, colour: str, **where: Any
) -> None:
    # On a logarithmic axis an annotation is placed by the logarithm.
    say(chart, text, palette, x=log10(parameters), y=score, xanchor="left", font={"color": colour}, **where)


def _axes(chart: "go.Figure", palette: Palette) -> None:
    dress(chart, AXIS, "parameters", palette)
    chart.update_layout(height=HEIGHT, margin={"l": 84, "r": 112, "t": 34, "b": 34})
    marks = [10**n for n in range(6, 12)]
    chart.update_xaxes(type="log", range=[5.9, 11.6], tickvals=marks, ticktext=[count(n) for n in marks])
    levels = [0, 20, 40, 60, 80, 100]
    chart.update_yaxes(
        range=[-27, 102],
        tickvals=[LANE, *levels],
        ticktext=["no score", *(f"{level}%" for level in levels)],
    )
