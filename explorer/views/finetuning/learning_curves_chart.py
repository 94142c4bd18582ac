"""Learning curves with their spread: a line and a band for each way of learning."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from explorer.views.finetuning import ways
from explorer.views.look.theme import Palette
from explorer.views.widgets.chart_look import below, title

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 430
MARGIN = {"l": 56, "r": 190, "t": 34, "b": 52}


class Spread(NamedTuple):
    """Scores of the same training with several seeds."""

    worst: float
    mean: float
    best: float


def spread(values: Sequence[float]) -> Spread:
    """The worst, the mean and the best."""
    return Spread(min(values), sum(values) / len(values), max(values))


def figure(
    cells: Mapping[str, Mapping[str, Sequence[float]]],
    measure: str,
    palette: Palette,
    on: str = "the test set",
    height: int = HEIGHT,
) -> "go.Figure":
    """The lines by number of examples, on a log axis; their names at their right ends."""
    chart = ways.empty_figure(palette, height, MARGIN)
    styles = ways.styles(palette)
    ends: dict[int, list[tuple[str, float, str]]] = {}  # the names by the number of examples at their ends
    sizes = sorted({int(size) for by_size in cells.values() for size in by_size})
    for way, by_size in cells.items():
        colour, symbol = styles[way]
        spreads = {int(size): spread(values) for size, values in by_size.items()}
        xs = sorted(spreads)
        ways.band(chart, xs, [(spreads[x].worst, spreads[x].best) for x in xs], colour)
        chart.add_scatter(
            x=xs,
            y=[spreads[x].mean for x in xs],
            customdata=[[spreads[x].worst, spreads[x].best] for x in xs],
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"symbol": symbol, "size": 12, "color": colour},
            hovertemplate=f"{ways.NAMES[way]}, %{{x:,}} examples<br><b>%{{y:.0%}}</b>, "
            "from %{customdata[0]:.0%} to %{customdata[1]:.0%}<extra></extra>",
        )
        ends.setdefault(xs[-1], []).append((f"<b>{ways.NAMES[way]}</b>", spreads[xs[-1]].mean, colour))
    for last, names in ends.items():
        plot_px = height - MARGIN["t"] - MARGIN["b"]
        ways.name_ends(chart, names, plot_px, palette, x=log10(last), xshift=14)
    chart.update_xaxes(type="log", tickvals=sizes, ticktext=[f"{size:,}" for size in sizes])
    chart.update_yaxes(range=[0, 1.02], tickformat=".0%")
    below(chart, "examples to learn from", palette)
    title(chart, f"{ways.MEASURES.get(measure, measure)} on {on}", palette)
    return chart
